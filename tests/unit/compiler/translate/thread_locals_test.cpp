// SPDX-License-Identifier: Apache-2.0
//
// thread_local in device code, with the messages of nvcc 13.0; the host's own is left alone.
#include "support/catch.hpp"
#include "unit/compiler/translate/sample.hpp"

namespace warpfiber::translate::test {
namespace {

const std::string kDeclared = "error: cannot use thread_local specifier for variable declarations in device code\n";

std::string undefined(const std::string& name) {
  return "error: identifier \"" + name + "\" is undefined in device code\n";
}

}  // namespace

TEST_CASE("device code may declare no thread_local variable") {
  const auto* const word = GENERATE("thread_local", "__thread", "static thread_local");
  const std::string column = std::string(word).starts_with("static") ? "10: " : "3: ";
  const std::string body = " {\n  " + std::string(word) + " int n = 0;\n  n++;\n}";
  const std::string told = "sample.cu:2:" + column + kDeclared;
  CHECK(errors_of("__global__ void k()" + body) == told);
  CHECK(errors_of("__device__ void f()" + body) == told);
  CHECK(errors_of("__host__ __device__ void f()" + body) == told);
  CHECK(errors_of("template <class T> __device__ void f(T)" + body) == told);
  CHECK(errors_of("struct S { __device__ void f()" + body + " };") == told);
  CHECK(errors_of("auto f = [] __device__ ()" + body + ";") == told);
  CHECK(errors_of("__global__ void k() { auto f = []() " + body + "; }") == told);
}

TEST_CASE("a variable of the device is not thread_local") {
  const std::string told = "error: cannot use thread_local specifier for a ";
  CHECK(errors_of("__device__ thread_local int n;") == "sample.cu:1:12: " + told + "__device__ variable\n");
  CHECK(errors_of("thread_local __device__ int n;") == "sample.cu:1:1: " + told + "__device__ variable\n");
  CHECK(errors_of("static __constant__ thread_local int n;") == "sample.cu:1:21: " + told + "__constant__ variable\n");
  CHECK(errors_of("__managed__ thread_local int n;") == "sample.cu:1:13: " + told + "__managed__ variable\n");
}

TEST_CASE("device code does not see the host's thread_local variables") {
  CHECK(errors_of("thread_local int n = 3;\n__global__ void k(int* o) { o[0] = n; }") ==
        "sample.cu:2:36: " + undefined("n"));
  CHECK(errors_of("namespace a { static thread_local int n, *p; }\nusing namespace a;\n"
                  "__device__ int f() { n = 1; return *p; }") == "sample.cu:3:22: " + undefined("n"));
  CHECK(errors_of("extern \"C\" { extern __thread int n; }\n__device__ int f() { return n; }") ==
        "sample.cu:2:29: " + undefined("n"));
}

TEST_CASE("thread_local of the host stays, and so do other variables of its name") {
  const auto* const code = GENERATE(
      "thread_local int n;\nvoid h() { thread_local int m = 0; m = n; }\n__global__ void k() {}",
      "thread_local int n;\n__global__ void k(int n) { n++; }",
      "thread_local int n;\n__global__ void k() { int n = 0; n++; }",
      "# 1 \"built_in.h\" 3\nextern thread_local int x;\n# 2 \"sample.cu\"\n__device__ int f() { return x; }",
      "namespace warpfiber::detail {\nextern thread_local int x;\n}\nextern thread_local const int threadIdx;\n"
      "__device__ int f() { return x + threadIdx; }",
      "struct S { static thread_local int m; };\nthread_local int S::m = 3;\n__device__ S f() { return S(); }",
      "thread_local int n;\nstruct S { int n; };\n__device__ int f(S s, S* p) { return s.n + p->n; }",
      "thread_local int n;\n__device__ void f(float* n) { n[0] = 1; }",
      "thread_local int n;\n__device__ int f() { int m = 0, n = 1; return n + m; }",
      "thread_local int n;\n__host__ __device__ int f() {\n#ifdef __CUDA_ARCH__\n  return 1;\n#else\n  return "
      "n;\n#endif\n}",
      "__host__ __device__ int f() {\n#ifdef __CUDA_ARCH__\n  return 1;\n#else\n  thread_local int m = 0;\n"
      "  return ++m;\n#endif\n}",
      "void h() { thread_local int n = 0; n++; }\n__device__ int f() { extern int g(int); int n = 1; return n; }");
  CHECK(errors_of(code) == "");
}

}  // namespace warpfiber::translate::test
