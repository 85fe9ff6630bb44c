// SPDX-License-Identifier: Apache-2.0
// Every finding of the process goes through here: it is completed, folded with those it repeats, printed on standard
// error and, where WARPFIBER_FINDINGS names a file, written there as JSON (docs/findings-format.md).
// Invariants: findings with the same id and the same sites are one, whose `repeats` counts the others. The file is
// replaced as a whole, whenever there is something new and at the end of the process, so that it is complete however
// the program ends; only `repeats` may be behind where a signal ends it. What is printed and kept is bounded. Any
// thread may call, never inside a kernel: looking up lines takes a deep stack.
#pragma once

#include <warpfiber/error.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "record/finding.hpp"
#include "report/json.hpp"

namespace warpfiber::process {

/// Looks up the places that are open, counts and prints the finding; a suppressed one is only counted. Returns its
/// report without colours.
std::string log_finding(record::Finding finding);

/// The same of all findings of one launch: what is found at the same lines is one, with the fix that all of it needs.
/// The report of the last.
std::string log_findings(std::vector<record::Finding> findings);

/// The same for what one line says as well as a report: only `line` is printed.
void log_in_a_line(record::Finding finding, const std::string& line);

/// Memory that several threads of one launch wrote without order.
struct SharedStore {
  std::string name{};  // as the kernel calls it
  std::uint64_t bytes = 0;
};

/// The first such store that was found in `bytes` bytes from `address` and has a name.
std::optional<SharedStore> shared_store_in(const void* address, std::uint64_t bytes);

/// An error that the program may have provoked on purpose.
struct HandledError {
  Error error = Error::success;
  const char* returned_by = nullptr;  // the function that returned it, "": of the native interface; null: it has to be
                                      // asked for
  bool is_answer = false;             // a program may get it without being at fault, and need not even look
};

/// A finding of such an error. It is dropped if the program looks at the error (uses what the call returns, or asks for
/// errors afterwards), asks neither for its name nor for its text, and ends with exit code 0; then a line remains, of
/// answers none. An answer is dropped as well if the program goes on with operations. Else the finding is printed at
/// the end, as others are at once.
void log_unless_handled(record::Finding finding, const HandledError& how);

/// A call fails with `error`: names of it that the program asks for from now on are not those of earlier ones.
void end_naming(Error error);

/// There were so many more kinds of findings, of which nothing else is known.
void count_findings(std::uint64_t kinds);

/// A kernel of the program begins.
void count_launch();

/// Gets the errors that are found from now on until it is left out again.
class ErrorCollector {
 public:
  ErrorCollector();
  ~ErrorCollector();
  ErrorCollector(const ErrorCollector&) = delete;
  ErrorCollector& operator=(const ErrorCollector&) = delete;

  /// The first of them; null if there is none. Any thread.
  const char* first_id() const;
  const char* first_report() const;

 private:
  friend class FindingsLog;
  std::optional<record::Verdict> verdict_;
  std::string report_;
};

struct TestError;  // process/findings/test_errors.hpp

/// A listener of a test framework says that a test begins or ends. Errors in between are the test's failures, which the
/// listener reports: only a line is printed of them, or all if the process ends before the test does. `runs_already`:
/// all that was found is the test's, which began before the listener knew of this process's log.
void begin_test(std::string suite, std::string name, bool runs_already = false);
void end_test(report::TestOutcome outcome);

/// How many kinds of errors were found since the last time, or since the test began; taken_test_error() has them. Of an
/// error that the test may have provoked on purpose it is decided now whether it was looked at: `has_failed` says that
/// the test has. In a program whose checks are off there are none.
std::size_t take_test_errors(bool has_failed);
/// Null beyond the last. Valid until the next are taken.
const TestError* taken_test_error(std::size_t index);

/// Begins the file, so that it distinguishes a program without findings from one that never came here. Called by
/// everything that may log later; the first call counts.
void open_findings_log();

/// The program, or a library that it has loaded, was built with access hooks. `are_judged`: the host has room to check
/// the accesses.
void note_access_hooks(bool are_judged);

/// Whether the program, or a library that it has loaded, was built with access hooks.
bool has_access_hooks();

/// Whether kernels that nobody waits for are run at the end, and findings decide about the exit code: the program has
/// access hooks, or WARPFIBER_CHECK asks.
bool judges_at_end();

/// `prepare` is called when the process uses the log for the first time. The caller is a later room before main()
/// (runtime/process_end.cpp): what the end of a process has to do is in its hands, and comes to the functions below.
void prepare_at_first_log(void (*prepare)());

/// Whether there is a log to be closed. A child made by fork() has its parent's findings, which are none of its own.
bool has_findings_log();
/// The same of a child that is not known to be one.
bool has_own_findings();

/// The program ends with `exit_code`: prints and writes what is still to be reported.
void settle_findings(int exit_code);

/// All findings so far as JSON (docs/findings-format.md).
std::string findings_document();

/// The exit code that the process is to end with, where it is another than the program's; WARPFIBER_EXITCODE for 0
/// where an error was found. The first call prints why.
std::optional<int> exit_code_of_findings();

}  // namespace warpfiber::process
