#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "debezium_file.h"
#include "option_table.h"

namespace walpost {

// What becomes of one entry of a Debezium connector's configuration.
enum class DebeziumVerdict {
  kApplied,     // it stands in `option`
  kOverridden,  // it would, but a flag, a variable or the file of --config says otherwise
  kNotNeeded,   // not applied, and no record is different for it
  kWarned,      // not applied: an unknown name, or it may matter as `reason` says
  kRefused,     // not applied, and records would be different: walpost does not run
};

struct DebeziumEntry {
  std::string name;        // in full, as in the file
  std::string value;       // what may be shown of it
  bool is_absent = false;  // not in the file: Debezium's default, or what is missing
  DebeziumVerdict verdict = DebeziumVerdict::kWarned;
  std::string option;  // of walpost, without dashes in front: it holds or would hold the entry
  std::string reason;  // a clause; may be empty
};

// A connector's configuration in walpost's terms.
struct DebeziumConfig {
  struct Applied {
    const OptionRow* row = nullptr;
    std::vector<std::string> texts;  // as OptionRow::set takes them, which they have passed
    std::string entry;               // the name they come from; with a star: several
  };
  std::vector<DebeziumEntry> entries;  // those of the file in its order, then the absent ones
  std::vector<Applied> applied;        // each option once
};

// Never throws for a value: what cannot be honoured is an entry that says so.
[[nodiscard]] DebeziumConfig translate_debezium(const DebeziumSettings& settings);

[[nodiscard]] std::string_view verdict_name(DebeziumVerdict verdict) noexcept;

}  // namespace walpost
