// SPDX-License-Identifier: Apache-2.0
// Makes what is found the failure of the GoogleTest test in which it was found: include it in one file of a program, or
// in several. A program that is built with -fcheck or Warpfiber::check has the same without it. C++17, any version of
// GoogleTest from 1.8 on. Source: docs/testing.md.
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

#include <warpfiber/testing/running_test.h>

#include <gtest/gtest.h>

namespace warpfiber::testing {

class GoogleTestListener : public ::testing::EmptyTestEventListener {
 public:
  void OnTestStart(const ::testing::TestInfo& test) override {
#ifdef TYPED_TEST_SUITE
    warpfiber_test_begins(test.test_suite_name(), test.name(), 0);
#else
    warpfiber_test_begins(test.test_case_name(), test.name(), 0);  // before 1.10
#endif
  }

  /// Called before the printers of results, which find the test failed.
  void OnTestEnd(const ::testing::TestInfo& test) override {
    const unsigned long errors = warpfiber_take_test_errors(test.result()->Failed() ? 1 : 0);
    for (unsigned long i = 0; i < errors; ++i) {
      const char* const file = warpfiber_test_error_file(i);
      const int line = file == nullptr ? -1 : static_cast<int>(warpfiber_test_error_line(i));
      ADD_FAILURE_AT(file, line) << warpfiber_test_error_report(i);
    }
    warpfiber_test_ends(outcome_of(*test.result()));
  }

 private:
  static int outcome_of(const ::testing::TestResult& result) {
    if (result.Failed()) return WARPFIBER_TEST_FAILED;
#ifdef GTEST_SKIP
    if (result.Skipped()) return WARPFIBER_TEST_SKIPPED;
#endif
    return WARPFIBER_TEST_PASSED;
  }
};

namespace detail {

inline bool append_google_test_listener() {
  if (warpfiber_is_first_listener("GoogleTest") == 0) return false;
  ::testing::UnitTest::GetInstance()->listeners().Append(new GoogleTestListener);
  return true;
}

inline const bool google_test_listener_is_appended = append_google_test_listener();

}  // namespace detail

}  // namespace warpfiber::testing
