#include "step_report.h"

#include <fmt/format.h>

#include "print.h"

namespace walpost {

Log printing_steps(const Log& log) {
  return [log](LogLevel level, std::string_view message, std::initializer_list<LogField> fields) {
    if (level != LogLevel::kInfo) {
      log(level, message, fields);
      return;
    }
    for (const LogField& field : fields) {
      if (field.key == "sql") print(fmt::format("{}: {}\n", message, field.value));
    }
  };
}

}  // namespace walpost
