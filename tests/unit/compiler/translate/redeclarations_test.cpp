// SPDX-License-Identifier: Apache-2.0
//
// Functions that a program declares again behind their definition, as programs do with those of CUDA.
#include "support/catch.hpp"
#include "unit/compiler/translate/sample.hpp"

namespace warpfiber::translate::test {
namespace {

/// What becomes of `declaration` behind `definition`; both are one line.
std::string behind(const std::string& definition, const std::string& declaration) {
  const std::string text = translated(definition + "\n" + declaration + "\n__device__ void word();\n");
  const std::size_t line = text.find('\n') + 1;
  std::string left = text.substr(line, text.find('\n', line) - line);
  std::erase(left, ' ');
  return left;
}

TEST_CASE("a function that has been defined is not declared again") {
  const auto* const again = GENERATE(
      "int f(int, const float*);", "extern int f(int a, float const * b);", "__device__ int f(int, const float[]);",
      "extern \"C\" __device__ int f(signed, const float* b);", "int f(const int a, const float* __restrict__ b);");
  CHECK(behind("constexpr int f(int a, const float* b) noexcept { return a; }", again) == ";");
}

TEST_CASE("a type has one meaning, however its words are ordered") {
  CHECK(behind("inline void f(unsigned long long int* a) {}", "void f(long unsigned long*);") == ";");
  CHECK(behind("inline void f(unsigned a) {}", "void f(unsigned int);") == ";");
  CHECK(behind("inline void f(unsigned a) {}", "void f(int);") != ";");
  CHECK(behind("inline void f(signed char a) {}", "void f(char);") != ";");
  CHECK(behind("inline void f(const float* a) {}", "void f(float*);") != ";");
  CHECK(behind("inline void f() {}", "void f(void);") == ";");
}

TEST_CASE("what is another function, or says something new, stays") {
  const auto* const other =
      GENERATE("int f(int);", "int f(int, float);", "int f(int, float*, int);", "int f(int, float* = nullptr);",
               "int g(int, float*);", "namespace n { int f(int, float*); }", "struct S { int f(int, float*); };",
               "template <class T> int f(T, float*);", "int x(int, float*), f(int, float*);");
  std::string whole = other;
  std::erase(whole, ' ');
  CHECK(behind("inline int f(int a, float* b) { return a; }", other) == whole);
  CHECK(behind("namespace m { inline int f(int a) { return a; } }", "int f(int);") == "intf(int);");
  CHECK(behind("template <class T> int f(T a) { return 0; }", "int f(int);") == "intf(int);");
  CHECK(behind("int f(int);", "int f(int);") == "intf(int);");
}

TEST_CASE("functions of ours that know the place of the call count as those of CUDA") {
  CHECK(behind("inline int f(int* a, int b, warpfiber::Site site = warpfiber::Site::here()) { return b; }",
               "__device__ int f(int* address, int value);") == ";");
  CHECK(behind("template <class T> T f(T a, int b, warpfiber::Site site = warpfiber::Site::here()) { return a; }",
               "float f(float, int);") == ";");
  CHECK(behind("inline int f(int a, int b = 0) { return b; }", "int f(int a);") == "intf(inta);");
}

}  // namespace
}  // namespace warpfiber::translate::test
