/* SPDX-License-Identifier: Apache-2.0
 * What a listener of a test framework tells the runtime of the tests that run, and what it gets: the errors that were
 * found in each, to report as the test's failures. For C and, by name, for other languages. gtest_listener.hpp and
 * catch2_listener.hpp are such listeners, and so is the plugin for pytest. Tests run one after another; any thread
 * calls, outside of kernels. Reports are valid until errors are taken the next time, ids and files for ever.
 * Source: docs/testing.md, "Another framework". */
#pragma once

#ifdef __cplusplus
extern "C" {
#endif

/* 1 for the first listener of this framework in the process, which is to report; 0 for every other. */
int warpfiber_is_first_listener(const char* framework);

/* A test begins. `suite` may be empty. Errors that were found before are none of its own, but with `runs_already`: the
 * library was loaded while the test ran. */
void warpfiber_test_begins(const char* suite, const char* name, int runs_already);

/* Runs what the test has launched and not waited for, and returns how many kinds of errors were found since they were
 * taken the last time, or since the test began. `has_failed`: the test has failed
 * by itself, so errors that it provoked and looked at are reported as well. */
unsigned long warpfiber_take_test_errors(int has_failed);

/* Of the errors taken last: the finding's id, its report, and where it is. Null and 0 where that is not known. */
const char* warpfiber_test_error_id(unsigned long index);
const char* warpfiber_test_error_report(unsigned long index);
const char* warpfiber_test_error_file(unsigned long index);
unsigned warpfiber_test_error_line(unsigned long index);

/* The test has ended; the document of findings says how. */
enum warpfiber_test_outcome { WARPFIBER_TEST_PASSED = 1, WARPFIBER_TEST_FAILED = 2, WARPFIBER_TEST_SKIPPED = 3 };
void warpfiber_test_ends(int outcome);

#ifdef __cplusplus
}
#endif
