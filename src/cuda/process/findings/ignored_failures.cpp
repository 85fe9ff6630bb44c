// SPDX-License-Identifier: Apache-2.0
//
// Compares how often the program had asked for errors when a kernel failed with how often it has asked at the end. A
// result that its statement discards counts as not asked (result_use.hpp).
#include "process/findings/ignored_failures.hpp"

#include <optional>
#include <set>

#include "base/locks/annotated_mutex.hpp"
#include "engine/findings/findings.hpp"
#include "process/device_errors.hpp"
#include "process/findings/result_use.hpp"
#include "process/host/asked.hpp"
#include "process/process_state.hpp"
#include "process/user_call.hpp"
#include "report/source_text.hpp"

namespace warpfiber::process {

struct IgnoredFailure {
  base::Mutex mutex;
  std::optional<TimesAsked> asked_before
      WARPFIBER_GUARDED_BY(mutex);  // the last failure; none: no kernel has failed, or the program has looked
  std::set<const void*> discarding
      WARPFIBER_GUARDED_BY(mutex);  // calls that are known to discard their result, by where they return to
};

namespace {

IgnoredFailure& failure() {
  return ProcessState::of_process().ignored_failure.get();
}

}  // namespace

void note_kernel_failure() {
  const base::Lock lock(failure().mutex);
  failure().asked_before = times_asked(Error::launch_failure);
}

void note_returned_error(const char* function, Error error) {
  if (!stays(error)) return;
  const void* const returns_to = user_call().returns_to;
  const base::Lock lock(failure().mutex);
  if (!failure().asked_before.has_value() || failure().discarding.contains(returns_to)) return;
  report::SourceFiles sources;
  const record::Place place = engine::place_of_call(returns_to);
  if (result_use(function, place, sources) == ResultUse::discarded) {
    failure().discarding.insert(returns_to);
  } else {
    failure().asked_before.reset();
  }
}

bool kernel_failure_is_ignored() {
  const base::Lock lock(failure().mutex);
  if (!failure().asked_before.has_value()) return false;
  const TimesAsked now = times_asked(Error::launch_failure);
  return failure().asked_before->errors == now.errors && failure().asked_before->all_names == now.all_names;
}

}  // namespace warpfiber::process
