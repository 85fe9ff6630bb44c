// SPDX-License-Identifier: Apache-2.0
//
// printf: the device's, which returns the number of arguments, in functions of the device and nowhere else.
#include "support/catch.hpp"
#include "unit/translate/sample.hpp"

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
               "__device__ int (*p)() = printf;");
  CHECK(translated(code).find("warpfiber::cuda::device") == std::string::npos);
}

}  // namespace
}  // namespace warpfiber::translate::test
