// SPDX-License-Identifier: Apache-2.0
//
// Catch2 as the tests see it, version 2 or 3. Tests use the names of version 3 (Catch::Approx,
// Catch::Matchers::ContainsSubstring); where version 2 spells them otherwise they are added here.
// Every test includes this file and no header of Catch2 itself.
#pragma once

#if __has_include(<catch2/catch_test_macros.hpp>)

#include <catch2/catch_approx.hpp>
#include <catch2/catch_template_test_macros.hpp>
#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators_all.hpp>
#include <catch2/matchers/catch_matchers_all.hpp>

#else

#include <catch2/catch.hpp>

namespace Catch {
using Detail::Approx;

namespace Matchers {
inline StdString::ContainsMatcher ContainsSubstring(const std::string& text) {
  return Contains(text);
}
}  // namespace Matchers
}  // namespace Catch

// Version 3 has a function of this name for ranges, which takes no string.
#pragma GCC poison Contains

#endif
