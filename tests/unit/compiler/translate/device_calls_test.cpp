// SPDX-License-Identifier: Apache-2.0
//
// printf, malloc, free, new and delete: the device's, in functions of the device and nowhere else. Copies with hooks.
#include "support/catch.hpp"
#include "unit/compiler/translate/sample.hpp"

namespace warpfiber::translate::test {
namespace {

using Catch::Matchers::ContainsSubstring;

TEST_CASE("printf in functions of the device is the device's, however it is qualified") {
  const auto* const call = GENERATE("printf", "std::printf", "::printf");
  const std::string text = translated(std::string("__device__ void f(int x) {\n  ") + call + "(\"%d\", x);\n}");
  CHECK_THAT(text, ContainsSubstring("\n  ::warpfiber::cuda::device_functions::printf(\"%d\", x);\n}"));
}

TEST_CASE("printf elsewhere stays what it is") {
  const auto* const code =
      GENERATE("void host() { printf(\"x\"); }", "__global__ void k();\nvoid h() { std::printf(\"x\"); }",
               "__device__ void f(Log log) { log.printf(\"x\"); }", "__device__ void f() { own::printf(\"x\"); }",
               "__device__ void* f() { return own::std::malloc(1); }", "__device__ int (*p)() = printf;",
               "struct A { int malloc, free; __device__ A() : malloc(1), free(2) {} };");
  CHECK(translated(code).find("warpfiber::cuda::device") == std::string::npos);
}

TEST_CASE("malloc and free in functions of the device are of its heap, however they are qualified") {
  const auto* const name = GENERATE("malloc", "std::malloc", "::malloc", "free", "std::free", "::std::malloc",
                                    "cuda::std::malloc", "::cuda::std::free");
  const std::string text = translated(std::string("__device__ void f(A x) {\n  return ") + name + "(x);\n}");
  CHECK_THAT(text, ContainsSubstring("return ::warpfiber::cuda::device_functions::"));
}

TEST_CASE("malloc and free with a policy, as Thrust's are called, stay what they are") {
  for (const std::string call : {"malloc(policy, n)", "free(policy, p)"}) {
    CHECK_THAT(translated("__device__ void f(P policy, int n, void* p) {\n  " + call + ";\n}"),
               ContainsSubstring("  " + call));
  }
}

TEST_CASE("new in functions of the device is of its heap, placement new is not") {
  CHECK_THAT(translated("__device__ A* f() { return new A(1); }"),
             ContainsSubstring("return ::new (::warpfiber::cuda::on_heap)  A(1);"));
  CHECK_THAT(translated("__device__ A* f() { return ::new A[3]; }"),
             ContainsSubstring("return ::new (::warpfiber::cuda::on_heap)  A[3];"));
  CHECK_THAT(translated("__device__ A* f(void* p) { return new (p) A(1); }"),
             ContainsSubstring("return new (p) A(1);"));
  CHECK_THAT(translated("struct B { int* p; __device__ B(int n) : p(new int[n]()) {} };"),
             ContainsSubstring(": p(::new (::warpfiber::cuda::on_heap)  int[n]()) {}"));
  CHECK_THAT(translated("A* f() { return new A(1); }\n__global__ void k() {}"), ContainsSubstring("(new A(1));"));
}

TEST_CASE("delete in functions of the device is of its heap, deleted functions stay") {
  CHECK_THAT(translated("__device__ void f(A* p) { delete p; }"), ContainsSubstring("::warpfiber::cuda::HeapDelete{"));
  CHECK_THAT(translated("__device__ void f(A* p) { delete[] p; }"),
             ContainsSubstring("::warpfiber::cuda::HeapDeleteArray{"));
  CHECK_THAT(translated("__device__ void f() { struct B { B() = delete; }; }"), ContainsSubstring("B() = delete;"));
  CHECK_THAT(translated("void f(A* p) { delete p; }\n__global__ void k() {}"), ContainsSubstring("{ delete p; }"));
}

TEST_CASE("copies by the compiler's own names have hooks in checked functions of the device") {
  const auto* const name = GENERATE("memcpy", "memmove", "memset");
  const std::string call = std::string("__builtin_") + name + "(p, q, 12); }";
  const auto text_of = [](const std::string& code, bool checked) {
    return translate_sample(code, {.checked = checked}).text;
  };
  CHECK_THAT(text_of("__device__ void f() { " + call, true), ContainsSubstring(std::string("{ ::") + name + "(p,"));
  CHECK_THAT(text_of("__device__ void f() { ::" + call, true), ContainsSubstring(std::string("{ ::") + name + "(p,"));
  CHECK_THAT(text_of("__device__ void f() { " + call, false), ContainsSubstring("{ " + call));
  CHECK_THAT(text_of("void f() { " + call, true), ContainsSubstring("{ " + call));
}

}  // namespace
}  // namespace warpfiber::translate::test
