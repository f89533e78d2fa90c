#pragma once

#include <span>
#include <string>
#include <vector>

#include "debezium_config.h"
#include "findings.h"
#include "walpost/error.h"
#include "walpost/log.h"

namespace walpost {

class JsonWriter;

// What `check` prints of --debezium-config: each entry, what becomes of it, and why.
[[nodiscard]] std::string debezium_text(std::span<const DebeziumEntry> entries);
// "debezium_config": [{"entry": …, "value": …, "in_file": …, "verdict": …, "option": …,
// "reason": …}]; nothing where there are no entries.
void put_debezium_entries(JsonWriter& json, std::span<const DebeziumEntry> entries);
// The refused ones as errors, and what is warned of.
[[nodiscard]] std::vector<Finding> debezium_findings(std::span<const DebeziumEntry> entries);

// What `config show` prints below the options: the entries that none of them holds, as comments.
[[nodiscard]] std::string debezium_comments(std::span<const DebeziumEntry> entries);
// One line for each entry that is not applied.
void log_debezium_entries(std::span<const DebeziumEntry> entries, const Log& log);

// Throws Error{kUsage} that names the first refused entry and how many there are.
void refuse_debezium_entries(std::span<const DebeziumEntry> entries, const std::string& path);

// docs/DEBEZIUM-ENTRIES.md: what --debezium-config makes of each name, out of the table.
[[nodiscard]] std::string debezium_page();

}  // namespace walpost
