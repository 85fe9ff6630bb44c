// SPDX-License-Identifier: Apache-2.0
// Each event goes to all observers of the list, in their order; what they want and what they have found is put
// together.
#include "record/observer_list.hpp"

#include <algorithm>
#include <iterator>

namespace warpfiber::record {

bool ObserverList::observes_threads() const {
  return std::ranges::any_of(observers_, [](const Observer* one) { return one->observes_threads(); });
}

bool ObserverList::observes_accesses() const {
  return std::ranges::any_of(observers_, [](const Observer* one) { return one->observes_accesses(); });
}

bool ObserverList::observes_statements() const {
  return std::ranges::any_of(observers_, [](const Observer* one) { return one->observes_statements(); });
}

std::vector<Finding> ObserverList::findings_so_far() const {
  std::vector<Finding> all;
  for (const Observer* observer : observers_) std::ranges::move(observer->findings_so_far(), std::back_inserter(all));
  return all;
}

void ObserverList::launch_begin(const LaunchBegin& launch) {
  each(&Observer::launch_begin, launch);
}

void ObserverList::launch_end(const LaunchEnd& launch) {
  each(&Observer::launch_end, launch);
}

void ObserverList::block_begin(const BlockId& block, const memory::SharedArena& shared) {
  each(&Observer::block_begin, block, shared);
}

void ObserverList::block_end(const BlockId& block) {
  each(&Observer::block_end, block);
}

void ObserverList::block_runs(const BlockId& block) {
  each(&Observer::block_runs, block);
}

void ObserverList::threads_begin(const ThreadRange& threads) {
  each(&Observer::threads_begin, threads);
}

void ObserverList::threads_end(const ThreadRange& threads) {
  each(&Observer::threads_end, threads);
}

void ObserverList::release(const Release& threads) {
  each(&Observer::release, threads);
}

void ObserverList::arrive(const void* phase) {
  each(&Observer::arrive, phase);
}

void ObserverList::wait(const void* phase) {
  each(&Observer::wait, phase);
}

void ObserverList::phase_end(const PhaseEnd& phase) {
  each(&Observer::phase_end, phase);
}

void ObserverList::forget_phases(const void* from, std::size_t bytes) {
  each(&Observer::forget_phases, from, bytes);
}

void ObserverList::access(const MemoryAccess& access) {
  for (Observer* observer : observers_) {
    if (observer->observes_accesses()) observer->access(access);
  }
}

void ObserverList::fence(AccessScope scope) {
  for (Observer* observer : observers_) {
    if (observer->observes_accesses()) observer->fence(scope);
  }
}

void ObserverList::statement(const Site& where) {
  for (Observer* observer : observers_) {
    if (observer->observes_statements()) observer->statement(where);
  }
}

void ObserverList::control_flow(detail::ControlFlow what, unsigned loop) {
  for (Observer* observer : observers_) {
    if (observer->observes_statements()) observer->control_flow(what, loop);
  }
}

void ObserverList::preempt() {
  each(&Observer::preempt);
}

void ObserverList::pause(PauseAt where) {
  each(&Observer::pause, where);
}

void ObserverList::resume() {
  each(&Observer::resume);
}

void ObserverList::undefine(const void* from, std::size_t bytes) {
  each(&Observer::undefine, from, bytes);
}

void ObserverList::ignore(const void* from, std::size_t bytes) {
  each(&Observer::ignore, from, bytes);
}

}  // namespace warpfiber::record
