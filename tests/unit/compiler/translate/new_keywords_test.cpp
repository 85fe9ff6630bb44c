// SPDX-License-Identifier: Apache-2.0
//
// Names that C++20 has made keywords, in programs that were written for an older language.
#include "support/catch.hpp"
#include "unit/compiler/translate/sample.hpp"

namespace warpfiber::translate::test {
namespace {

std::string older(const std::string& text) {
  return translate(text, "", {.older_language = true}).text;
}

TEST_CASE("names that are keywords of C++20 get others of the same length") {
  CHECK(older("int requires = 3;\nint f(int concept) { return concept + requires; }\n") ==
        "int require_ = 3;\nint f(int concep_) { return concep_ + require_; }\n");
  CHECK(older("struct A { bool consteval(); };\nbool b = A().consteval();\n") ==
        "struct A { bool consteva_(); };\nbool b = A().consteva_();\n");
  CHECK(older("enum { constinit, co_await, co_yield };\ntemplate <class co_return> struct H { };\n") ==
        "enum { constini_, co_awai_, co_yiel_ };\ntemplate <class co_retur_> struct H { };\n");
}

TEST_CASE("keywords, strings, comments, system headers and longer words stay") {
  const auto* const text =
      GENERATE("template <class T> concept C = true;\n", "template <class T> requires (sizeof(T) > 1) void f(T);\n",
               "template <class T> void f(T) requires C<T>;\n", "constexpr bool b = requires (T t) { t.x; };\n",
               "constexpr bool b = requires { typename T::x; };\n", "consteval int f();\nconstinit int x = 1;\n",
               "T f() { co_await g(); co_yield 1; co_return; }\n", "// requires = 3\nconst char* s = \"requires\";\n",
               "int prerequires, requires_, conceptual;\n", "# 1 \"/usr/include/x\" 1 3\nint requires = 3;\n");
  CHECK(older(text) == text);
}

TEST_CASE("a file that uses a word as a keyword keeps it, another file does not") {
  CHECK(older("# 1 \"a.h\" 1\ntemplate <class T> requires C<T> void f(T);\n# 2 \"b.cu\" 2\nint requires;\n") ==
        "# 1 \"a.h\" 1\ntemplate <class T> requires C<T> void f(T);\n# 2 \"b.cu\" 2\nint require_;\n");
}

TEST_CASE("a program in C++20 keeps every word") {
  const std::string text = "int requires = 3;\n";
  CHECK(translate(text, "").text == text);
}

}  // namespace
}  // namespace warpfiber::translate::test
