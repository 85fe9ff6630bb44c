// SPDX-License-Identifier: Apache-2.0
//
// Writes the elements of the format by hand. Text is escaped for XML 1.0, which has no spelling for some bytes of
// file names.
#include "tools/check/junit.hpp"

#include <algorithm>
#include <cstdint>
#include <string_view>

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
    text += fmt::format("      <error type=\"{}\" message=\"{}\"/>\n", merged.is_built() ? "unchecked" : "build",
                        escaped(unchecked));
  }
  text += "    </testcase>\n";
  for (const Json& finding : merged.findings()) text += case_of(finding);
  return text + "  </testsuite>\n</testsuites>\n";
}

}  // namespace warpfiber::tools::check
