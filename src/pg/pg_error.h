#pragma once

#include <string>
#include <string_view>

#include "walpost/error.h"

namespace walpost {

inline constexpr std::string_view kInsufficientPrivilege = "42501";
inline constexpr std::string_view kDuplicateObject = "42710";
inline constexpr std::string_view kUndefinedObject = "42704";
inline constexpr std::string_view kObjectNotInPrerequisiteState = "55000";

// What PostgreSQL said, in parts. `sqlstate` is empty when there is none (the connection broke, or
// the server was never reached).
struct PgErrorFields {
  std::string sqlstate;
  std::string message;  // primary message
  std::string detail;
  std::string hint;
};

// The one table from SQLSTATE to: retry or stop, exit code, and the sentence that the operator
// reads.
[[nodiscard]] Error to_error(const PgErrorFields& fields);

// The same Error, said of this statement.
[[nodiscard]] Error with_statement(const Error& error, std::string_view sql);

// libpq's text of a failed login under PQERRORS_VERBOSE ("…FATAL:  28P01: password …") into parts.
// With several hosts or protocols tried, the last one counts. Lines become one line.
[[nodiscard]] PgErrorFields parse_login_error(std::string_view text);

}  // namespace walpost
