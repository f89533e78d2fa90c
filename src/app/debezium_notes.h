#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "debezium_config.h"

namespace walpost {

// Collects what becomes of each entry while a connector's configuration is translated. Names are in
// full throughout; one that is not in the file becomes an absent entry.
class DebeziumNotes final {
 public:
  explicit DebeziumNotes(const DebeziumSettings& settings);

  // The entry's text; nullopt: not in the file, or of no use (its value is a config provider's).
  [[nodiscard]] std::optional<std::string_view> text(std::string_view name) const;
  [[nodiscard]] bool is_in_file(std::string_view name) const { return places_.contains(name); }
  // The entry's text, and it is of no use from now on.
  void set_unusable(std::string_view name);

  void note(std::string_view name, DebeziumVerdict verdict, std::string_view option,
            std::string_view reason);
  void refuse(std::string_view name, std::string_view option, std::string_view reason) {
    note(name, DebeziumVerdict::kRefused, option, reason);
  }
  // The entry becomes the option, or is refused where the option does not take the text.
  void become(std::string_view name, std::string_view option, const std::string& text,
              std::string_view reason = {});
  // The entry becomes one of the texts of a list.
  void append(std::string_view name, std::string_view option, const std::string& text,
              std::string_view reason = {});
  // The same for what the file is silent about: `text` is Debezium's default.
  void become_default(std::string_view name, std::string_view option, const std::string& text,
                      std::string_view reason);

  // A further option that follows from the entry.
  void imply(std::string_view name, std::string_view option, const std::string& text);
  // Names the origin of an option that several entries make up.
  void name_origin(std::string_view option, std::string_view names);

  // In the file's order.
  [[nodiscard]] std::vector<std::string> names_with_prefix(std::string_view prefix) const;
  // The texts that the option has so far; empty: none.
  [[nodiscard]] std::vector<std::string> texts_of(std::string_view option) const;
  [[nodiscard]] bool is_refused(std::string_view name) const;

  // Every entry must have been noted.
  [[nodiscard]] DebeziumConfig finish();

 private:
  [[nodiscard]] DebeziumEntry& entry(std::string_view name);
  // False, and refused, where the option does not take the texts.
  [[nodiscard]] bool is_taken(std::string_view name, const OptionRow& row,
                              const std::vector<std::string>& texts);
  DebeziumConfig::Applied& applied(const OptionRow& row, std::string_view name);

  struct State {
    std::string text;
    bool is_usable = true;
    bool is_noted = false;
  };
  std::vector<State> states_;  // beside config_.entries
  std::map<std::string, std::size_t, std::less<>> places_;
  DebeziumConfig config_;
};

}  // namespace walpost
