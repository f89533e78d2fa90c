#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace walpost {

// From the routing text to the topic, by route.topic.regex and route.topic.replacement of
// Debezium's outbox event router (java.util.regex underneath, PCRE2 here):
//
//   the regex matches the whole text → the text with the *first* match, searched anew from the
//   left, replaced; otherwise → the text itself.
//
// Java and PCRE2 agree on the part of the syntax that is let through; an expression that PCRE2
// would read otherwise is refused, never reinterpreted. Not thread-safe.
class TopicRoute final {
 public:
  // Blanks around either are trimmed, as Kafka Connect does.
  // Throws Error{kUsage}: the regex does not compile or is outside the common syntax, or the
  // replacement names a group that the regex lacks.
  TopicRoute(std::string_view regex, std::string_view replacement);
  ~TopicRoute();
  TopicRoute(TopicRoute&&) noexcept;
  TopicRoute& operator=(TopicRoute&&) noexcept;

  // Throws Error{kUndecodable} if matching exceeds PCRE2's limits.
  [[nodiscard]] std::string topic(std::string_view routing_text) const;

 private:
  struct Regex;

  // Literal text, then the group's match; group < 0: only the text.
  struct Piece {
    std::string text;
    int group = -1;
  };

  void parse_replacement(std::string_view replacement);

  std::unique_ptr<Regex> regex_;
  std::vector<Piece> pieces_;
};

}  // namespace walpost
