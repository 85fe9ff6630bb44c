// SPDX-License-Identifier: Apache-2.0
//
// Classes of programs in C++17, which are read as C++20: aggregates with defaulted constructors.
#include "support/catch.hpp"
#include "unit/compiler/translate/sample.hpp"

namespace warpfiber::translate::test {
namespace {

std::string read_as_older(const std::string& text) {
  return translate(text, "", {.older_language = true}).text;
}

/// Whether a class with these members has lost a constructor.
bool loses(const std::string& members) {
  const std::string text = "struct A { " + members + " int n; };\n";
  return read_as_older(text) != text;
}

TEST_CASE("defaulted constructors of a class go, which makes it an aggregate again") {
  CHECK(read_as_older("struct A { A() = default; int n; };\n") == "struct A {   ; int n; };\n");
  CHECK(loses("A() = default; A(const A&) = default;"));
  CHECK(loses("A() = default; ~A() = default; A& operator=(const A&) = default;"));
  CHECK(loses("A() = default; A(const A&) = default; A& operator=(const A&) = default; ~A() = default;"));
  CHECK(loses("A() = default; A(const A&) = default; A(A&&) = default;"));
  CHECK(!loses("A() = default; A(int n);"));
  CHECK(!loses("explicit A() = default;"));
}

TEST_CASE("constructors that copy or move stay where the implicit ones would be deleted") {
  CHECK(!loses("A() = default; A(const A&) = default; A(A&&) = default; A& operator=(A&&) = default;"));
  CHECK(!loses("A() = default; A(A&&) = default; ~A() {}"));
  CHECK(!loses("A(const A&) = default; A& operator=(A&&) = default;"));
}

TEST_CASE("classes of the system's headers stay as they are") {
  const std::string text = "# 1 \"/usr/include/x\" 1 3\nstruct A { A() = default; };\n";
  CHECK(read_as_older(text) == text);
}

}  // namespace
}  // namespace warpfiber::translate::test
