// SPDX-License-Identifier: Apache-2.0
// Threads that wait for a phase of a barrier in memory (cuda::barrier, mbarrier). They are woken like threads that
// spin: whoever changes memory changes the barrier by an atomic. Unlike those they say what they see, so that no stack
// need be looked at to see that nothing gets on, and a report can say what is missing.
#include <sched.h>
#include <warpfiber/intrinsics/phase.hpp>

#include <algorithm>
#include <utility>
#include <vector>

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
  current->spinning().let_others_run(engine::SpinNote{.site = site, .address = address, .phase = &wait}, state | 1);
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
  if (current == nullptr || !current->spinning().polls().were_all_of(current->running_id())) {
    current_thread.polls_left = kPollsBeforeYield;
    return;
  }
  look_again(address, wait, site);
}

void note_arrival(const void* word, Site site) {
  constexpr std::size_t kMostWords = 64;
  Worker* current = Worker::current();
  if (current == nullptr || !engine::idles(*current->running())) return note_write(word, site);
  std::vector<const void*>& words = current->idle_words;
  if (std::ranges::find(words, word) != words.end()) return;
  if (words.size() >= kMostWords) return note_write(word, site);
  words.push_back(word);
}

bool is_made_by_others(const std::uint64_t* word, bool (*initialised)(std::uint64_t), const char* call, Site site) {
  // Looks at which no other thread has got on, enough for a policy to come to every thread of a block meanwhile.
  constexpr unsigned kIdleLooks = 1U << 12;
  const PhaseWait wait{call, 0, 0, 0};
  std::uint64_t progress = current_thread.progress;
  for (unsigned idle = 0; idle < kIdleLooks; ++idle) {
    look_again(word, wait, site);
    if (initialised(__atomic_load_n(word, __ATOMIC_ACQUIRE))) return true;
    if (std::exchange(progress, current_thread.progress) != current_thread.progress) idle = 0;
  }
  return false;
}

}  // namespace warpfiber::detail
