// SPDX-License-Identifier: Apache-2.0
#include "tools/check/junit.hpp"

#include <fmt/format.h>

namespace warpfiber::tools::check {
namespace {

/// Text as it may stand in XML 1.0, where most control characters may not stand at all.
std::string escaped(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    switch (c) {
      case '&': safe += "&amp;"; break;
      case '<': safe += "&lt;"; break;
      case '>': safe += "&gt;"; break;
      case '"': safe += "&quot;"; break;
      case '\t':
      case '\n': safe += c; break;
      default: safe += static_cast<unsigned char>(c) < ' ' ? '?' : c;
    }
  }
  return safe;
}

std::string case_of(const Json& finding) {
  const std::string places = places_of(finding);
  const std::string id = finding["id"];
  std::string text = fmt::format("    <testcase classname=\"{}\" name=\"{}\">\n", escaped(finding.value("kernel", "")),
                                 escaped(places.empty() ? id : id + " at " + places));
  if (finding["severity"] == "error") {
    text += fmt::format("      <failure type=\"{}\" message=\"{}\">{}</failure>\n", escaped(id),
                        escaped(headline_of(finding)), escaped(finding.value("text", "")));
  } else {
    text += fmt::format("      <system-out>{}</system-out>\n", escaped(finding.value("text", "")));
  }
  return text + "    </testcase>\n";
}

}  // namespace

std::string render_junit(const Merged& merged, const std::string& program) {
  const int failure = merged.failure();
  const std::string unchecked = merged.unchecked();
  const std::string name = escaped(program);
  const std::string counts = fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\"", merged.findings().size() + 1,
                                         merged.count("error"), failure == 0 && unchecked.empty() ? 0 : 1);
  std::string text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n";
  text += fmt::format("<testsuites {}>\n  <testsuite name=\"{}\" {}>\n", counts, name, counts);
  text += fmt::format("    <testcase classname=\"program\" name=\"{}\">\n", name);
  if (failure != 0) {
    text += fmt::format("      <error type=\"status\" message=\"ended with status {}\"/>\n", failure);
  } else if (!unchecked.empty()) {
    text += fmt::format("      <error type=\"unchecked\" message=\"{}\"/>\n", escaped(unchecked));
  }
  text += "    </testcase>\n";
  for (const Json& finding : merged.findings()) text += case_of(finding);
  return text + "  </testsuite>\n</testsuites>\n";
}

}  // namespace warpfiber::tools::check
