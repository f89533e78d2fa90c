#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "debezium_notes.h"
#include "debezium_table.h"

namespace walpost {

// The parts of translate_debezium(): each takes what belongs together out of the notes' file and
// notes what becomes of it.

// As Java's String.trim().
[[nodiscard]] std::string_view trimmed_as_java(std::string_view text) noexcept;
[[nodiscard]] std::string lower_case(std::string_view text);
// A comma-separated list, its parts trimmed, empty ones left out.
[[nodiscard]] std::vector<std::string> split_list(std::string_view text);
// Trimmed, case does not matter: one of `words`, with bars between.
[[nodiscard]] bool is_one_of(std::string_view text, std::string_view words);

// What an entry with a row of its own becomes.
void note_by_row(DebeziumNotes& notes, std::string_view name, const DebeziumRow& row);
// What an entry without one becomes. `name_in_scope` is `name` without its prefix.
void note_unknown(DebeziumNotes& notes, std::string_view name, DebeziumScope scope,
                  std::string_view name_in_scope);

// database.* → --dbname
void translate_connection(DebeziumNotes& notes);
// table.include.list → --table
void translate_tables(DebeziumNotes& notes);
// What TLS and SASL of Java's producer are to librdkafka.
void translate_producer_security(DebeziumNotes& notes);
// topic.creation.* → --topic-creation and its siblings
void translate_topic_creation(DebeziumNotes& notes);

// What the converters have to know of the router.
struct DebeziumRouter {
  std::string alias;  // empty: there is none
  bool has_envelope = false;
  bool expands_json = false;
};
// transforms and predicates. After the tables.
DebeziumRouter translate_transforms(DebeziumNotes& notes);
// key.converter, value.converter, header.converter → --key-format, --value-format, --header-format
void translate_converters(DebeziumNotes& notes, const DebeziumRouter& router);

}  // namespace walpost
