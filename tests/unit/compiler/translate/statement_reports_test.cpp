// SPDX-License-Identifier: Apache-2.0
//
// With -fstatements each statement of device code reports its line before it is executed, a loop at each test.
#include <string>

#include "support/catch.hpp"
#include "unit/compiler/translate/sample.hpp"

namespace warpfiber::translate::test {
namespace {

const TranslateOptions kStatements{.statements = true};

/// Runs a function of the device, `int f(int x)` from line 3 on, with 3, and compares what it reports.
void expect_reports(const std::string& function, const std::string& reports) {
  const std::string expected = "(" + reports + "))";  // the end of the kernel comes last
  REQUIRE_RUNS_WITH(kStatements, "\n__device__ int f(int x);\n" + function + R"(
__global__ void k(int x) { warpfiber::cuda::reported[0] = 0; f(x); }
int main() {
  k<<<1, 1>>>(3);
  EXPECT(strcmp(warpfiber::cuda::reported, ")" +
                                     expected + "\") == 0);\n}\n");
}

TEST_CASE("each line reports once, whichever statements stand on it") {
  expect_reports("__device__ int f(int x) {\n  int y = 0; y = x; {\n  y += 2;\n  }\n  return y;\n}", "4 5 7 ");
}

TEST_CASE("a statement that another one controls reports where it is executed") {
  expect_reports(R"(__device__ int f(int x) {
  if (x == 3)
    x = 4;
  else
    x = 5;
  if (x == 3)
    x = 6;
  else if (x == 4)
    x = 7;
  return x;
})",
                 "4 5 8 10 11 12 ");
}

TEST_CASE("a loop reports at each test of its condition") {
  expect_reports(R"(__device__ int f(int x) {
  for (int i = 0; i < 2; ++i)
    x += i;
  while (x > 3)
    --x;
  do {
    x += 1;
  } while (x < 5);
  for (;;) {
    break;
  }
  return x;
})",
                 "4 5 4 5 4 6 7 6 9 10 9 10 11 12 14 ");
}

TEST_CASE("passes and the end of a loop report where lanes may part in a pass") {
  expect_reports(R"(__device__ int f(int x) {
  for (int i = 0; i < 2; ++i)
    if (i == 1)
      while (x > 3 || x < 0) {
        --x;
      }
    else
      for (int j = 0; j < 2; ++j) x += j > 0 ? 1 : 0;
  do { x += x > 4 ? 1 : 2; } while (x < 5);
  return x;
})",
                 "4 a5 10 c10 c10 C4 a5 6 b7 6 B4 Ad11 D12 ");
}

TEST_CASE("a return out of a loop reports the end of the function only") {
  expect_reports(R"(__device__ int g(int x) {
  for (;;) {
    if (x > 2) return x;
  }
}
__device__ int f(int x) {
  return g(x);
})",
                 "9 (4 a5 )");
}

TEST_CASE("loops of functions with goto do not report") {
  expect_reports(R"(__device__ int f(int x) {
  for (int i = 0; i < 2; ++i) {
    if (x == 3) goto end;
  }
end:
  return x;
})",
                 "4 5 8 ");
}

TEST_CASE("labels and declarations without a value do not report") {
  expect_reports(R"(__device__ int f(int x) {
  int y;
  struct Pair { int a; };
  using Int = int;
  switch (x) {
    case 1:
      x = 0;
      break;
    case 3:
    default:
      y = x;
      [[maybe_unused]] Int z = 2;
  }
  return y;
})",
                 "7 13 14 16 ");
}

TEST_CASE("constant expressions, other lambdas and host functions stay as they are") {
  expect_reports(R"(__device__ constexpr int twice(int x) {
  return 2 * x;
}
int of_host(int x) {
  return x;
}
__device__ int f(int x) {
  static_assert(twice(2) == 4);
  const auto add = [&](int y) {
    return x + y; };
  return add(of_host(twice(2)));
})",
                 "11 13 ");
}

TEST_CASE("functions that read volatile memory keep the blocks they have") {
  expect_reports(R"(__device__ int f(int x) {
  volatile int y = x;
  for (int i = 0; i < 2; ++i)
    if (y == 3)
      y = 4;
  return y;
})",
                 "4 5 5 5 8 ");
}

TEST_CASE("lambdas of the device report") {
  REQUIRE_RUNS_WITH(kStatements, R"-(
int main() {
  const auto add = [](int x, int y) __attribute__((unused)) { return x + y; };
  const auto twice = [] __device__ (int x) {
    return 2 * x;
  };
  EXPECT(add(twice(1), 2) == 4);
  EXPECT(strcmp(warpfiber::cuda::reported, "(5 )") == 0);
})-");
}

TEST_CASE("a translation reports no statements unless it is asked to") {
  CHECK(translated("__global__ void k(int* x) {\n  *x = 1;\n}\n").find("warpfiber_reports") == std::string::npos);
}

}  // namespace
}  // namespace warpfiber::translate::test
