// SPDX-License-Identifier: Apache-2.0
//
// Which programs may read memory as another type than it was written as.
#include "tools/nvcc/retyping.hpp"

#include "support/catch.hpp"

using warpfiber::tools::nvcc::may_retype_memory;

TEST_CASE("programs that make pointers of other types may retype memory") {
  const auto* const text = GENERATE(
      "void f(float* p) { int i = *(int*)p; }", "void f(float* p) { g((const int *)p); }",
      "int g(double d) { return *(long long *)&d; }", "void f(float* p) { float4 v = ((float4 const*)p)[1]; }",
      "int g(float f) { return (int&)f; }", "int g(float f) { return reinterpret_cast<int&>(f); }",
      "void f(void* p) { float* q = static_cast<float*>(p); }",
      "typedef int* Words; void f(float* p) { Words(p)[0] = 1; }", "using Words = int*;",
      "void f(float* p) { auto q = (int (*)[4])p; }", "template <class T> T* f(char* p) { return (T*)(p + 4); }",
      "void f() { asm(\"membar.gl;\"); }", "extern float s[]; int* t = (int*)&s[4];",
      "int* g(float* p) { return (std::vector<int>::value_type*)p; }");
  CAPTURE(text);
  CHECK(may_retype_memory(text, {}));
}

TEST_CASE("programs without such casts do not") {
  const auto* const text = GENERATE(
      "void f(float* y, const float* x, int n) { if (n) y[0] = (float)n * x[0]; }",
      "float* g(int n) { return (float*)malloc(n * sizeof(float)); }",
      "float* g(int n) { return static_cast<float*>(std::malloc(n)); }",
      "float* g(int n) { return (float *)::std::calloc(n, 4); }", "void f(float** d) { cudaMalloc((void**)d, 4); }",
      "void f(float** d) { cudaMalloc(reinterpret_cast<void**>(d), 4); }", "void f(float*); int h(int, char*) ;",
      "int a = (b * c) + d; int e = (b * c);", "unsigned char* g(float* p) { return (unsigned char*)p; }",
      "int g() { return sizeof(float*); }", "using std::vector; typedef unsigned int uint;",
      "void f(float* p) { k(p)(p); g(*p, &p); }", "auto f = [](float* p) { return *p; };");
  CAPTURE(text);
  CHECK_FALSE(may_retype_memory(text, {}));
}

TEST_CASE("what headers do with memory is their own affair") {
  const char* const cast = "int i = *(int*)p;\n";
  const auto after = [cast](const std::string& marker) { return marker + cast + "# 7 \"a.cu\" 2\nint j;\n"; };
  CHECK_FALSE(may_retype_memory(after("# 1 \"/ours/include/h.hpp\" 1\n"), {"/ours/include"}));
  CHECK_FALSE(may_retype_memory(after("# 1 \"/usr/include/h.h\" 1 3\n"), {}));
  const std::string device = "# 1 \"/usr/include/h.h\" 1 3\n__warpfiber_device__ void f();\n";
  CHECK(may_retype_memory(after(device), {}));
  CHECK_FALSE(may_retype_memory(after(device), {"/usr/include"}));
  CHECK(may_retype_memory(after("# 1 \"h.hpp\" 1\n"), {"/ours/include"}));
  CHECK(may_retype_memory(after("# 1 \"/ours/include/h.hpp\" 1\n") + cast, {"/ours/include"}));
}
