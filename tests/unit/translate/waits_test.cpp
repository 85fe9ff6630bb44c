// SPDX-License-Identifier: Apache-2.0
//
// Loops of the device that wait for a volatile word: each pass is a poll. Loops that do anything else stay as they are.
#include "support/catch.hpp"
#include "unit/translate/sample.hpp"

namespace warpfiber::translate::test {
namespace {

using Catch::Matchers::ContainsSubstring;

/// The body of a function of the device with a parameter `flag`, translated.
std::string of_body(const std::string& body) {
  const std::string head = "__device__ volatile int seen[8];\n__device__ void f(volatile int* flag, int x, int b) {\n";
  return translated(head + body + "\n}");
}

TEST_CASE("each pass of a loop that waits for a volatile word is a poll") {
  const auto* const loop =
      GENERATE("while (flag[b] != x);", "while (*flag != x) {}", "while (seen[b] == 0) { }", "for (; flag[b] < x;);",
               "while (((volatile int*)&x)[0]) {}", "while (*(volatile int*)&x) ;", "while (__ldcg(&b) < x);",
               "while (flag[b] != x) x++;", "while (flag[b] != x) { ++x; }", "do {} while (flag[b] != x);",
               "do { ; } while (flag[b] != x);", "do { x = flag[b]; } while (x == 0);", "while ((x = flag[b]) == 0);",
               "while (true) { if (flag[b] == x) break; }", "for (;;) if (flag[b] == x) { break; }",
               "while (1) { if (flag[b] == x) break; }", "if (x) while (flag[b] != x); else x = 0;");
  CAPTURE(loop);
  CHECK_THAT(of_body(loop), ContainsSubstring("::warpfiber::cuda::wait"));
}

TEST_CASE("loops that do anything but wait stay as they are") {
  const auto* const loop =
      GENERATE("while (x != b);", "while (int y = flag[b]);", "for (x = flag[b]; x != b;);",
               "for (x = 0; flag[x] != b; ++x);", "while (flag[++x] != b);", "while (flag[x++]) {}",
               "while (flag[b] != x) { work(x); }", "while (flag[b] != x) { x = b * 2; b = x; }",
               "do { x += flag[b]; } while (x < 100);", "do { x = flag[b]; b = x; } while (x == 0);",
               "while (true) { if (flag[b] == x) return; }", "while (true) { if (flag[b] == x) break; work(x); }",
               "while (true) { if (x == b) break; }", "for (int i = 0; i < 8; ++i) x += flag[i];");
  CAPTURE(loop);
  CHECK_THAT(of_body(loop), !ContainsSubstring("cuda::wait"));
}

TEST_CASE("what a loop asks may be of any type that an if can ask, and be read from volatile memory") {
  REQUIRE_RUNS(R"(
struct Flag {
  int value;
  __host__ __device__ explicit operator bool() const volatile { return value != 0; }
};
__host__ __device__ int rounds(volatile Flag* flag, volatile int* number, volatile int* const* place) {
  int looks = 0;
  while (*flag) ;
  while (*(volatile int*)number) ;
  while ((void)looks, *number) ++looks;
  do { } while (*place == nullptr);
  return looks;
}
int main() {
  Flag flag{0};
  int number = 0;
  volatile int* place = &number;
  EXPECT(rounds(&flag, &number, &place) == 0);
}
)");
}

TEST_CASE("loops of the host stay as they are") {
  CHECK_THAT(translated("void f(volatile int* flag) { while (*flag == 0); }\n__global__ void k() {}"),
             !ContainsSubstring("cuda::wait"));
}

TEST_CASE("a loop keeps what follows it") {
  CHECK_THAT(
      of_body("do { x = flag[b]; } while (x == 0); while (x != b); x = 1;"),
      ContainsSubstring("} while (::warpfiber::cuda::waits(static_cast<bool>(x == 0))); while (x != b); x = 1;"));
  CHECK_THAT(
      of_body("for (;;) if (flag[b] == x) { break; } x = 1;"),
      ContainsSubstring("for (;;) if (::warpfiber::cuda::waited(static_cast<bool>(flag[b] == x))) { break; } x = 1;"));
  CHECK_THAT(of_body("if (x) while (flag[b] != x) ++x; else x = 0;"),
             ContainsSubstring("while (::warpfiber::cuda::waits(static_cast<bool>(flag[b] != x))) ++x; else x = 0;"));
}

}  // namespace
}  // namespace warpfiber::translate::test
