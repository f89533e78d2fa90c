#include "walpost/topic_route.h"

#include <gmock/gmock.h>

#include "walpost/error.h"
#include "wire/thrown.h"

namespace walpost {
namespace {

using testing::HasSubstr;

std::string topic(std::string_view regex, std::string_view replacement, std::string_view text) {
  return TopicRoute(regex, replacement).topic(text);
}

// What `regex` matches as a whole becomes "yes".
bool matches(std::string_view regex, std::string_view text) {
  return topic("(?:" + std::string(regex) + ")", "yes", text) == "yes";
}

Error refused_regex(std::string_view regex) {
  const Error error = thrown([&] { return TopicRoute(regex, "x"); });
  EXPECT_EQ(error.exit_code(), ExitCode::kUsage) << regex;
  EXPECT_THAT(error.what(), HasSubstr("--route-topic-regex")) << regex;
  return error;
}

Error refused_replacement(std::string_view replacement) {
  const Error error = thrown([&] { return TopicRoute("(a)(?<n>b)", replacement); });
  EXPECT_EQ(error.exit_code(), ExitCode::kUsage) << replacement;
  EXPECT_THAT(error.what(), HasSubstr("--route-topic-replacement")) << replacement;
  return error;
}

// Debezium's defaults.
constexpr std::string_view kRegex = "(?<routedByValue>.*)";
constexpr std::string_view kReplacement = "outbox.event.${routedByValue}";

TEST(TopicRoute, DebeziumsDefaultsPutAPrefixBefore) {
  EXPECT_EQ(topic(kRegex, kReplacement, "Parcel"), "outbox.event.Parcel");
  EXPECT_EQ(topic(kRegex, kReplacement, ""), "outbox.event.");
  EXPECT_EQ(topic(kRegex, kReplacement, "å$1\\"), "outbox.event.å$1\\");
}

TEST(TopicRoute, WithoutAMatchTheTextItselfIsTheTopic) {
  EXPECT_EQ(topic("order-(?<x>.*)", "a.${x}", "invoice"), "invoice");
  EXPECT_EQ(topic("inv", "x", "invoice"), "invoice") << "a part is no match";
}

TEST(TopicRoute, AnEmptyRegexMeansTheTextItself) {
  EXPECT_EQ(topic("", "x", "invoice"), "invoice");
  EXPECT_EQ(topic("", "x", ""), "x");
}

TEST(TopicRoute, TheFirstHitFromTheLeftIsReplaced) {
  EXPECT_EQ(topic("a|abc", "X", "abc"), "Xbc");
  EXPECT_EQ(topic("b|.*", "X", "abc"), "X");
  EXPECT_EQ(topic("b|a?b?c?", "X", "abc"), "X");
  EXPECT_EQ(topic("(a)|(a)(b)", "[$1$2]", "ab"), "[a]b") << "groups are those of the hit";
  EXPECT_EQ(topic("x?(abc)?|abc", "<$1>", "abc"), "<abc>");
  EXPECT_EQ(topic("a??b??|ab", "X", "ab"), "Xab") << "an empty hit is a hit";
}

TEST(TopicRoute, ARegexMatchesTheWholeTextByItsLongerAlternativeToo) {
  EXPECT_EQ(topic("(in|inv).*", "$1", "invoice"), "in");
  EXPECT_EQ(topic("(in|invoice)", "$1.x", "invoice"), "in.xvoice");
}

TEST(TopicRoute, GroupsByNumberTakeAsManyDigitsAsThereAreGroups) {
  EXPECT_EQ(topic("(a)(b)", "$12", "ab"), "a2");
  EXPECT_EQ(topic("(a)(b)(c)(d)(e)(f)(g)(h)(i)(j)(k)(l)", "$12", "abcdefghijkl"), "l");
  EXPECT_EQ(topic("(a)(b)(c)(d)(e)(f)(g)(h)(i)(j)(k)(l)", "$123", "abcdefghijkl"), "l3");
  EXPECT_EQ(topic("(a)", "$00", "a"), "a");
  EXPECT_EQ(topic("(a)", "$01", "a"), "a");
  EXPECT_EQ(topic("(a)(b)", "$2-$0", "ab"), "b-ab");
}

TEST(TopicRoute, AGroupThatTookNoPartIsEmpty) {
  EXPECT_EQ(topic("(a)|(b)", "<$1|$2>", "b"), "<|b>");
  EXPECT_EQ(topic("(?<x>a)?b", "<${x}>", "b"), "<>");
}

TEST(TopicRoute, ABackslashEscapesTheNextCharacter) {
  EXPECT_EQ(topic("a", R"(\$1)", "a"), "$1");
  EXPECT_EQ(topic("a", R"(\\)", "a"), R"(\)");
  EXPECT_EQ(topic("a", R"(\x\.)", "a"), "x.");
  EXPECT_EQ(topic("a", R"(\é)", "a"), "é");
}

TEST(TopicRoute, AReplacementMayBeFixedOrEmpty) {
  EXPECT_EQ(topic(kRegex, "all-events", "invoice"), "all-events");
  EXPECT_EQ(topic(kRegex, "", "invoice"), "");
}

TEST(TopicRoute, ReplacementsThatNameNoGroupAreRefused) {
  for (const char* replacement :
       {"x$7", "$3", "${x}", "${1}", "${}", "${N}", "${n", "$", "$x", "x\\", "$-1", "a$ b"}) {
    (void)refused_replacement(replacement);
  }
}

TEST(TopicRoute, BlanksAroundRegexAndReplacementAreTrimmed) {
  EXPECT_EQ(topic(" \t(a)\n", "  x.$1\r\n", "a"), "x.a");
  EXPECT_EQ(topic("  ", " x ", ""), "x");
  EXPECT_EQ(topic("a b", "c d", "a b"), "c d") << "blanks inside stay";
}

TEST(TopicRoute, ATextWithALineBreakDoesNotMatchTheDefaultRegex) {
  for (const char* text : {"a\nb", "a\rb", "a\u0085b", "a\u2028b", "a\u2029b", "\n", "a\n"}) {
    EXPECT_EQ(topic(kRegex, kReplacement, text), text);
  }
  EXPECT_EQ(topic(kRegex, "x", "a\vb\fc"), "x") << "no line terminators of Java";
}

TEST(TopicRoute, ADotMatchesOneCharacterOfAnySize) {
  EXPECT_TRUE(matches("...", "aé😀"));
  EXPECT_TRUE(matches("[.]", "."));
  EXPECT_FALSE(matches("[.]", "a"));
}

TEST(TopicRoute, TheDollarStandsBeforeAFinalLineTerminator) {
  EXPECT_TRUE(matches("a$", "a"));
  EXPECT_TRUE(matches("a$\\n", "a\n"));
  EXPECT_TRUE(matches("a$\\r\\n", "a\r\n"));
  EXPECT_TRUE(matches("a$[^b]", "a\u2028"));
  EXPECT_FALSE(matches("a$b", "ab"));
  EXPECT_TRUE(matches("[$]", "$"));
}

TEST(TopicRoute, MatchingIsCaseSensitiveUnlessAsked) {
  EXPECT_FALSE(matches("abc", "ABC"));
  EXPECT_TRUE(matches("(?i)abc", "ABC"));
}

TEST(TopicRoute, CaseIsIgnoredInAsciiOnly) {
  EXPECT_FALSE(matches("(?i)k", "\u212A")) << "the Kelvin sign";
  EXPECT_FALSE(matches("(?i)[^ks]+", "K")) << "in classes too";
  EXPECT_TRUE(matches("(?i)[^ks]+", "\u212A\u017F"));
  EXPECT_FALSE(matches("(?i)s", "\u017F")) << "the long s";
  EXPECT_EQ(topic("(?i)(k.)", "<$1>", "K\u212A"), "<K\u212A>");
  EXPECT_EQ(topic("(?i)x(.*)", "$1", "X\u017F"), "\u017F");
}

TEST(TopicRoute, CaseOfOtherLettersIsRefusedWithCaseIgnored) {
  (void)refused_regex("(?i)é");
  (void)refused_regex("é(?i)");
  (void)refused_regex("(?i)\\u00e9");
  EXPECT_TRUE(matches("(?i)\\u0041", "a"));
}

TEST(TopicRoute, WordsAndDigitsAreAscii) {
  EXPECT_TRUE(matches("\\w+", "aZ_9"));
  EXPECT_FALSE(matches("\\w", "é"));
  EXPECT_FALSE(matches("\\d", "٣"));
  EXPECT_TRUE(matches("\\D\\W\\S", "éé٣"));
  EXPECT_TRUE(matches("\\s+", " \t\n\v\f\r"));
  EXPECT_FALSE(matches("\\s", "\u00A0"));
}

TEST(TopicRoute, CommonConstructsWork) {
  EXPECT_TRUE(matches("[a-c^]{2,3}", "a^c"));
  EXPECT_TRUE(matches("[^a-c]", "d"));
  EXPECT_TRUE(matches("(?:ab)++c*", "ababcc"));
  EXPECT_TRUE(matches("(?=ab)(?!b)(?<!x)a(?<=a)b", "ab"));
  EXPECT_TRUE(matches("(?>a|ab)", "a"));
  EXPECT_FALSE(matches("(?>a|ab)", "ab"));
  EXPECT_TRUE(matches("(a)\\1", "aa"));
  EXPECT_TRUE(matches("(?<x>a)\\k<x>", "aa"));
  EXPECT_TRUE(matches("\\Aab\\b\\z", "ab"));
  EXPECT_TRUE(matches("\\t\\n\\r\\f\\e", "\t\n\r\f\x1b"));
  EXPECT_TRUE(matches("\\u0041\\u20ac", "A€"));
  EXPECT_TRUE(matches("\\u002A", "*")) << "a literal, though it is the star";
  EXPECT_TRUE(matches("\\.\\[\\(\\\\", ".[(\\"));
}

TEST(TopicRoute, QuotedTextIsLiteral) {
  EXPECT_TRUE(matches("\\Qa.b*\\E+", "a.b**"));
  EXPECT_FALSE(matches("\\Qa.b\\E", "axb"));
  EXPECT_EQ(topic("\\Qa.b", "x", "a.b"), "x") << "up to the end without its \\E";
  EXPECT_TRUE(matches("[\\Q^]-\\E]+", "^]-"));
  EXPECT_TRUE(matches("\\Q\\E", ""));
}

TEST(TopicRoute, AnEmptyRegexGoesWithAReplacementForAnother) {
  EXPECT_EQ(topic("", kReplacement, "invoice"), "invoice");
}

TEST(TopicRoute, ClassesNestAndIntersect) {
  EXPECT_TRUE(matches("[a-c[m-o]x]+", "amx"));
  EXPECT_FALSE(matches("[a-c[m-o]]", "d"));
  EXPECT_TRUE(matches("[a-z&&[^m]]+", "abz"));
  EXPECT_FALSE(matches("[a-z&&[^m]]", "m"));
  EXPECT_TRUE(matches("[\\w&&[^\\d]]+-[\\d]+", "Order-42"));
  EXPECT_FALSE(matches("[a-f&&c-k&&[^e]]", "e"));
  EXPECT_TRUE(matches("[a-f&&c-k&&[^e]]", "d"));
  EXPECT_TRUE(matches("[[:alpha:]]+", "alpha:")) << "an ordinary nested class in Java";
  EXPECT_FALSE(matches("[[:alpha:]]", "b"));
  EXPECT_TRUE(matches("[[b]^a]+", "^ab")) << "no negation in the middle";
  EXPECT_FALSE(matches("[[b]^a]", "c"));
  EXPECT_TRUE(matches("[a&b]+", "a&b"));
  EXPECT_TRUE(matches("[a-&&[^b]]+", "a-"));
}

TEST(TopicRoute, CharactersMayBeNamedByTheirCode) {
  EXPECT_TRUE(matches("\\x41\\x{e9}\\u00e9\\0101\\07", "AééA\a"));
  EXPECT_TRUE(matches("\\0151nvoice", "invoice")) << "three digits, as the first is below 4";
  EXPECT_TRUE(matches("\\0477", "'7"));
  EXPECT_TRUE(matches("\\cA", "\x01"));
  EXPECT_TRUE(matches("[\\x{1F600}]", "😀"));
}

TEST(TopicRoute, PropertiesAreJavas) {
  EXPECT_TRUE(matches("\\p{Lower}+", "abc"));
  EXPECT_FALSE(matches("\\p{Lower}", "é")) << "ASCII only";
  EXPECT_TRUE(matches("[\\p{Punct}x]+", "!x~[]\\^-"));
  EXPECT_TRUE(matches("\\p{IsLatin}+", "aé"));
  EXPECT_TRUE(matches("\\p{Lu}\\pL\\P{L}", "Éé1"));
  EXPECT_TRUE(matches("[^\\p{Alpha}]", "1"));
}

TEST(TopicRoute, ADotMatchesLineBreaksWhereAsked) {
  EXPECT_TRUE(matches("(?s).*", "a\nb\u2028"));
  EXPECT_TRUE(matches("(?s:a.)b", "a\nb"));
  EXPECT_FALSE(matches("(?s:a.).", "ab\n")) << "only within the group";
  EXPECT_FALSE(matches("((?s)a).", "a\n"));
  EXPECT_TRUE(matches("(?is)A.", "a\n"));
  EXPECT_TRUE(matches("(?i:A)b", "ab"));
  EXPECT_FALSE(matches("(?i:A)b", "aB"));
}

TEST(TopicRoute, BlanksAndBreaksHaveNames) {
  EXPECT_TRUE(matches("\\h\\v", "\u00a0\u0085"));
  EXPECT_TRUE(matches("a\\Rb\\Rc", "a\r\nb\u2028c"));
  EXPECT_FALSE(matches("\\R", " "));
}

class RefusedRegex : public testing::TestWithParam<const char*> {};

TEST_P(RefusedRegex, SaysSo) { EXPECT_FALSE(refused_regex(GetParam()).hint().empty()); }

INSTANTIATE_TEST_SUITE_P(
    TopicRoute, RefusedRegex,
    testing::Values("[]a]", "[^]a]", "[a", "[", "[a&&]", "[&&a]", "[^a[b]]", "[^a&&b]", "[a-[b]]",
                    "[[a]-b]", "[!-\\p{Alpha}]", "[\\d-a]", "\\P{Lower}", "\\p{javaUpperCase}",
                    "\\P{javaUpperCase}", "\\p{InGreek}", "\\p{IsAlphabetic}", "\\p{Lower",
                    "(?i)\\p{Lower}", "(?P<x>a)", "(?P=x)", "(?(1)a|b)", "(a)(?1)", "(?R)", "(?m)^",
                    "(?x)a", "(?u)a", "(?U)a", "(?-i)a", "(?i-s)a", "(?#c)", "(?|a)", "(?'x'a)",
                    "(?<x_y>a)", "(?<1>a)", "(?<>a)", "(?<x", "(?<é>a)", "(*UTF)a", "\\X", "\\N",
                    "\\K", "\\G", "\\Z", "\\C", "\\c", "\\ca", "\\x4", "\\x{}", "\\x{110000}",
                    "\\x{d800}", "\\08", "\\o{1}", "\\g1", "\\k{x}", "\\kx", "\\u12", "\\u{41}",
                    "\\u123g", "\\E", "\\", "a\\", "[\\b]", "[\\B]", "[\\1]", "[\\A]", "[\\z]",
                    "[\\R]", "[\\k<x>]", "(a)\\11", "(", ")", "a**", "*", "(?<x>a)(?<x>b)",
                    "\\uD83D\\uDE00", "\\1", "(?<=a+)b"),
    [](const auto& regex) { return "Number" + std::to_string(regex.index); });

TEST(TopicRoute, ARefusalNamesThePart) {
  EXPECT_THAT(refused_regex("ab\\X").what(), HasSubstr("\\X at character 3"));
  EXPECT_THAT(refused_regex("[^a&&b]").what(), HasSubstr("negated class"));
}

TEST(TopicRoute, EndlessMatchingHoldsTheLine) {
  const TopicRoute route("(?:(?:a+)+)+b", "x");
  const Error error = thrown([&] { return route.topic(std::string(5'000, 'a')); });
  EXPECT_EQ(error.exit_code(), ExitCode::kUndecodable);
}

TEST(TopicRoute, CanBeMoved) {
  TopicRoute route("(a)", "<$1>");
  TopicRoute moved(std::move(route));
  EXPECT_EQ(moved.topic("a"), "<a>");
}

}  // namespace
}  // namespace walpost
