// SPDX-License-Identifier: Apache-2.0
#include "unit/cuda/runtime/reports.hpp"

#include <algorithm>

#include "support/golden.hpp"
#include "unit/cuda/runtime/defects.hpp"

namespace warpfiber::test {

using Catch::Matchers::ContainsSubstring;

namespace {

constexpr std::size_t kDigitsOfAPointer = 6;

/// Global memory as the kernels of the tables expect it: zeroes, and room around them.
LaunchResult run(const Report& report, const Way& way) {
  Buffer<int> memory(4096);
  memory.fill(0);
  return report.launch(way.apply(report.config), memory.data());
}

}  // namespace

LaunchResult check_report(const Report& report, const Way& way) {
  const LaunchResult result = run(report, way);
  INFO(result.message());
  CHECK(std::string(result.finding()) == report.finding);
  CHECK(std::string(error_name(result.error())) == error_name(report.error));
  CHECK(last_error() == report.error);
  for (const std::string& text : report.quoted)
    CHECK_THAT(result.message(), ContainsSubstring(defects::place_of(text)));
  for (const std::string& text : report.said) CHECK_THAT(result.message(), ContainsSubstring(text));
  check_correct_launch();
  return result;
}

void check_approved(const Report& report) {
#ifdef __SANITIZE_ADDRESS__
  // Frames are touched on entry there, so a stack overflows at another line than the approved text says.
  if (report.error == Error::hardware_stack_error) return;
#endif
  const std::string text = run(report, {"in-order", 1, 0}).message();
  check_golden(std::string("stalls/") + report.name + ".txt", without_chance(text));
}

std::string without_chance(const std::string& text) {
  std::string fixed = text;
  for (const char* word : {"on 0x", "address 0x", "source 0x", "destination 0x", "cg-misuse  0x"}) {
    for (std::size_t at = fixed.find(word); at != std::string::npos; at = fixed.find(word, at + 1)) {
      const std::size_t first = at + std::string(word).size();
      const std::size_t digits = std::min(fixed.find_first_not_of("0123456789abcdef", first), fixed.size()) - first;
      if (digits >= kDigitsOfAPointer) fixed.replace(first, digits, "…");
    }
  }
  // Addresses differ in length, so a line may be broken elsewhere.
  for (std::size_t at = fixed.find("on 0x…"); at != std::string::npos; at = fixed.find("on 0x…", at + 1)) {
    const std::size_t column = at - fixed.rfind('\n', at) - 1;
    for (std::size_t end = fixed.find('\n', at); end != std::string::npos; end = fixed.find('\n', at)) {
      if (fixed.find_first_not_of(' ', end + 1) != end + 1 + column) break;
      fixed.replace(end, column + 1, " ");
    }
  }
  const std::size_t again = fixed.find("\n  again ");
  return fixed.substr(0, again) + "\n  again  …\n";
}

}  // namespace warpfiber::test
