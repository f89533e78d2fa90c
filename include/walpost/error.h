#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace walpost {

// What a supervisor learns from the process's end; README.md has the table for operators.
enum class ExitCode : int {
  kOk = 0,
  kUnexpected = 1,           // a bug: restart, report
  kUsage = 2,                // bad flags or configuration: do not restart
  kPostgresUnreachable = 3,  // beyond --reconnect-timeout: restart
  kPostgresSetup = 4,        // slot, publication, privilege, login, lost slot: do not restart
  kUndecodable = 5,          // stream or row does not fit: do not restart
  kUndeliverable = 6,        // the sink refused a record for good, policy stop: do not restart
  kDrainDeadline = 7,        // unconfirmed events will come again: restart
};

// The one exception of walpost. `what()` says what is wrong and what it means for the data, the
// hint what to type next. A retryable error ends in backoff and another attempt (Pipeline), any
// other one in main: one line, the hint, and `exit_code()`.
// Neither text ever holds a value of a row, a key or a password.
class Error final : public std::runtime_error {
 public:
  Error(ExitCode exit_code, const std::string& what, std::string hint = {})
      : std::runtime_error(what), hint_(std::move(hint)), exit_code_(exit_code) {}

  // `exit_code` applies once retrying is over.
  [[nodiscard]] static Error retryable(ExitCode exit_code, const std::string& what,
                                       std::string hint = {}) {
    Error error(exit_code, what, std::move(hint));
    error.retryable_ = true;
    return error;
  }

  [[nodiscard]] ExitCode exit_code() const noexcept { return exit_code_; }
  [[nodiscard]] bool is_retryable() const noexcept { return retryable_; }
  [[nodiscard]] const std::string& hint() const noexcept { return hint_; }

 private:
  std::string hint_;
  ExitCode exit_code_;
  bool retryable_ = false;
};

}  // namespace walpost
