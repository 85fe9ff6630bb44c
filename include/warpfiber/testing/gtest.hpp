// SPDX-License-Identifier: Apache-2.0
// check_kernel in tests with GoogleTest: a failed check prints what was found and how to repeat it.
//     WARPFIBER_EXPECT_KERNEL({.seeds = 20}, [&](warpfiber::testing::Trial& trial) { … });
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

#include <warpfiber/testing.hpp>

#include <gtest/gtest.h>

/// Takes the arguments of warpfiber::testing::check_kernel. The test continues after a failure. More can be streamed.
#define WARPFIBER_EXPECT_KERNEL(...)                                                                          \
  if (const auto warpfiber_report = ::warpfiber::testing::check_kernel(__VA_ARGS__); warpfiber_report.ok()) { \
    SUCCEED();                                                                                                \
  } else                                                                                                      \
    ADD_FAILURE() << warpfiber_report.message()

/// The same, and the test function ends with a failure.
#define WARPFIBER_ASSERT_KERNEL(...)                                                                          \
  if (const auto warpfiber_report = ::warpfiber::testing::check_kernel(__VA_ARGS__); warpfiber_report.ok()) { \
    SUCCEED();                                                                                                \
  } else                                                                                                      \
    FAIL() << warpfiber_report.message()
