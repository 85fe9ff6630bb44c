// SPDX-License-Identifier: Apache-2.0
#include "translate/translate.hpp"

#include <string>

#include "support/catch.hpp"
#include "unit/translate/sample.hpp"

namespace warpfiber::translate::test {
namespace {

TEST_CASE("text without words of CUDA comes out byte for byte") {
  for (const std::string text :
       {"", "\n", "int main() { return 1 << 3; }", "# 1 \"a.cu\"\ntemplate <class T> void f(T<<5>>) ;\n\r\t\x80",
        "struct S { friend S& operator<< <>(S&, int); }; asm(\"nop\");", "}}}}))))\"'"}) {
    CHECK(translate(text, "").text == text);
    CHECK(translate(text, "").diagnostics.empty());
  }
}

TEST_CASE("a qualifier leaves blanks of its length in the source") {
  CHECK(translated("__device__ int f();") == "           int f();");
  CHECK(translated("struct S { __host__ __device__ S(int) {} __device__ ~S(); };") ==
        "struct S {                     S(int) {}            ~S(); };");
}

TEST_CASE("__noinline__ is ours outside of attributes only") {
  CHECK(translated("__noinline__ int f();") == "__attribute__((noinline)) int f();");
  const std::string theirs =
      "__attribute__((__noinline__)) int f(); __attribute__((cold, __noinline__)) int g(); [[gnu::__noinline__]] int "
      "h();";
  CHECK(translated(theirs) == theirs);
}

TEST_CASE("a brace that is never closed is the only error, at its place") {
  CHECK(errors_of("__global__ void k(int* p) {\n  if (p) {\n    *p = 1;\n}\nint main() { k<<<1>>>(0); }") ==
        "sample.cu:1:37: error: expected a \"}\" to match this \"{\"\n");
  CHECK(errors_of("namespace a {\n__device__ int f() { return 1; }") ==
        "sample.cu:1:13: error: expected a \"}\" to match this \"{\"\n");
}

TEST_CASE("inline is said once") {
  CHECK(translated("__device__ inline __attribute__((always_inline)) inline int f();") ==
        "           inline __attribute__((always_inline))        int f();");
}

}  // namespace
}  // namespace warpfiber::translate::test
