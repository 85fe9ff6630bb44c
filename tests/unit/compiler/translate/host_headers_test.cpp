// SPDX-License-Identifier: Apache-2.0
//
// Which functions of a checked program say that only the host can call them.
#include <string>

#include "support/catch.hpp"
#include "translate/translate.hpp"
#include "unit/compiler/translate/sample.hpp"

namespace warpfiber::translate::test {
namespace {

/// A program after the preprocessor: `ours` in cuda_runtime.h, `library` in a header of the C++ library, `header` in
/// one of the program's, a kernel in its main file.
std::string program(const std::string& header, const std::string& library = "", const std::string& ours = "",
                    const std::string& main = "") {
  return "# 0 \"a.cu\"\n# 0 \"<built-in>\"\n# 0 \"<command-line>\"\n# 1 \"/usr/include/stdc-predef.h\" 1 3 4\n"
         "# 0 \"<command-line>\" 2\n# 1 \"/ours/cuda/cuda_runtime.h\" 1\n# 1 \"/usr/include/c++/12/cmath\" 1 3\n"
         "# 2 \"/ours/cuda/cuda_runtime.h\" 2\n" +
         ours +
         "\n# 0 \"<command-line>\" 2\n# 1 \"/ours/warpfiber/detail/unit_version.hpp\" 1\n"
         "# 0 \"<command-line>\" 2\n# 1 \"a.cu\"\n# 1 \"/usr/include/c++/12/bits/stl_map.h\" 1 3\n" +
         library + "\n# 2 \"a.cu\" 2\n# 1 \"mine.h\" 1\n" + header + "\n# 3 \"a.cu\" 2\n" + main +
         "\n__global__ void k() {}\n";
}

std::string marked(const std::string& text, bool relaxed_constexpr = false) {
  const Translation made =
      translate(with_tokens(text), "", {.of_host = "MARK", .relaxed_constexpr = relaxed_constexpr});
  REQUIRE(made.diagnostics.empty());
  return made.text;
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST_CASE("functions of headers without CUDA's words are marked where attributes may stand") {
  CHECK(contains(marked(program("inline int f(int x) { return x; }")), "MARK \n# 1 \"mine.h\"\ninline int f("));
  CHECK(contains(marked(program("", "int f(int x) { return x; }")), "\nMARK int f("));
  CHECK(
      contains(marked(program("", "template <class T> inline T f(T x) { return x; }")), "<class T> MARK inline T f("));
  CHECK(contains(marked(program("", "[[nodiscard]] int f() { return 1; }")), "[[nodiscard]] MARK int f("));
  CHECK(contains(marked(program("", "__extension__ int f() { return 1; }")), "__extension__ MARK int f("));
  CHECK(contains(marked(program("", "extern \"C\" int f() { return 1; }")), "extern \"C\" MARK int f("));
  CHECK(contains(marked(program("", "namespace n { struct S { S() : x(1) {} int x; }; }")), "{ MARK S() : x(1) {}"));
  CHECK(
      contains(marked(program("", "struct S { explicit operator int() { return 1; } };")), "{ MARK explicit operator"));
  CHECK(contains(marked(program("", "struct S { friend int f(S) { return 1; } };")), "{ MARK friend int f("));
  CHECK(contains(marked(program("", "struct S { S(const S&) = default; };")), "{ MARK S(const S&) = default"));
  CHECK(contains(marked(program("", "template <class T> struct S { T f(); };\ntemplate <class T> T S<T>::f() {}")),
                 "<class T> MARK T S<T>::f("));
}

TEST_CASE("what kernels may call is not marked") {
  const std::string of_program = "inline int f(int x) { return x; }";
  CHECK_FALSE(contains(marked(program(of_program + "\n__device__ int g() { return 1; }")), "MARK"));
  CHECK_FALSE(contains(marked(program("constexpr int f(int x) { return x; }")), "MARK"));
  CHECK_FALSE(contains(marked(program("int f(int);\nstruct S { S() = default; };\nint x{1};")), "MARK"));
  CHECK_FALSE(contains(marked(program("", "", of_program)), "MARK"));
  CHECK_FALSE(contains(marked(program("", "", "", of_program)), "MARK"));
  CHECK_FALSE(contains(translated(program(of_program)), "MARK"));
}

TEST_CASE("constexpr functions of the C++ library are marked unless kernels can call them") {
  const std::string text = program("", "constexpr int f(int x) { return x; }");
  CHECK(contains(marked(text), "\nMARK constexpr int f("));
  CHECK_FALSE(contains(marked(text, true), "MARK"));
  std::string of_both = text;
  of_both.replace(of_both.find("stl_map.h"), 9, "stl_pair.h");
  CHECK_FALSE(contains(marked(of_both), "MARK"));
}

}  // namespace
}  // namespace warpfiber::translate::test
