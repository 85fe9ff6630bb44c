// SPDX-License-Identifier: Apache-2.0
// check_kernel in tests with Catch2, version 2 or 3: a failed check prints what was found and how to repeat it.
//     WARPFIBER_CHECK_KERNEL({.seeds = 20}, [&](warpfiber::testing::Trial& trial) { … });
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

#include <warpfiber/testing.hpp>

#if __has_include(<catch2/catch_test_macros.hpp>)
#include <catch2/catch_test_macros.hpp>
#else
#include <catch2/catch.hpp>
#endif

/// Takes the arguments of warpfiber::testing::check_kernel. The test continues after a failure.
#define WARPFIBER_CHECK_KERNEL(...)                                                \
  do {                                                                             \
    const auto warpfiber_report = ::warpfiber::testing::check_kernel(__VA_ARGS__); \
    INFO(warpfiber_report.message());                                              \
    CHECK(warpfiber_report.ok());                                                  \
  } while (false)

/// The same, and the test ends with a failure.
#define WARPFIBER_REQUIRE_KERNEL(...)                                              \
  do {                                                                             \
    const auto warpfiber_report = ::warpfiber::testing::check_kernel(__VA_ARGS__); \
    INFO(warpfiber_report.message());                                              \
    REQUIRE(warpfiber_report.ok());                                                \
  } while (false)
