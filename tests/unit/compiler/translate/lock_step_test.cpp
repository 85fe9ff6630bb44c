// SPDX-License-Identifier: Apache-2.0
//
// Which stores of functions of the device become steps of a warp in lock-step, and which texts stay as they are.
#include "support/catch.hpp"
#include "unit/compiler/translate/sample.hpp"

namespace warpfiber::translate::test {
namespace {

using Catch::Matchers::ContainsSubstring;

/// The translation, with short names for the two calls.
std::string steps(const std::string& code) {
  std::string text = translated(code);
  for (const std::string prefix : {" ::warpfiber::cuda::in_step_with(", "::warpfiber::cuda::in_step("}) {
    const std::string shorter = prefix.front() == ' ' ? " WITH(" : "STEP(";
    for (std::size_t at = text.find(prefix); at != std::string::npos; at = text.find(prefix, at)) {
      text.replace(at, prefix.size(), shorter);
    }
  }
  return text;
}

std::string in_function(const std::string& parameters, const std::string& body) {
  return "__device__ void f(" + parameters + ") { " + body + " }";
}

TEST_CASE("a store of what other lanes have is a step before it and one behind it") {
  CHECK_THAT(steps(in_function("volatile int* s, int i", "s[i] += s[i + 1]; s[i] += s[i + 2];")),
             ContainsSubstring("{ STEP(s), s[i] += WITH(s, s[i + 1]), STEP(s); s[i] += WITH(s, s[i + 2]), STEP(s); }"));
  CHECK_THAT(steps(in_function("volatile int* s, int i", "__syncwarp(); int m = 0; s[i] = m = m + s[i + 1];")),
             ContainsSubstring("s[i] = m = WITH(s, m + s[i + 1]), STEP(s);"));
  CHECK_THAT(steps(in_function("volatile int* s, int i", "__syncwarp(); s[i] = min(s[i], s[i + 1]);")),
             ContainsSubstring("s[i] = WITH(s, min(s[i], s[i + 1])), STEP(s);"));
}

TEST_CASE("what was read before keeps its lead over the store") {
  CHECK_THAT(steps(in_function("volatile int* s, int i", "int t = s[i - 1]; s[i] = t;")),
             ContainsSubstring("int t = s[i - 1]; STEP(s), s[i] = t, STEP(s);"));
}

TEST_CASE("attributes of a statement stay before its first step") {
  CHECK_THAT(steps(in_function("volatile int* s, int i", "if (i) [[likely]] s[i] = s[i + 1];")),
             ContainsSubstring("[[likely]] STEP(s), s[i] = WITH(s, s[i + 1]);"));
}

TEST_CASE("bodies of lambdas are statements of the function") {
  CHECK_THAT(steps(in_function("volatile int* s, int i", "auto f = [&](int n) { s[i] += s[i + n]; }; f(1);")),
             ContainsSubstring("{ STEP(s), s[i] += WITH(s, s[i + n]), STEP(s); }; f(1);"));
}

TEST_CASE("every way to name volatile shared memory counts") {
  const auto* const code =
      GENERATE("__device__ void f(volatile T s[], int i) { s[i] += s[i + 1]; }",
               "__device__ void f(T volatile* const s, int i) { s[i] += s[i + 1]; }",
               "__device__ void f(volatile T (*s)[4], int i) { s[i][0] += s[i + 1][0]; }",
               "__device__ void f(T* p, int i) { volatile T *s = p, *q; s[i] += s[i + 1]; }",
               "__device__ void f(T* p, int i) { volatile T *q = p, *s = q; s[i] += s[i + 1]; }",
               "__device__ void f(T* p, int i) { volatile T* s = p + i; *s += *(s + 1); }",
               "__device__ void f(T* p, int i) { auto s = (volatile T*)p; s[i] += s[i + 1]; }",
               "__device__ void f(T* p, int i) { auto* s = static_cast<volatile T*>(p); s[i] += s[i + 1]; }",
               "__device__ void f(int i) { __shared__ volatile T s[64]; s[i] += s[i + 1]; }",
               "__device__ void f(int i) { extern volatile __shared__ T s[]; s[i].x += s[i + 1].x; }",
               "extern volatile __shared__ T s[];\n__device__ void f(int i) { s[i] += s[i + 1]; }",
               "template <class T> struct A { volatile T* s; __device__ void f(int i) { s[i] += s[i + 1]; } };");
  CHECK_THAT(steps(code), ContainsSubstring("STEP(s)"));
  CHECK_THAT(steps(code), ContainsSubstring("WITH(s,"));
}

TEST_CASE("casts and members are named as the program names them") {
  CHECK_THAT(steps(in_function("int* s, int i", "((volatile int*)s)[i] += ((volatile int*)s)[i + 1];")),
             ContainsSubstring("WITH(((volatile int*)s), ((volatile int*)s)[i + 1]), STEP(((volatile int*)s));"));
  CHECK_THAT(
      steps("struct A { __device__ A(); volatile int* s; };\n__device__ void f(A a, int i) { a.s[i] += a.s[i + 1]; }"),
      ContainsSubstring("WITH(a.s, a.s[i + 1]), STEP(a.s);"));
  CHECK_THAT(steps("__device__ void f(int i) { __shared__ volatile P p; p.a[i] += p.a[i + 1]; }"),
             ContainsSubstring("WITH(&p, p.a[i + 1]), STEP(&p);"));
}

TEST_CASE("lanes that part are in step again behind the statement") {
  CHECK_THAT(steps(in_function("volatile int* s, int i", "__syncwarp(); if (i > 0) s[i] += s[i - 1]; use();")),
             ContainsSubstring("{ if (i > 0) s[i] += WITH(s, s[i - 1]); STEP(s); } use();"));
  CHECK_THAT(steps(in_function("volatile int* s, int i",
                               "__syncwarp(); if (s[i] < s[i + 1]) { s[i] = s[i + 1]; } else"
                               " if (i) s[i] = 0; use();")),
             ContainsSubstring("s[i] = 0; STEP(s); } use();"));
  CHECK_THAT(
      steps(in_function("volatile int* s, int i",
                        "__syncwarp();\n#pragma unroll\nfor (int n = 1; n < i; ++n) "
                        "s[i] += s[i + n]; use();")),
      ContainsSubstring("__syncwarp(); {\n#pragma unroll\nfor (int n = 1; n < i; ++n) s[i] += WITH(s, s[i + n]), "
                        "STEP(s); STEP(s); } use();"));
}

TEST_CASE("lanes do not part where all go the same way") {
  CHECK_THAT(
      steps("template <int N> __device__ void f(volatile int* s, int i) { __syncwarp(); if (N >= 2) s[i] += s[i + "
            "1]; use(); }"),
      ContainsSubstring("if (N >= 2) s[i] += WITH(s, s[i + 1]), STEP(s); use();"));
  CHECK_THAT(steps(in_function("volatile int* s, int i", "__syncwarp(); do { s[i] += s[i + 1]; } while (0); use();")),
             ContainsSubstring("do { s[i] += WITH(s, s[i + 1]), STEP(s); } while (0); use();"));
}

TEST_CASE("a barrier takes the place of a step") {
  CHECK_THAT(steps(in_function("volatile int* s, int i", "__syncthreads(); s[i] += s[i + 1]; __syncthreads();")),
             ContainsSubstring("; s[i] += WITH(s, s[i + 1]); __syncthreads();"));
  CHECK_THAT(steps(in_function("volatile int* s, int i", "int v = s[i + 1]; __syncwarp(); s[i] = v; g.sync();")),
             ContainsSubstring("{ int v = s[i + 1]; __syncwarp(); s[i] = v; g.sync(); }"));
  CHECK_THAT(steps(in_function("volatile int* s, int i",
                               "__syncthreads(); while (i) { if (i & 1) { s[i] += s[i + 1]; } __syncthreads(); }")),
             ContainsSubstring("if (i & 1) { s[i] += WITH(s, s[i + 1]); } __syncthreads(); }"));
}

TEST_CASE("the end of a kernel takes the place of a step, the end of a loop does not") {
  CHECK_THAT(steps("__global__ void k(int i) { __shared__ volatile int s[9]; __syncthreads(); s[i] = s[i + 1]; }"),
             ContainsSubstring("s[i] = WITH(s, s[i + 1]); \n"));
  CHECK_THAT(
      steps("__global__ void k(int i) { __shared__ volatile int s[9]; __syncthreads(); for (;;) s[i] = s[i + 1]; }"),
      ContainsSubstring("s[i] = WITH(s, s[i + 1]), STEP(s); } \n"));
}

TEST_CASE("text in which lanes exchange nothing stays as it is") {
  const auto* const code = GENERATE(
      // Flags that somebody waits for, and what is written at one place only.
      "__device__ void f(volatile int* s, int i) { while (s[i - 1] == 0) { } s[i] = 1; }",
      "__device__ void f(volatile int* s, int i) { do { } while (s[i - 1] == 0); s[i] = s[i + 1]; }",
      "__device__ void f(volatile int* s, int i) { for (; s[0] < i;) s[1] = s[2]; }",
      "__device__ void f(volatile int* s, int i) { s[i] = s[i] + 1; }",
      "__device__ void f(volatile int* s, int i) { ++s[i]; s[i]++; }",
      // One is read, another one is written.
      "__device__ void f(volatile int* a, volatile int* b, int i) { a[i] = b[i]; }",
      "__device__ void f(const volatile int* s, int* t, int i) { t[i] = s[i] + s[i + 1]; }",
      "__device__ void f(volatile int* s, int i) { atomicAdd((int*)&s[i], 1); s[i + 1] = 2; }",
      // What belongs to the thread, and pointers that are volatile themselves.
      "__device__ void f(int i) { volatile int s[8]; s[i] = s[i + 1]; volatile int t; t = s[0]; }",
      "__device__ void f(int* volatile s, int i) { s[i] += s[i + 1]; }",
      // Not of the device, not volatile.
      "void f(volatile int* s, int i) { s[i] += s[i + 1]; }\n__global__ void k();",
      "__device__ void f(int* s, int i) { s[i] += s[i + 1]; }\n__device__ void g(volatile int* s);",
      "__device__ void f(volatile int* s) { use(s); }\n__device__ void g(int* s, int i) { s[i] += s[i + 1]; }");
  CHECK(steps(code).find("STEP") == std::string::npos);
  CHECK(steps(code).find("WITH") == std::string::npos);
}

}  // namespace
}  // namespace warpfiber::translate::test
