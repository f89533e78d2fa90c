#pragma once

#include <string>
#include <vector>

namespace walpost {

// One key of a configuration file. A key that appears twice appears here twice.
struct ConfigEntry {
  std::string key;  // with its section before it: "section.key"
  std::vector<std::string> values;
};

// Reads TOML or INI, as CLI11 does: key = value, strings in single or double quotes without
// escapes, arrays in brackets, # and ; for comments. Throws Error{kUsage} for a file that cannot be
// read, and for text that CLI11's reader would silently misread: a quote or bracket left open.
[[nodiscard]] std::vector<ConfigEntry> read_config_file(const std::string& path);
[[nodiscard]] std::vector<ConfigEntry> parse_config(const std::string& text,
                                                    const std::string& path);

}  // namespace walpost
