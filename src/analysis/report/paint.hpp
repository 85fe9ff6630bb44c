// SPDX-License-Identifier: Apache-2.0
//
// Colours of a text report, or none. Widths are measured before painting: escapes take no column.
#pragma once

#include <string>
#include <string_view>

namespace warpfiber::report {

/// ANSI SGR codes by what they mark.
namespace ink {
inline constexpr std::string_view kError = "31;1";
inline constexpr std::string_view kWarning = "33;1";
inline constexpr std::string_view kInfo = "34;1";
inline constexpr std::string_view kPlace = "36";
inline constexpr std::string_view kFix = "32;1";
inline constexpr std::string_view kStrong = "1";
}  // namespace ink

class Paint {
 public:
  explicit Paint(bool colour) : colour_(colour) {}

  std::string operator()(const std::string& text, std::string_view code) const {
    if (!colour_ || text.empty()) return text;
    std::string painted = "\x1b[";
    return painted.append(code).append("m").append(text).append("\x1b[0m");
  }

 private:
  bool colour_;
};

}  // namespace warpfiber::report
