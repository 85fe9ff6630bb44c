// SPDX-License-Identifier: Apache-2.0
//
// A program of the library's ABI version starts, one of another version ends with a message that names both.
#include <warpfiber/detail/abi_version.hpp>
#include <warpfiber/detail/current_thread.hpp>

#include <string>

#include "support/catch.hpp"
#include "support/child_process.hpp"

using Catch::Matchers::ContainsSubstring;
using warpfiber::detail::kAbiVersion;
using warpfiber::detail::require_abi_version;
using warpfiber::detail::require_same_variables;

TEST_CASE("a unit of the library's ABI version starts") {
  CHECK(require_abi_version(kAbiVersion, "kernels.cu"));
}

TEST_CASE("a unit of another ABI version ends the process and names both versions") {
  const unsigned other = GENERATE(kAbiVersion - 1, kAbiVersion + 1);
  const auto end = warpfiber::test::in_child([&] { return require_abi_version(other, "kernels.cu") ? 0 : 1; });
  CHECK(end.exit_code == 127);
  CHECK_THAT(end.text,
             ContainsSubstring("kernels.cu was compiled with headers of ABI version " + std::to_string(other)));
  CHECK_THAT(end.text, ContainsSubstring("has version " + std::to_string(kAbiVersion)));
  CHECK_THAT(end.text, ContainsSubstring("Rebuild the program"));
}

TEST_CASE("a unit whose thread variables are not the library's ends the process and says how it is mended") {
  CHECK(require_same_variables(&warpfiber::detail::current_thread, "kernels.cu"));
  const int other = 0;
  const auto end = warpfiber::test::in_child([&] { return require_same_variables(&other, "kernels.cu") ? 0 : 1; });
  CHECK(end.exit_code == 127);
  CHECK_THAT(end.text, ContainsSubstring("the threadIdx of kernels.cu is not the runtime's"));
  CHECK_THAT(end.text, ContainsSubstring("compile it with -fPIC"));
}
