#include "findings_text.h"

#include <fmt/format.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <algorithm>
#include <string_view>

#include "log_line.h"
#include "walpost/check.h"

namespace walpost {
namespace {

std::string_view severity_name(Severity severity) noexcept {
  switch (severity) {
    case Severity::kError:
      return "error";
    case Severity::kWarning:
      return "warning";
    case Severity::kInfo:
      return "info";
  }
  CHECK(false);
}

auto count_of(std::span<const Finding> findings, Severity severity) {
  return std::ranges::count(findings, severity, &Finding::severity);
}

std::string plural(std::ptrdiff_t count, std::string_view noun) {
  return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

// Each line of `text` after `indent` blanks.
std::string indented(std::string_view text, std::size_t indent) {
  std::string result;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    result += fmt::format("{:{}}{}\n", "", indent, text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return result;
}

}  // namespace

bool has_errors(std::span<const Finding> findings) noexcept {
  return count_of(findings, Severity::kError) > 0;
}

std::string findings_text(std::span<const Finding> findings) {
  std::string text;
  for (const Finding& finding : findings) {
    text += fmt::format("{:<8} {}\n", severity_name(finding.severity), finding.what);
    text += indented(finding.why, 9);
    if (!finding.mend.empty()) text += "         mend it with:\n" + indented(finding.mend, 11);
  }
  if (!findings.empty()) text += '\n';
  if (has_errors(findings)) {
    return text + fmt::format("{}, {}: run would refuse to start\n",
                              plural(count_of(findings, Severity::kError), "error"),
                              plural(count_of(findings, Severity::kWarning), "warning"));
  }
  return text + fmt::format("no errors, {}: run can start\n",
                            plural(count_of(findings, Severity::kWarning), "warning"));
}

std::string findings_json(std::span<const Finding> findings) {
  rapidjson::StringBuffer buffer;
  rapidjson::Writer<rapidjson::StringBuffer> writer(buffer);
  const auto member = [&](const char* key, std::string_view value) {
    const std::string text = valid_utf8(value);
    writer.Key(key);
    writer.String(text.data(), static_cast<rapidjson::SizeType>(text.size()));
  };
  writer.StartObject();
  writer.Key("ok");
  writer.Bool(!has_errors(findings));
  writer.Key("findings");
  writer.StartArray();
  for (const Finding& finding : findings) {
    writer.StartObject();
    member("severity", severity_name(finding.severity));
    member("what", finding.what);
    member("why", finding.why);
    member("mend", finding.mend);
    writer.EndObject();
  }
  writer.EndArray();
  writer.EndObject();
  return std::string(buffer.GetString(), buffer.GetSize()) + '\n';
}

}  // namespace walpost
