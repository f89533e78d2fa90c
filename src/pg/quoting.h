#pragma once

#include <span>
#include <string>
#include <string_view>

namespace walpost {

// 'text' for SQL and for the replication grammar's option values; E'' syntax where there is a
// backslash, so that the result does not depend on standard_conforming_strings.
[[nodiscard]] std::string quote_literal(std::string_view text);
// The same for the replication grammar (START_REPLICATION's options), which knows no E'' and no
// escapes: quotes are doubled, everything else stands for itself.
[[nodiscard]] std::string quote_replication_literal(std::string_view text);

// The value of pgoutput's option publication_names: an identifier list, where unquoted names fold
// to lower case and commas split. Each name is quoted; the whole must still become a literal.
[[nodiscard]] std::string publication_names(std::span<const std::string> names);

// One word of a shell command: as it is when that is safe, else in single quotes.
[[nodiscard]] std::string quote_shell(std::string_view word);

}  // namespace walpost
