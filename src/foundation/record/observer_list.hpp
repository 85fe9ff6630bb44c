// SPDX-License-Identifier: Apache-2.0
// Several observers of one worker's launches as one.
#pragma once

#include <utility>
#include <vector>

#include "record/observer.hpp"

namespace warpfiber::record {

/// Passes each event on to all of its observers, in their order. They outlive it.
class ObserverList final : public Observer {
 public:
  explicit ObserverList(std::vector<Observer*> observers) : observers_(std::move(observers)) {}

  bool observes_threads() const override;
  bool observes_accesses() const override;
  bool observes_statements() const override;
  void launch_begin(const LaunchBegin& launch) override;
  void launch_end(const LaunchEnd& launch) override;
  void block_begin(const BlockId& block, const memory::SharedArena& shared) override;
  void block_end(const BlockId& block) override;
  void block_runs(const BlockId& block) override;
  void threads_begin(const ThreadRange& threads) override;
  void threads_end(const ThreadRange& threads) override;
  void release(const Release& threads) override;
  void arrive(const void* phase) override;
  void wait(const void* phase) override;
  void phase_end(const PhaseEnd& phase) override;
  void forget_phases(const void* from, std::size_t bytes) override;
  void access(const MemoryAccess& access) override;
  void fence(AccessScope scope) override;
  void statement(const Site& where) override;
  void control_flow(detail::ControlFlow what, unsigned loop) override;
  void preempt() override;
  void pause(PauseAt where) override;
  void resume() override;
  void undefine(const void* from, std::size_t bytes) override;
  void ignore(const void* from, std::size_t bytes) override;
  std::vector<Finding> findings_so_far() const override;

 private:
  template <class... Parameters, class... Arguments>
  void each(void (Observer::*event)(Parameters...), const Arguments&... arguments) {
    for (Observer* observer : observers_) (observer->*event)(arguments...);
  }

  std::vector<Observer*> observers_;
};

}  // namespace warpfiber::record
