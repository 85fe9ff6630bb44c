// SPDX-License-Identifier: Apache-2.0
//
// Demangled names, as g++ and clang++ produce them, and what their author called the function.
#include "report/short_name.hpp"

#include <string>

#include "support/catch.hpp"

using namespace warpfiber::report;

TEST_CASE("a function is called by its name alone") {
  const auto [demangled, name] = GENERATE(table<std::string, std::string>({
      {"block_sum(float const*, float*, unsigned int)", "block_sum"},
      {"block_sum", "block_sum"},
      {"_start", "_start"},
      {"void saxpy<float>(int, float, float const*, float*)", "saxpy<float>"},
      {"void (anonymous namespace)::saxpy<float>(int, float*)", "saxpy<float>"},
      {"void apply<void (*)(int)>(void (*)(int))", "apply<void (*)(int)>"},
      {"std::vector<int, std::allocator<int> > make<(anonymous namespace)::Tag>()", "make<Tag>"},
      {"cg::Solver::step(double) const", "cg::Solver::step"},
      {"main::{lambda(unsigned int)#1}::operator()(unsigned int) const", "main::{lambda}"},
      {"run(int)::{lambda(void (*)(int))#2}::operator()(void (*)(int)) const", "run::{lambda}"},
      {"auto run<int>(int)::{lambda()#1}::operator()<float>() const", "run<int>::{lambda}::operator()<float>"},
      {"sum(int*)::$_0::operator()(int*) const", "sum::{lambda}"},
      {"main::$_12::operator()() const", "main::{lambda}"},
      {"Kernel::operator()(int) const", "Kernel::operator()"},
      {"void Fill<(unsigned char)7>::run(int*)", "Fill<(unsigned char)7>::run"},
      {"", ""},
  }));
  CHECK(short_name(demangled) == name);
}

TEST_CASE("arguments of templates are left out of names that are too long") {
  CHECK(abbreviated("sum<float>", 10) == "sum<float>");
  CHECK(abbreviated("ns::list<pair<int, int> >::add<long>", 30) == "ns::list<…>::add<…>");
  CHECK(abbreviated("list<int, int>::operator<", 20) == "list<…>::operator<");
  CHECK(abbreviated("a_name_that_is_long<int>", 10) == "a_name_th…");
}

TEST_CASE("text that is no demangled name is survived") {
  const std::string text = GENERATE("(", ")", "{lambda(", "{lambda(}", "a(b", "operator()", "<<<", "((())");
  CHECK(short_name(text).size() <= text.size());
}

TEST_CASE("the body of a kernel that was built with -G has the kernel's name") {
  CHECK(short_name("sum(int*, int)::{unnamed type#1}::sum(int*, int)") == "sum");
  CHECK(short_name("void a::scale<int>(int*, int)::{unnamed type#1}::scale(int*, int)") == "a::scale<int>");
  CHECK(short_name("sum(int*, int)::$_0::sum(int*, int)") == "sum");
  CHECK(short_name("f(int)::{unnamed type#2}::g(int)") == "f::{unnamed}::g");
}
