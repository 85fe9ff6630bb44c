// SPDX-License-Identifier: Apache-2.0
#include "translate/rules/library.hpp"
#include "translate/rules/spaces.hpp"
#include "translate/rules/suspects.hpp"

#include <algorithm>
#include <string>

#include "support/catch.hpp"

namespace warpfiber::translate {
namespace {

/// A program with the qualifiers as headers make them.
struct Sample {
  explicit Sample(const std::string& source)
      : text("# 1 \"a.cu\"\n" + source),
        tokens(text),
        everything(outline(tokens, true)),
        spaces(read_spaces(tokens, everything, {"/ours"})) {}

  const SpacedFunction& function(const std::string& name) const {
    const auto found = std::ranges::find(spaces.functions, name, &SpacedFunction::name);
    REQUIRE(found != spaces.functions.end());
    return *found;
  }
  bool suspects() const { return may_break_rules(tokens, everything, spaces); }

  std::string text;
  Tokens tokens;
  Outline everything;
  Spaces spaces;
};

const std::string kDevice = "__warpfiber_device__ ";
const std::string kHost = "__warpfiber_host__ ";
const std::string kGlobal = "__warpfiber_global__ ";

}  // namespace

TEST_CASE("functions have the space of their qualifiers and the names of their scopes") {
  const Sample sample("namespace n { template <class T> struct S { " + kDevice +
                      "int f(int a, int b); void g() {} }; " + "template <class T> " + kDevice +
                      "int S<T>::f(int a, int b) { return a; } }\n" + kHost + kDevice + "int both() { return 1; } " +
                      kGlobal + "void k() {} int main() {}");
  CHECK(sample.function("n::S::f").space == ExecutionSpace::device);
  CHECK(sample.function("n::S::f").parameters == 2);
  CHECK(sample.function("n::S::f").is_template);
  CHECK(sample.function("n::S::g").space == ExecutionSpace::host);
  CHECK(sample.function("both").space == ExecutionSpace::both);
  CHECK(sample.function("k").space == ExecutionSpace::kernel);
  CHECK(sample.function("main").space == ExecutionSpace::host);
}

TEST_CASE("a lambda has the space of the function around it unless it says otherwise") {
  const Sample sample("void f() { auto a = [] (int x) { return x; }; auto b = [=] " + kDevice +
                      "(int x) { return x; }; }\n" + kGlobal + "void k() { auto c = [] (int x) { return x; }; }");
  REQUIRE(sample.spaces.lambdas.size() == 3);
  CHECK(sample.spaces.lambdas[0].space == ExecutionSpace::host);
  CHECK(sample.spaces.lambdas[1].space == ExecutionSpace::device);
  CHECK(sample.spaces.lambdas[2].space == ExecutionSpace::device);
}

TEST_CASE("the innermost function at a place is found by line and column") {
  const Sample sample("void f() { g(); } void h() { }\nvoid i() {\n  j();\n}\n");
  CHECK(sample.spaces.at({"a.cu", 1, 12})->name == "f");
  CHECK(sample.spaces.at({"a.cu", 1, 28})->name == "h");
  CHECK(sample.spaces.at({"a.cu", 1, 0}) == nullptr);
  CHECK(sample.spaces.at({"a.cu", 3, 0})->name == "i");
  CHECK(sample.spaces.at({"b.cu", 1, 12}) == nullptr);
}

TEST_CASE("variables of the device are known, and neither constants nor managed memory are the host's") {
  const Sample sample(
      kDevice + "int a, b[4]; __warpfiber_constant__ int c; __warpfiber_managed__ int d; const int e = 3; int f;");
  REQUIRE(sample.spaces.variables.size() == 4);
  CHECK(sample.spaces.variables[1].name == "b");
  CHECK(sample.spaces.variables[2].is_constant_memory);
  CHECK(sample.spaces.variables[3].name == "f");
  CHECK_FALSE(sample.spaces.variables[3].on_device);
}

TEST_CASE("programs that name nothing of the other side are not looked at again") {
  CHECK_FALSE(Sample("int h() { return 1; }\n" + kDevice + "int f() { return 2; } " + kGlobal +
                     "void k(int* o) { *o = f(); } int main() { h(); k<<<1, 1>>>(0); }")
                  .suspects());
  CHECK(Sample("int h() { return 1; }\n" + kGlobal + "void k(int* o) { *o = h(); }").suspects());
  CHECK(Sample(kDevice + "int f() { return 1; } int main() { f(); }").suspects());
  CHECK(Sample(kGlobal + "void k() {} int main() { k(); }").suspects());
  CHECK(Sample(kGlobal + "void k(int* o) { *o = std::max(o[0], 1); }").suspects());
  CHECK_FALSE(Sample(kGlobal + "void k(float* o) { *o = std::sqrt(o[0]); }").suspects());
  CHECK(Sample(kDevice + "int v; int main() { v = 1; }").suspects());
  CHECK_FALSE(Sample(kDevice + "int v; int main() { cudaMemcpyToSymbol(v, 0, 4); }").suspects());
}

TEST_CASE("the address of a variable is no use of it") {
  const auto use = [](const std::string& statement) {
    const std::string text = "{ " + statement + " }";
    const Tokens tokens(text);
    std::size_t i = 0;
    while (!tokens.is(i, "v")) ++i;
    return use_of(tokens, i);
  };
  CHECK(use("v = 1;") == VariableUse::written);
  CHECK(use("v[2].x += 1;") == VariableUse::written);
  CHECK(use("++v;") == VariableUse::written);
  CHECK(use("v--;") == VariableUse::written);
  CHECK(use("int a = v;") == VariableUse::read);
  CHECK(use("if (v == 1) f(v);") == VariableUse::read);
  CHECK(use("p = &v;") == VariableUse::none);
  CHECK(use("int& r = v;") == VariableUse::none);
  CHECK(use("cudaMemcpyToSymbol(v, p, sizeof(v));") == VariableUse::none);
  CHECK(use("n = sizeof(v);") == VariableUse::none);
}

TEST_CASE("what the device has of the host's libraries is known") {
  CHECK(is_c_function_of_device("printf"));
  CHECK(is_c_function_of_device("sqrtf"));
  CHECK_FALSE(is_c_function_of_device("rand"));
  CHECK(is_std_name_of_device("is_same_v"));
  CHECK(is_std_name_of_device("move"));
  CHECK_FALSE(is_std_name_of_device("max"));
  CHECK_FALSE(is_std_name_of_device("make_pair"));
  CHECK(is_runtime_function_of_device("cudaGetLastError"));
  CHECK_FALSE(is_runtime_function_of_device("cudaMemcpy"));
  CHECK(is_function_of_device_only("atomicAdd"));
  CHECK_FALSE(is_function_of_device_only("printf"));
}

}  // namespace warpfiber::translate
