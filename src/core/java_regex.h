#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

namespace walpost {

// What is not translated, as the end of a sentence: "(?x… at character 3 is not supported".
class UnsupportedRegex final : public std::invalid_argument {
 public:
  using std::invalid_argument::invalid_argument;
};

struct TranslatedRegex {
  std::string pcre;  // for PCRE2 with PCRE2_UTF and without PCRE2_UCP
  bool ignores_case = false;
};

// A java.util.regex expression as PCRE2 reads the same; what PCRE2 would read otherwise, or may one
// day, is refused. Throws UnsupportedRegex. Other errors of syntax are left to PCRE2.
[[nodiscard]] TranslatedRegex translate_java_regex(std::string_view regex);

}  // namespace walpost
