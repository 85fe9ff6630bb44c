// SPDX-License-Identifier: Apache-2.0
// What the test kit and listeners of test frameworks ask of the runtime.
#include <warpfiber/testing/running_test.h>
#include <warpfiber/testing.hpp>

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

/// What a test does not wait for at its end.
struct WorkBeforeTest {
  base::Mutex mutex;
  std::vector<streams::StreamPos> positions WARPFIBER_GUARDED_BY(mutex);

  void set(std::vector<streams::StreamPos> now) {
    const base::Lock lock(mutex);
    positions = std::move(now);
  }

  std::vector<streams::StreamPos> get() {
    const base::Lock lock(mutex);
    return positions;
  }
};

namespace {

WorkBeforeTest& work_before_test() {
  return RuntimeState::of_process().work_before_test.get();
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

void warpfiber_test_begins(const char* suite, const char* name, int runs_already) {
  if (base::is_forked_child()) return;
  if (runs_already == 0) runtime::work_before_test().set(streams::unfinished_work());
  process::begin_test(runtime::text_of(suite), runtime::text_of(name), runs_already != 0);
}

unsigned long warpfiber_take_test_errors(int has_failed) {
  if (base::is_forked_child()) return 0;
  streams::finish_work_after(runtime::work_before_test().get());
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
  runtime::work_before_test().set({});
}
