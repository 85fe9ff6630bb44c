// SPDX-License-Identifier: Apache-2.0
// Watched expressions as text. What they mean in a launch is tested with pages (tests/reports).
#include "trace/watch/expression.hpp"

#include "report/reasons/reasons.hpp"
#include "support/catch.hpp"

namespace warpfiber::trace {
namespace {

using Catch::Matchers::ContainsSubstring;

/// The expression with all its parentheses.
std::string shown(const WatchNode& node) {
  const auto operand = [&node](std::size_t which) { return shown(node.operands[which]); };
  switch (node.kind) {
    case WatchNodeKind::number: return std::to_string(node.number);
    case WatchNodeKind::name: return node.name;
    case WatchNodeKind::member: return operand(0) + "." + node.name;
    case WatchNodeKind::arrow: return operand(0) + "->" + node.name;
    case WatchNodeKind::index: return operand(0) + "[" + operand(1) + "]";
    case WatchNodeKind::dereference: return "(*" + operand(0) + ")";
    case WatchNodeKind::negate: return "(-" + operand(0) + ")";
    case WatchNodeKind::add: return "(" + operand(0) + " + " + operand(1) + ")";
    case WatchNodeKind::subtract: return "(" + operand(0) + " - " + operand(1) + ")";
    case WatchNodeKind::multiply: return "(" + operand(0) + " * " + operand(1) + ")";
    case WatchNodeKind::divide: return "(" + operand(0) + " / " + operand(1) + ")";
    case WatchNodeKind::remainder: return "(" + operand(0) + " % " + operand(1) + ")";
  }
  __builtin_unreachable();
}

std::string parsed(std::string_view text) {
  const auto result = parse_watch(text);
  return result.ok() ? shown(result.value().root) : "error: " + report::reason_text(result.error());
}

}  // namespace

TEST_CASE("operators of watched expressions bind as those of C++") {
  CHECK(parsed(" tile[threadIdx.y][threadIdx.x] ") == "tile[threadIdx.y][threadIdx.x]");
  CHECK(parsed("out[blockIdx.x*blockDim.x+threadIdx.x]") == "out[((blockIdx.x * blockDim.x) + threadIdx.x)]");
  CHECK(parsed("*p->q.r[1]") == "(*p->q.r[1])");
  CHECK(parsed("**p") == "(*(*p))");
  CHECK(parsed("(*p).q") == "(*p).q");
  CHECK(parsed("*(p + 2 * n - 1)") == "(*((p + (2 * n)) - 1))");
  CHECK(parsed("a[10 - 4 - 3]") == "a[((10 - 4) - 3)]");
  CHECK(parsed("a[n / 2 % 3]") == "a[((n / 2) % 3)]");
  CHECK(parsed("a[-n + 0x1fu]") == "a[((-n) + 31)]");
  CHECK(parsed("ns::Class::counter") == "counter");
}

TEST_CASE("a watched expression that is none says what is wrong") {
  CHECK_THAT(parsed(""), ContainsSubstring("such as tile[threadIdx.y]"));
  CHECK_THAT(parsed("tile["), ContainsSubstring("\"tile[\": a name or a number is missing"));
  CHECK_THAT(parsed("tile[1"), ContainsSubstring("a \"]\" is missing"));
  CHECK_THAT(parsed("(a"), ContainsSubstring("a \")\" is missing"));
  CHECK_THAT(parsed("a b"), ContainsSubstring("unexpected \"b\""));
  CHECK_THAT(parsed("a.1"), ContainsSubstring("the name of a member is missing"));
  CHECK_THAT(parsed("a[1.5]"), ContainsSubstring("the name of a member is missing"));
  CHECK_THAT(parsed("a[12x]"), ContainsSubstring("\"12x\" is no integer"));
  CHECK_THAT(parsed("f(x)"), ContainsSubstring("unexpected \"(\""));
  CHECK_THAT(parsed("a == b"), ContainsSubstring("unexpected \"=\""));
}

TEST_CASE("the depth of watched expressions is bounded") {
  const std::string deep(100'000, '(');
  CHECK_THAT(parsed(deep + "a"), ContainsSubstring("nested too deeply"));
  CHECK_THAT(parsed(std::string(100'000, '*') + "a"), ContainsSubstring("nested too deeply"));
  std::string wide = "a";
  for (int i = 0; i < 1000; ++i) wide += "[0]";
  CHECK_THAT(parsed(wide), ContainsSubstring("too many operators"));
}

TEST_CASE("a list of watched expressions has each once") {
  const auto list = parse_watches("a; b[1];;a ;");
  REQUIRE(list.ok());
  REQUIRE(list.value().size() == 2);
  CHECK(list.value()[1].text == "b[1]");
  CHECK_THAT(report::reason_text(parse_watches("a;b[").error()), ContainsSubstring("b["));
  std::string many;
  for (int i = 0; i < 17; ++i) many += "a" + std::to_string(i) + ";";
  CHECK_THAT(report::reason_text(parse_watches(many).error()), ContainsSubstring("17 expressions: at most 16"));
}

}  // namespace warpfiber::trace
