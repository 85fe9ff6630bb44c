// SPDX-License-Identifier: Apache-2.0
//
// Loops of the device that wait for a volatile word: each pass is a poll. Those that also work only look.
#include "support/catch.hpp"
#include "unit/compiler/translate/sample.hpp"

namespace warpfiber::translate::test {
namespace {

using Catch::Matchers::ContainsSubstring;

/// The body of a function of the device with a parameter `flag`, translated.
std::string of_body(const std::string& body) {
  const std::string head = "__device__ volatile int seen[8];\n__device__ void f(volatile int* flag, int x, int b) {\n";
  return translated(head + body + "\n}");
}

/// The same behind functions and classes that a loop may call.
std::string of_functions(const std::string& body) {
  const std::string head = R"(
using bar_t = cuda::barrier<cuda::thread_scope_block>;
__device__ int seen;
__device__ bool is_set(volatile int* flag) { return *flag != 0; }
__device__ bool poll(volatile int* flag, int& tries) { ++tries; return *flag != 0; }
__device__ bool tried(volatile int* flag, int& tries) { return *flag != 0 || ++tries > 99; }
__device__ bool more(int& tries) { return ++tries < 99; }
__device__ bool late(volatile int* flag) { return *flag != 0 || clock() > 99; }
__device__ void nap(unsigned n) { for (unsigned i = 0; i < n; ++i) __nanosleep(10); }
__device__ bool voted(int one) { return __any_sync(~0U, one); }
__device__ void store(int x) { seen = x; }
__device__ void twice(int x) { if (x > 0) twice(x - 1); }
struct Backoff {
  unsigned ns = 8;
  __device__ void wait() { __nanosleep(ns); if (ns < 256) ns *= 2; }
};
struct Tries {
  int n = 0;
  __device__ bool more() { return ++n < 99; }
};
)";
  return translated(head + "__device__ void f(volatile int* flag, int x, int b) {\n" + body + "\n}");
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

TEST_CASE("in a checked program the reads of a loop that waits are marked as such") {
  const auto* const loop =
      GENERATE("while (flag[b] != x);", "while (flag[b] != x) __nanosleep(20);", "do { x = flag[b]; } while (x == 0);",
               "while (*flag != x) { __threadfence(); }", "while (true) { if (flag[b] == x) break; }");
  CAPTURE(loop);
  TranslateOptions checked;
  checked.checked = true;
  const std::string text =
      with_tokens(std::string("__device__ void f(volatile int* flag, int x, int b) {\n") + loop + "\n}");
  CHECK_THAT(translate(text, {}, checked).text, ContainsSubstring("comes_to_wait()"));
  CHECK_THAT(translate(text, {}).text, !ContainsSubstring("comes_to_wait()") && !ContainsSubstring("still_waits"));
}

TEST_CASE("each pass of a loop that looks at volatile memory and works is a look") {
  const auto* const loop =
      GENERATE("while (flag[++x] != b);", "while (flag[x++]) {}", "while (flag[b] != x) { work(x); }",
               "while (flag[b] != x) { x = b * 2; b = x; }", "do { x += flag[b]; } while (x < 100);",
               "do { x = flag[b]; b = x; } while (x == 0);", "while (true) { if (flag[b] == x) break; work(x); }",
               "while (!x) { for (b = 0; b < 9; ++b) x += flag[b]; }", "for (int i = 0; flag[b] < 3; ++i) { work(i); }",
               "for (int y = 0; y < 3; y = flag[b]) { work(y); }",
               "for (bool done = false; !done; ++x) { done = flag[b]; if (x > 9) done = true; }",
               "while (!x) x = work(flag[b]);", "while (!x) { x = ready(b); b = x; }",
               "for (;;) { if (both(b)) return; ++seen; }");
  CAPTURE(loop);
  const std::string head =
      "__device__ int ready(int b) { return *(volatile int*)&b; }\n__device__ int both(int b) { return ready(b); }\n";
  const std::string body = translated(head + "__device__ void f(volatile int* flag, int x, int b) {\n" + loop + "\n}");
  CHECK_THAT(body, ContainsSubstring("::warpfiber::cuda::looked()"));
  CHECK_THAT(body, !ContainsSubstring("cuda::wait"));
}

TEST_CASE("a loop that pauses and counts says of each pass that it has changed nothing") {
  const auto* const loop = GENERATE(
      "while (flag[b] == 0) { __threadfence(); }", "while (flag[b] == 0) __nanosleep(100);",
      "while (flag[b] == 0) { __nanosleep(x); x *= 2; }",
      "while (flag[b] == 0) { __nanosleep(x); if (x < 99) x *= 2; }", "for (int i = 0; flag[b] < 3; ++i);",
      "for (int i = 0; flag[b] < 3; ++i) { __threadfence_block(); }", "while (true) { if (flag[b] == 1) break; ++x; }",
      "do { __nanosleep(20); } while (flag[b] == 0);", "for (bool done = false; !done; ++x) { done = flag[b]; }",
      "while (atomicAdd(&b, 0) == 0) { ++x; }", "int v = 0, n = 0; while (v == 0) { ++n; v = atomicCAS(&b, 1, 1); }",
      "while (atomicExch(&b, 1) != 0) { __nanosleep(x); x = min(x * 2, 256); }",
      "while (flag[b] == 0) { long long t = clock64(); while (clock64() - t < 100) {} }",
      "while (cuda::atomic_ref<int, cuda::thread_scope_device>(b).load() == 0) { x++; }",
      "while (flag[b] == 0) { asm volatile(\"nanosleep.u32 100;\"); }",
      "while (!__all_sync(~0U, flag[b])) __nanosleep(100);", "for (int i = 0; !__any_sync(~0U, flag[b]); ++i);",
      "while (__syncthreads_or(flag[b]) == 0) { ++x; }",
      "auto tile = cg::tiled_partition<8>(cg::this_thread_block()); while (!tile.all(flag[b])) ++x;",
      "for (int v = 0, n = 0; v == 0; ++n) { v = __shfl_sync(~0U, flag[b], 0); }");
  CAPTURE(loop);
  const std::string body = of_body(loop);
  CHECK_THAT(body, ContainsSubstring("::warpfiber::cuda::idle"));
  CHECK_THAT(body, !ContainsSubstring("cuda::wait") && !ContainsSubstring("cuda::looked"));
}

TEST_CASE("a loop is idle that counts in functions, objects, lambdas and loops within it") {
  const auto* const loop = GENERATE(
      "while (!is_set(flag)) ++x;", "while (!is_set(flag)) {}", "while (!poll(flag, x)) {}",
      "while (flag[b] == 0) nap(x++ % 16);", "while (flag[b] == 0) { for (int i = 0; i < 9; ++i) nap(i); ++x; }",
      "while (!voted(flag[b])) ++x;", "Backoff pause; while (flag[b] == 0) pause.wait();",
      "Backoff pause; while (flag[b] == 0) { pause.wait(); if (++x > 9) pause.wait(); }",
      "auto ready = [&] { return flag[b] != 0; }; while (!ready()) ++x;",
      "int n[4]; for (int i = 0; flag[b] == 0; i = (i + 1) & 3) ++n[i];",
      "volatile int n = 0; while (flag[b] == 0) n = n + 1;",
      "while (flag[b] == 0) { int v = 0; if (x > 3) v = 1; x += v; }",
      "__shared__ bar_t s; while (flag[b] == 0) s.arrive_and_wait();",
      "__shared__ cuda::barrier<1> s; while (flag[b] == 0) { auto t = s.arrive(); s.wait(std::move(t)); ++x; }");
  CAPTURE(loop);
  CHECK_THAT(of_functions(loop), ContainsSubstring("::warpfiber::cuda::idles("));
}

TEST_CASE("a loop that is left at several places says so of each, and of each pass") {
  const auto* const loop =
      GENERATE("while (true) { if (flag[b] == x) return; }", "for (;;) { if (is_set(flag)) return; }",
               "while (true) { if (flag[b] == 1) break; ++x; if (flag[1] == 2) { x = 1; break; } }",
               "for (;; ++x) { for (int i = 0; i < 9; ++i) { if (flag[i] != 0) { flag[i] = x; return; } nap(i); } }",
               "while (true) { if (is_set(flag)) return; ++x; if (x % 9 == 0) continue; nap(x); }",
               "for (;;) { int v = 0; for (int i = 0; i < 9; ++i) { if (flag[i] != 0) { v = 1; break; } } if (v) "
               "return; ++x; }");
  CAPTURE(loop);
  const std::string body = of_functions(loop);
  CHECK_THAT(body,
             ContainsSubstring("::warpfiber::cuda::passes()") && ContainsSubstring("::warpfiber::cuda::leaves()"));
  CHECK_THAT(body, !ContainsSubstring("cuda::looked"));
}

TEST_CASE("a loop is not idle that a count in a function, an object or a loop within it may end") {
  const auto* const loop = GENERATE(
      "while (!tried(flag, x)) {}", "while (flag[b] == 0 && more(x)) {}",
      "Tries t; while (flag[b] == 0 && t.more()) {}", "Tries t; while (flag[b] == 0) { if (!t.more()) return; }",
      "while (flag[b] == 0) store(x);", "for (int n = 1;; ++n) { for (int i = 0; i < n; ++i) if (flag[i]) return; }",
      "bool got = false; while (!got) { for (int i = 0; i < x; ++i) { if (flag[i]) got = true; } ++x; }",
      "auto ready = [&] { return flag[b] != 0 || ++x > 99; }; while (!ready()) ++x;",
      "while (flag[b] == 0) { for (;;) { if (++x > 99) return; } }", "while (flag[b] == 0) twice(x);",
      "while (true) { if (x > 9) continue; if (flag[b]) return; ++x; }", "while (!late(flag)) nap(1);",
      "while (!voted(x++)) {}", "int state = 0; while (state != 2) { if (flag[b]) ++state; }");
  CAPTURE(loop);
  CHECK_THAT(of_functions(loop), !ContainsSubstring("cuda::idle") && !ContainsSubstring("cuda::passes"));
}

TEST_CASE("a loop that a count, a clock or another function may end is not idle") {
  const auto* const loop = GENERATE(
      "while (flag[b] == 0) { if (++x > 100) break; }",
      "for (int i = 0; flag[b] == 0 && i < 100; ++i) __threadfence();",
      "while (flag[b] == 0 && clock64() < 100) { __threadfence(); }",
      "while (flag[b] == 0) { seen[x] = 1; __threadfence(); }", "while (flag[b] == 0) { work(); }",
      "while (flag[b] == 0) { *flag = 1; x = 0; }", "while (true) { x = b; b = flag[x]; if (b > 5) return; }",
      "int* p = &b; while (flag[b] == 0) { p += 1; }", "int& r = b; while (flag[x] == 0) { r = 1; }",
      "__shared__ int s; while (flag[b] == 0) { s = x; }",
      "while (flag[b] == 0) { long t = clock(); if (t > 9) return; }", "while (atomicAdd(&x, 0) < b) { b -= 1; }",
      "for (int i = 0; !__any_sync(~0U, flag[b] != 0 || i > 100); ++i);",
      "while (flag[b] == 0) { __any_sync(~0U, ++x > 100); }",
      "while (flag[b] == 0) { x = __shfl_sync(~0U, x + 1, 0); }", "while (!others.all(flag[b])) ++x;",
      "while (!__any_sync(~0U, flag[b])) { work(); }");
  CAPTURE(loop);
  CHECK_THAT(of_body(loop), !ContainsSubstring("cuda::idle"));
}

TEST_CASE("a search through an array by atomics stays as it is") {
  const auto* const loop = GENERATE("while (atomicCAS(flags + x, 0, 1) != 0) ++x;",
                                    "do { old = seen; seen = atomicCAS(flags, old, old + x); } while (old != seen);");
  CAPTURE(loop);
  const std::string head = "__device__ void f(int* flags, int x, int old, int seen) {\n";
  CHECK_THAT(translated(head + loop + "\n}"), !ContainsSubstring("warpfiber::cuda::idle"));
}

TEST_CASE("loops that do not look, or end by themselves, stay as they are") {
  const auto* const loop =
      GENERATE("while (x != b);", "for (int i = 0; i < 8; ++i) x += flag[i];",
               "for (int i = 8; i > 0; i >>= 1) { x += flag[i]; }", "while (true) { if (x == b) break; }");
  CAPTURE(loop);
  CHECK_THAT(of_body(loop), !ContainsSubstring("cuda::looked") && !ContainsSubstring("cuda::wait"));
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
  CHECK_THAT(of_body("for (;;) if (flag[b] == x) { break; } x = 1;"),
             ContainsSubstring("for (;;) if (::warpfiber::cuda::waited(static_cast<bool>("
                               "::warpfiber::cuda::polled(flag[b]) == x))) { break; } x = 1;"));
  CHECK_THAT(of_body("if (x) while (flag[b] != x) ++x; else x = 0;"),
             ContainsSubstring("while (::warpfiber::cuda::waits(static_cast<bool>("
                               "::warpfiber::cuda::polled(flag[b]) != x))) ++x; else x = 0;"));
}

TEST_CASE("a loop that waits says which words it reads, but for those that it stores and for bit-fields") {
  const auto* const kTwo = "while (true) { if (flag[b] == x) break; if (flag[x] == b) return; }";
  CHECK_THAT(of_body(kTwo), ContainsSubstring("(::warpfiber::cuda::polled(flag[b]) == x") &&
                                ContainsSubstring("(::warpfiber::cuda::polled(flag[x]) == b"));
  CHECK_THAT(of_body("while (flag[b] != x) flag[0] = x;"), !ContainsSubstring("cuda::polled"));
  CHECK_THAT(of_body("while (x != b) x = *flag++;"), !ContainsSubstring("cuda::polled"));  // the pointer counts
  const std::string head = "struct Bits { unsigned ready : 1; int all; };\n";
  const std::string loop = "__device__ void f(volatile Bits* p) { while (p->ready == 0); while (p->all == 0); }";
  CHECK_THAT(translated(head + loop),
             ContainsSubstring("(p->ready == 0") && ContainsSubstring("(::warpfiber::cuda::polled(p->all) == 0"));
}

}  // namespace
}  // namespace warpfiber::translate::test
