// SPDX-License-Identifier: Apache-2.0
//
// Writes the elements of the format by hand. Text is escaped for XML 1.0, which has no spelling for some bytes of
// file names.
#include "tools/check/formats/junit.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <map>
#include <string_view>
#include <vector>

#include <fmt/format.h>

namespace warpfiber::tools::check {
namespace {

/// The size of the character at the beginning of the text in UTF-8; 0 where the bytes are none, or one that may not
/// stand in XML 1.0.
std::size_t character_size(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) < 0x80) return byte(0) >= ' ' || text[0] == '\t' || text[0] == '\n' ? 1 : 0;
  const std::size_t size = byte(0) < 0xc2 ? 0 : byte(0) < 0xe0 ? 2 : byte(0) < 0xf0 ? 3 : byte(0) < 0xf5 ? 4 : 0;
  if (size == 0 || text.size() < size) return 0;
  std::uint32_t code = byte(0) & (0x7fU >> size);
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xc0U) != 0x80) return 0;
    code = code << 6 | (byte(i) & 0x3fU);
  }
  const bool too_long = code < (size == 3 ? 0x800U : size == 4 ? 0x10000U : 0x80U);
  const bool is_none = too_long || code > 0x10ffff || (code >= 0xd800 && code < 0xe000) || (code & ~1U) == 0xfffe;
  return is_none ? 0 : size;
}

std::string_view entity(char c) {
  switch (c) {
    case '&': return "&amp;";
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '"': return "&quot;";
    default: return {};
  }
}

/// Text as it may stand in XML 1.0. A file name may have any bytes.
std::string escaped(std::string_view text) {
  std::string safe;
  while (!text.empty()) {
    const std::size_t size = character_size(text);
    const std::string_view named = entity(text[0]);
    safe += size == 0 ? "?" : !named.empty() ? named : text.substr(0, size);
    text.remove_prefix(std::max<std::size_t>(size, 1));
  }
  return safe;
}

bool is_error(const Json& finding) {
  return finding["severity"] == "error";
}

std::string failure_of(const Json& finding) {
  return fmt::format("      <failure type=\"{}\" message=\"{}\">{}</failure>\n",
                     escaped(finding["id"].get<std::string>()), escaped(headline_of(finding)),
                     escaped(finding.value("text", "")));
}

std::string output_of(const Json& finding) {
  return fmt::format("      <system-out>{}</system-out>\n", escaped(finding.value("text", "")));
}

std::string error_of(std::string_view type, std::string_view message) {
  return fmt::format("      <error type=\"{}\" message=\"{}\"/>\n", type, escaped(message));
}

/// "the program returned 3".
std::string ending_of(const Merged& merged) {
  if (merged.signal() == 0) return fmt::format("the program returned {}", merged.failure());
  return fmt::format("the program was ended by signal {} ({})", merged.signal(), strsignal(merged.signal()));
}

/// The test cases of one program, and how many of them failed.
class TestSuite {
 public:
  TestSuite(const Merged& merged, const std::string& program) : merged_(merged), name_(escaped(program)) {
    for (const Json& finding : merged.findings()) {
      for (const Json& test : finding.value("tests", Json::array())) found_in_[key_of_test(test)].push_back(&finding);
    }
    add_program();
    for (const Json& test : merged.tests()) add_test(test);
    for (const Json& finding : merged.findings()) {
      if (!finding.contains("tests")) add_finding(finding);
    }
  }

  std::string text() const {
    const std::string counts = fmt::format("tests=\"{}\" failures=\"{}\" errors=\"{}\"", count_, failures_, errors_);
    return fmt::format("<testsuites {}>\n  <testsuite name=\"{}\" {}>\n{}  </testsuite>\n</testsuites>\n", counts,
                       name_, counts, cases_);
  }

 private:
  void add(std::string_view group, std::string_view name, const std::string& content) {
    ++count_;
    failures_ += content.find("<failure ") != std::string::npos ? 1 : 0;
    errors_ += content.find("<error ") != std::string::npos ? 1 : 0;
    cases_ += fmt::format("    <testcase classname=\"{}\" name=\"{}\">\n{}    </testcase>\n", group, name, content);
  }

  /// A program whose tests failed returns an error for that reason.
  void add_program() {
    const std::string unchecked = merged_.unchecked();
    const bool has_failed_tests =
        std::ranges::any_of(merged_.tests(), [](const Json& test) { return test["outcome"] == "failed"; });
    std::string content;
    if (merged_.failure() != 0 && (merged_.signal() != 0 || !has_failed_tests)) {
      content = error_of("status", ending_of(merged_));
    } else if (!unchecked.empty()) {
      content = error_of(merged_.is_built() ? "unchecked" : "build", unchecked);
    }
    add("program", name_, content);
  }

  void add_test(const Json& test) {
    std::string content;
    std::string output;
    if (const auto found = found_in_.find(key_of_test(test)); found != found_in_.end()) {
      for (const Json* const finding : found->second)
        (is_error(*finding) ? content : output) += is_error(*finding) ? failure_of(*finding) : output_of(*finding);
    }
    if (test["outcome"] == "running") {
      content += error_of("status", merged_.failure() == 0 ? "the test did not end" : ending_of(merged_));
    } else if (content.empty() && test["outcome"] == "failed") {
      content = "      <failure type=\"test\" message=\"the test failed by itself\"/>\n";
    } else if (test["outcome"] == "skipped") {
      content += "      <skipped/>\n";
    }
    const std::string suite = test["suite"];
    add(suite.empty() ? name_ : escaped(suite), escaped(test["name"].get<std::string>()), content + output);
  }

  /// Of no test of the program's.
  void add_finding(const Json& finding) {
    const std::string places = places_of(finding);
    const std::string id = finding["id"];
    add(escaped(finding.value("kernel", "")), escaped(places.empty() ? id : id + " at " + places),
        is_error(finding) ? failure_of(finding) : output_of(finding));
  }

  const Merged& merged_;
  const std::string name_;
  std::map<std::string, std::vector<const Json*>> found_in_;  // by key_of_test()
  std::string cases_;
  std::size_t count_ = 0;
  std::size_t failures_ = 0;
  std::size_t errors_ = 0;
};

}  // namespace

std::string render_junit(const Merged& merged, const std::string& program) {
  return "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n" + TestSuite(merged, program).text();
}

}  // namespace warpfiber::tools::check
