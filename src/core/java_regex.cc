#include "java_regex.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <optional>
#include <utility>
#include <vector>

namespace walpost {
namespace {

// Java: `.` matches all but \n, \r, U+0085, U+2028 and U+2029.
constexpr std::string_view kDot = "[^\\n\\r\\x{85}\\x{2028}\\x{2029}]";
constexpr std::string_view kAnyCharacter = "(?s:.)";
// Without MULTILINE Java's $ also stands before a final line terminator of its own set.
constexpr std::string_view kDollar = "(?=(?:\\r\\n|[\\n\\r\\x{85}\\x{2028}\\x{2029}])?\\z)";
constexpr std::string_view kLineBreak = "(?:\\r\\n|[\\n-\\r\\x{85}\\x{2028}\\x{2029}])";

// java.util.regex.Pattern, "POSIX character classes (US-ASCII only)": members of a class.
constexpr std::array<std::pair<std::string_view, std::string_view>, 13> kPosixClasses = {{
    {"Lower", "a-z"},
    {"Upper", "A-Z"},
    {"ASCII", "\\x{0}-\\x{7f}"},
    {"Alpha", "a-zA-Z"},
    {"Digit", "0-9"},
    {"Alnum", "a-zA-Z0-9"},
    {"Punct", "!-/:-@\\[-`{-~"},
    {"Graph", "!-~"},
    {"Print", " -~"},
    {"Blank", " \\t"},
    {"Cntrl", "\\x{0}-\\x{1f}\\x{7f}"},
    {"XDigit", "0-9a-fA-F"},
    {"Space", " \\t\\n\\x{b}\\f\\r"},
}};
constexpr std::array<std::string_view, 5> kScripts = {"Latin", "Greek", "Cyrillic", "Han",
                                                      "Hebrew"};

bool is_hex(char c) noexcept { return std::isxdigit(static_cast<unsigned char>(c)) != 0; }
bool is_octal(char c) noexcept { return c >= '0' && c <= '7'; }
bool is_letter(char c) noexcept { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

// Walks over the expression once. Classes nest and intersect in Java: each becomes an expression
// for one character.
class Translator {
 public:
  explicit Translator(std::string_view regex)
      : regex_(regex), has_other_than_ascii_(std::any_of(regex.begin(), regex.end(), [](char c) {
          return static_cast<unsigned char>(c) > 127;
        })) {}

  TranslatedRegex translate() {
    while (at_ < regex_.size()) {
      switch (const char c = regex_[at_]) {
        case '\\':
          escape();
          break;
        case '[':
          output_ += character_class();
          break;
        case '(':
          group();
          break;
        case ')':
          if (dot_matches_all_.size() > 1) dot_matches_all_.pop_back();
          copy(1);
          break;
        case '.':
          output_ += dot_matches_all_.back() ? kAnyCharacter : kDot;
          ++at_;
          break;
        case '$':
          output_ += kDollar;
          ++at_;
          break;
        default:  // a character, not an enumeration
          output_ += c;
          ++at_;
      }
    }
    if (ignores_case_ && (has_other_than_ascii_ || has_property_)) {
      throw UnsupportedRegex("(?i) together with other characters than ASCII is not supported");
    }
    return {std::move(output_), ignores_case_};
  }

 private:
  [[noreturn]] void refuse(std::string_view what) const {
    throw UnsupportedRegex(fmt::format("{} at character {} is not supported", what, at_ + 1));
  }

  [[nodiscard]] std::string_view rest() const noexcept { return regex_.substr(at_); }
  [[nodiscard]] char at(std::size_t index) const noexcept {
    return index < regex_.size() ? regex_[index] : '\0';
  }

  void copy(std::size_t count) {
    output_ += regex_.substr(at_, count);
    at_ += count;
  }

  // Outside of a class.
  void escape() {
    const char c = at(at_ + 1);
    if (c == 'Q') {
      output_ += quoted();
    } else if (c == 'k') {
      if (at(at_ + 2) != '<') refuse("\\k without <name>");
      copy(3);
    } else if (c == 'R') {
      output_ += kLineBreak;
      at_ += 2;
    } else if (c == 'b' || c == 'B' || c == 'A' || c == 'z') {
      copy(2);  // both read these alike
    } else if (c == 'p' || c == 'P') {
      output_ += '[' + property() + ']';
    } else if (c >= '1' && c <= '9') {
      // Java takes as many digits as there are groups, PCRE2 reads an octal number.
      if (std::isdigit(static_cast<unsigned char>(at(at_ + 2))) != 0) {
        refuse("a back reference of several digits");
      }
      copy(2);
    } else {
      output_ += character_escape();
    }
  }

  // What stands for characters, in a class and outside alike.
  std::string character_escape() {
    if (at_ + 1 == regex_.size()) refuse("a lone backslash");
    const char c = regex_[at_ + 1];
    // Both read these alike; any other letter differs somewhere, or may one day.
    constexpr std::string_view kSameLetters = "dDwWsSntrfeahHvV";
    if (kSameLetters.find(c) != std::string_view::npos || !(is_letter(c) || c == '0')) {
      if (std::isdigit(static_cast<unsigned char>(c)) != 0) refuse(fmt::format("\\{}", c));
      at_ += 2;
      return {'\\', c};
    }
    switch (c) {
      case 'u':
        return code_point(2, 4, is_hex);
      case 'x':
        return hex_escape();
      case '0':
        return octal_escape();
      case 'c':
        return control_escape();
      default:  // a character, not an enumeration
        refuse(fmt::format("\\{}", c));
    }
  }

  // `count` digits at `offset` behind the backslash.
  std::string code_point(std::size_t offset, std::size_t count, bool (*is_digit)(char)) {
    const std::string_view digits = regex_.substr(std::min(at_ + offset, regex_.size()), count);
    if (digits.size() != count || !std::all_of(digits.begin(), digits.end(), is_digit)) {
      refuse(fmt::format("\\{} without its digits", regex_[at_ + 1]));
    }
    at_ += offset + count;
    return code_point(std::stoul(std::string(digits), nullptr, is_digit == is_hex ? 16 : 8));
  }
  std::string code_point(unsigned long value) {
    constexpr unsigned long kLast = 0x10FFFF;
    if (value > kLast || (value >= 0xD800 && value < 0xE000)) refuse("such a character");
    if (value > 127) has_other_than_ascii_ = true;
    return fmt::format("\\x{{{:x}}}", value);
  }

  std::string hex_escape() {
    if (at(at_ + 2) != '{') return code_point(2, 2, is_hex);
    const auto end = regex_.find('}', at_);
    constexpr std::size_t kMostDigits = 6;
    const auto count = end == std::string_view::npos ? 0 : end - at_ - 3;
    if (count == 0 || count > kMostDigits) refuse("\\x{ without its digits");
    std::string text = code_point(3, count, is_hex);
    ++at_;
    return text;
  }

  // \0n, \0nn, \0mnn with m up to 3.
  std::string octal_escape() {
    std::size_t count = 0;
    const std::size_t most = at(at_ + 2) <= '3' ? 3 : 2;
    while (count < most && is_octal(at(at_ + 2 + count))) ++count;
    return code_point(2, std::max<std::size_t>(count, 1), is_octal);
  }

  std::string control_escape() {
    const char c = at(at_ + 2);
    if (c < '@' || c > '_') refuse("\\c without a control character");
    at_ += 3;
    return code_point(static_cast<unsigned long>(c) ^ 0x40U);
  }

  std::string quoted() {
    const auto end = regex_.find("\\E", at_ + 2);
    const auto text_end = end == std::string_view::npos ? regex_.size() : end;
    std::string text;
    for (const char c : regex_.substr(at_ + 2, text_end - at_ - 2)) {
      if (std::ispunct(static_cast<unsigned char>(c)) != 0) text += '\\';
      text += c;
    }
    at_ = end == std::string_view::npos ? regex_.size() : end + 2;
    return text;
  }

  // \p{Lower}, \P{Lower}, \p{IsLatin}, \p{Lu}, \pL: members of a class.
  std::string property() {
    const bool is_negated = at(at_ + 1) == 'P';
    std::string_view name;
    std::size_t length = 3;
    if (at(at_ + 2) == '{') {
      const auto end = regex_.find('}', at_);
      if (end == std::string_view::npos) refuse("\\p{ without }");
      name = regex_.substr(at_ + 3, end - at_ - 3);
      length = end + 1 - at_;
    } else {
      name = regex_.substr(std::min(at_ + 2, regex_.size()), 1);
    }
    has_property_ = true;
    const auto* posix = std::find_if(kPosixClasses.begin(), kPosixClasses.end(),
                                     [&](const auto& each) { return each.first == name; });
    if (posix != kPosixClasses.end()) {
      if (is_negated) refuse(fmt::format("\\P{{{}}}", name));
      at_ += length;
      return std::string(posix->second);
    }
    const std::string_view script = name.starts_with("Is") ? name.substr(2) : std::string_view();
    const bool is_script =
        std::find(kScripts.begin(), kScripts.end(), script) != kScripts.end() && !script.empty();
    if (!is_script && !is_general_category(name)) refuse(fmt::format("\\p{{{}}}", name));
    at_ += length;
    return fmt::format("\\{}{{{}}}", is_negated ? 'P' : 'p', is_script ? script : name);
  }

  // "L", "Lu", …: the same in Unicode's data and in both engines.
  static bool is_general_category(std::string_view name) noexcept {
    constexpr std::string_view kCategories =
        "L Lu Ll Lt Lm Lo M Mn Mc Me N Nd Nl No P Pc Pd Ps Pe "
        "Pi Pf Po S Sm Sc Sk So Z Zs Zl Zp C Cc Cf Co Cn ";
    return !name.empty() && name.size() <= 2 &&
           kCategories.find(std::string(name) + ' ') != std::string_view::npos &&
           name.find(' ') == std::string_view::npos;
  }

  // [abc], [^abc], [a-c[m-o]], [a-z&&[^x]]: an expression for one character.
  std::string character_class() {
    ++at_;
    const bool is_negated = at(at_) == '^';
    if (is_negated) ++at_;
    std::vector<std::string> operands;
    bool is_plain = true;  // neither nested nor intersected
    while (true) {
      const auto [operand, nests] = class_operand();
      operands.push_back(operand);
      is_plain &= !nests;
      if (at_ == regex_.size()) refuse("a class without its ]");
      if (at(at_) == ']') break;
      is_plain = false;
      at_ += 2;  // &&
    }
    ++at_;
    if (is_negated && !is_plain) {
      // Versions of Java differ in what the negation takes in.
      refuse("a negated class that nests or intersects");
    }
    if (is_negated) return "[^" + operands.front().substr(1);
    std::string expression;
    for (std::size_t i = 0; i + 1 < operands.size(); ++i) {
      expression += "(?=" + operands[i] + ")";
    }
    expression += operands.back();
    return operands.size() == 1 ? expression : "(?:" + expression + ")";
  }

  // One side of &&: the union of plain members and of nested classes.
  std::pair<std::string, bool> class_operand() {
    std::string members;
    std::vector<std::string> nested;
    bool after_set = false;  // a nested class, \d, \p{…}: no end of a range
    while (at_ < regex_.size() && at(at_) != ']' && !rest().starts_with("&&")) {
      if (at(at_) == '-' && (after_set || is_set(at_ + 1))) refuse("- beside a class");
      after_set = is_set(at_);
      if (at(at_) == '[') {
        if (++depth_ > kMaxClassDepth) refuse("so deep a class");
        nested.push_back(character_class());
        --depth_;
      } else {
        members += class_member();
      }
    }
    if (members.empty() && nested.empty()) refuse("an empty class");
    std::string text = members.empty() ? "" : "[" + members + "]";
    for (const std::string& each : nested) text += (text.empty() ? "" : "|") + each;
    const bool is_union = !nested.empty() && (nested.size() > 1 || !members.empty());
    return {is_union ? "(?:" + text + ")" : text, !nested.empty()};
  }

  // Whether several characters are meant by what stands there in a class.
  [[nodiscard]] bool is_set(std::size_t index) const noexcept {
    constexpr std::string_view kSets = "dDwWsShHvVpP";
    return at(index) == '[' ||
           (at(index) == '\\' && kSets.find(at(index + 1)) != std::string_view::npos);
  }

  std::string class_member() {
    // ^ that is not first here may be there; [:alpha:] is a class of six characters.
    constexpr std::string_view kMeanMore = "^:.=";
    const char first = at(at_);
    if (kMeanMore.find(first) != std::string_view::npos) return ++at_, std::string{'\\', first};
    if (first != '\\') return std::string(1, regex_[at_++]);
    const char c = at(at_ + 1);
    if (c == 'Q') return quoted();
    if (c == 'p' || c == 'P') return property();
    return character_escape();
  }

  void group() {
    if (!rest().starts_with("(?")) {
      if (rest().starts_with("(*")) refuse("(*");
      open(1);
      return;
    }
    for (const std::string_view same : {"(?:", "(?=", "(?!", "(?>", "(?<=", "(?<!"}) {
      if (rest().starts_with(same)) return open(same.size());
    }
    if (rest().starts_with("(?<")) return group_name();
    flags();
  }

  void open(std::size_t length) {
    copy(length);
    dot_matches_all_.push_back(dot_matches_all_.back());
  }

  // (?i), (?s) and both, for what follows in the group, or with ":" for a group of their own.
  void flags() {
    std::size_t end = at_ + 2;
    bool with_case = false;
    bool with_dot = false;
    for (; at(end) == 'i' || at(end) == 's'; ++end) (at(end) == 'i' ? with_case : with_dot) = true;
    const char last = at(end);
    if (end == at_ + 2 || (last != ')' && last != ':')) {
      refuse(fmt::format("{}…", rest().substr(0, 3)));
    }
    ignores_case_ |= with_case;
    const bool dot = dot_matches_all_.back() || with_dot;
    output_ += with_case ? "(?i" : "(?";
    if (last == ':') {
      output_ += ':';
      dot_matches_all_.push_back(dot);
    } else {
      output_ += ')';
      dot_matches_all_.back() = dot;
    }
    at_ = end + 1;
  }

  void group_name() {
    const auto end = regex_.find('>', at_);
    const auto name =
        end == std::string_view::npos ? std::string_view() : regex_.substr(at_ + 3, end - at_ - 3);
    const bool valid = !name.empty() && is_letter(name[0]) &&
                       std::all_of(name.begin(), name.end(),
                                   [](unsigned char c) { return c < 128 && std::isalnum(c) != 0; });
    if (!valid) refuse("a group name that is not ASCII letters and digits");
    open(end + 1 - at_);
  }

  // The stack that a nest of classes may take; nobody nests two.
  static constexpr int kMaxClassDepth = 50;

  std::string_view regex_;
  std::string output_;
  std::size_t at_ = 0;
  int depth_ = 0;
  bool ignores_case_ = false;
  bool has_other_than_ascii_ = false;
  bool has_property_ = false;
  std::vector<bool> dot_matches_all_ = {false};  // by open group, (?s)
};

}  // namespace

TranslatedRegex translate_java_regex(std::string_view regex) {
  return Translator(regex).translate();
}

}  // namespace walpost
