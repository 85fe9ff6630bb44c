// SPDX-License-Identifier: Apache-2.0
// What the test kit and listeners of test frameworks ask of the runtime.
#include <warpfiber/testing/running_test.h>
#include <warpfiber/testing.hpp>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/forking.hpp"
#include "base/locks/annotated_mutex.hpp"
#include "process/findings/findings_log.hpp"
#include "process/findings/test_errors.hpp"
#include "runtime/state/runtime_state.hpp"
#include "streams/launched_work.hpp"

namespace warpfiber::testing {

struct FoundErrors::Kept {
  process::ErrorCollector collector;
};

FoundErrors::FoundErrors() : kept_(new Kept) {}

FoundErrors::~FoundErrors() {
  delete kept_;
}

const char* FoundErrors::first_id() const {
  return kept_->collector.first_id();
}

const char* FoundErrors::first_report() const {
  return kept_->collector.first_report();
}

}  // namespace warpfiber::testing

namespace warpfiber::runtime {

/// The listeners of frameworks, and what a test does not wait for at its end.
struct TestListeners {
  base::Mutex mutex;
  std::set<std::string> frameworks WARPFIBER_GUARDED_BY(mutex);
  std::vector<streams::StreamPos> before_test WARPFIBER_GUARDED_BY(mutex);

  bool is_first_of(const std::string& framework) {
    const base::Lock lock(mutex);
    return frameworks.insert(framework).second;
  }

  void set_work_before_test(std::vector<streams::StreamPos> positions) {
    const base::Lock lock(mutex);
    before_test = std::move(positions);
  }

  std::vector<streams::StreamPos> work_before_test() {
    const base::Lock lock(mutex);
    return before_test;
  }
};

namespace {

TestListeners& listeners() {
  return RuntimeState::of_process().test_listeners.get();
}

std::string text_of(const char* text) {
  return text == nullptr ? std::string() : text;
}

const process::TestError* taken(unsigned long index) {
  return process::taken_test_error(index);
}

report::TestOutcome outcome_of(int number) {
  switch (number) {
    case WARPFIBER_TEST_FAILED: return report::TestOutcome::failed;
    case WARPFIBER_TEST_SKIPPED: return report::TestOutcome::skipped;
    default: return report::TestOutcome::passed;
  }
}

}  // namespace
}  // namespace warpfiber::runtime

using namespace warpfiber;

int warpfiber_is_first_listener(const char* framework) {
  return runtime::listeners().is_first_of(runtime::text_of(framework)) ? 1 : 0;
}

void warpfiber_test_begins(const char* suite, const char* name, int runs_already) {
  if (base::is_forked_child()) return;
  if (runs_already == 0) runtime::listeners().set_work_before_test(streams::unfinished_work());
  process::begin_test(runtime::text_of(suite), runtime::text_of(name), runs_already != 0);
}

unsigned long warpfiber_take_test_errors(int has_failed) {
  if (base::is_forked_child()) return 0;
  streams::finish_work_after(runtime::listeners().work_before_test());
  return process::take_test_errors(has_failed != 0);
}

const char* warpfiber_test_error_id(unsigned long index) {
  const process::TestError* const error = runtime::taken(index);
  return error == nullptr ? nullptr : error->id;
}

const char* warpfiber_test_error_report(unsigned long index) {
  const process::TestError* const error = runtime::taken(index);
  return error == nullptr ? nullptr : error->report.c_str();
}

const char* warpfiber_test_error_file(unsigned long index) {
  const process::TestError* const error = runtime::taken(index);
  return error == nullptr || error->line == 0 ? nullptr : error->file;
}

unsigned warpfiber_test_error_line(unsigned long index) {
  const process::TestError* const error = runtime::taken(index);
  return error == nullptr ? 0 : error->line;
}

void warpfiber_test_ends(int outcome) {
  if (base::is_forked_child()) return;
  process::end_test(runtime::outcome_of(outcome));
  runtime::listeners().set_work_before_test({});
}
