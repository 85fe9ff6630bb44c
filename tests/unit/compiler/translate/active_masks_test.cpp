// SPDX-License-Identifier: Apache-2.0
//
// Collectives whose mask comes from __activemask(): which are marked, and where lanes may have come apart.
#include "support/catch.hpp"
#include "unit/compiler/translate/sample.hpp"

namespace warpfiber::translate::test {
namespace {

using Catch::Matchers::ContainsSubstring;

constexpr const char* kMarked = "::warpfiber::cuda::of_active_lanes(";
constexpr const char* kApart = ", true)";

std::string checked(const std::string& program) {
  TranslateOptions options;
  options.checked = true;
  return translate(with_tokens("# 1 \"a.cu\"\n" + program), {}, options).text;
}

/// A kernel with this body, and functions before it.
std::string of_kernel(const std::string& body, const std::string& before = "") {
  return checked(before +
                 "\n__global__ void k(const int* in, int* out, int n) {\n  const int lane = threadIdx.x % 32;\n"
                 "  int v = in[lane];\n" +
                 body + "\n}");
}

TEST_CASE("a collective's mask is followed to __activemask()") {
  const auto* const body = GENERATE(
      "v = __shfl_down_sync(__activemask(), v, 1);", "const unsigned m = __activemask();\nv = __reduce_add_sync(m, v);",
      "unsigned m; m = __activemask();\nv = __any_sync(m & 0xff, v);", "unsigned m{__activemask()}; __syncwarp(m);",
      "auto m = static_cast<unsigned>(__activemask()); v = __shfl_xor_sync(m, v, 1);",
      "unsigned m; asm volatile(\"activemask.b32 %0;\" : \"=r\"(m));\nv = __all_sync(m, v);");
  CAPTURE(body);
  CHECK_THAT(of_kernel(body), ContainsSubstring(kMarked));
  CHECK_THAT(of_kernel(body), !ContainsSubstring(kApart));
  CHECK_THAT(of_kernel("if (lane < n) { " + std::string(body) + " }"), ContainsSubstring(kApart));
}

TEST_CASE("a mask that comes by a parameter or a function is followed") {
  const std::string sum = "__device__ int sum(unsigned m, int x) { return __reduce_add_sync(m, x); }";
  CHECK_THAT(of_kernel("v = sum(__activemask(), v);", sum), ContainsSubstring(kMarked));
  CHECK_THAT(of_kernel("if (v) v = sum(__activemask(), v);", sum), ContainsSubstring(kApart));
  const std::string lanes = "__device__ unsigned lanes() { return __activemask(); }";
  CHECK_THAT(of_kernel("v = __all_sync(lanes(), v);", lanes), ContainsSubstring(kMarked));
  CHECK_THAT(of_kernel("if (v) v = __all_sync(lanes(), v);", lanes), ContainsSubstring(kApart));
  const std::string shuffle = "__device__ int f(int x) { return __shfl_xor_sync(__activemask(), x, 1); }";
  CHECK_THAT(of_kernel("v = f(v);", shuffle), !ContainsSubstring(kApart));
  CHECK_THAT(of_kernel("if (v > 0) v = 2;\nv = f(v);", shuffle), ContainsSubstring(kApart));
  const std::string variable = "__device__ int f(int x) { unsigned m = __activemask(); return __all_sync(m, x); }";
  CHECK_THAT(of_kernel("if (v > 0) v = 2;\nv = f(v);", variable), ContainsSubstring(kApart));
}

TEST_CASE("lanes may be apart in and after a branch or loop whose condition varies") {
  const auto* const before =
      GENERATE("if (v > 0) v = 2;", "if (lane) { v = 1; } else { v = 2; }",
               "for (int i = lane; i < n; i += 32) v += i;", "while (v > 0) v /= 2;",
               "for (int i = 0; i < n; ++i) { if (in[i + lane]) break; }", "switch (v) { case 1: v = 2; break; }",
               "bool done = false; if (v) done = true; if (done) v = 0;", "do { --v; } while (v > 0);");
  CAPTURE(before);
  CHECK_THAT(of_kernel(std::string(before) + "\nv = __shfl_down_sync(__activemask(), v, 1);"),
             ContainsSubstring(kApart));
  CHECK_THAT(of_kernel(std::string(before) + "\n__syncthreads();\nv = __shfl_down_sync(__activemask(), v, 1);"),
             !ContainsSubstring(kApart));
}

TEST_CASE("lanes stay together where a condition is the same for all, and where the others have returned") {
  const auto* const before =
      GENERATE("if (n > 3) v = 2;", "for (int i = 0; i < n; ++i) v += i;", "if (lane + 1 > n) return;",
               "if (blockIdx.x == 0) { out[1] = 2; }", "if constexpr (sizeof(int) == 4) v = 1;");
  CAPTURE(before);
  CHECK_THAT(of_kernel(std::string(before) + "\nv = __shfl_down_sync(__activemask(), v, 1);"),
             ContainsSubstring(kMarked) && !ContainsSubstring(kApart));
}

TEST_CASE("lanes that elect one of themselves or count come to the same end in any company") {
  const auto* const body = GENERATE(
      "unsigned m = __activemask(); int leader = __ffs(m) - 1; v = __shfl_sync(m, v, leader);",
      "unsigned m = __match_any_sync(__activemask(), v); if (lane == __ffs(m) - 1) atomicAdd(out, __popc(m));",
      "unsigned m = __activemask(); int r = __popc(m & ((1u << lane) - 1)); v = __reduce_add_sync(m, v) + r;",
      "v = __shfl_sync(__activemask(), v, __ffs(__activemask()) - 1);", "v = __popc(__ballot_sync(__activemask(), v));",
      "unsigned m = __activemask(); v = __shfl_sync(m, v, 31 - __clz(m));");
  CAPTURE(body);
  const std::string text = of_kernel("if (v % 3) { " + std::string(body) + " }");
  CHECK_THAT(text, ContainsSubstring(kMarked) && !ContainsSubstring(kApart));
}

TEST_CASE("other masks, and programs that are not checked, stay as they are") {
  const auto* const body = GENERATE("v = __shfl_sync(0xffffffff, v, 0);",
                                    "unsigned m = __ballot_sync(0xffffffff, v); if (v) v = __any_sync(m, lane);",
                                    "int active = __popc(__activemask()); v = __shfl_sync(0xffffffff, v, active);");
  CAPTURE(body);
  CHECK_THAT(of_kernel(body), !ContainsSubstring(kMarked));
  CHECK_THAT(translated("__global__ void k(int* v) { *v = __shfl_sync(__activemask(), *v, 0); }"),
             !ContainsSubstring(kMarked));
}

}  // namespace
}  // namespace warpfiber::translate::test
