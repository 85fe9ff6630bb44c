// SPDX-License-Identifier: Apache-2.0
// Threads that wait for a phase of a barrier in memory (cuda::barrier, mbarrier). They are woken like threads that
// spin: whoever changes memory changes the barrier by an atomic. Unlike those they say what they see, so that no stack
// need be looked at to tell that nothing gets on, and a report can say what is missing.
#include <sched.h>
#include <warpfiber/detail/phase.hpp>

#include "engine/worker.hpp"

namespace warpfiber::detail {

using engine::Worker;

void wait_for_phase(const void* address, std::uint64_t word, const PhaseWait& wait, Site site) {
  Worker* current = Worker::current();
  if (current == nullptr) {
    sched_yield();
    return;
  }
  // A thread sees nothing but the word and where it waits.
  const std::uint64_t state = (word ^ reinterpret_cast<std::uintptr_t>(address)) * 0x9e3779b97f4a7c15U;
  current->let_others_run(engine::SpinNote{.site = site, .address = address, .phase = &wait}, state | 1);
}

void look_again(const void* address, const PhaseWait& wait, Site site) {
  if (Worker::current() == nullptr) {
    sched_yield();
    return;
  }
  engine::spin(engine::SpinNote{.site = site, .address = address, .phase = &wait});
}

void looked_often(const void* address, const PhaseWait& wait, Site site) {
  Worker* current = Worker::current();
  if (current == nullptr || !current->is_one_thread_polling()) {
    current_thread.polls_left = kPollsBeforeYield;
    return;
  }
  look_again(address, wait, site);
}

}  // namespace warpfiber::detail
