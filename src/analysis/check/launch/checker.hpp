// SPDX-License-Identifier: Apache-2.0
// The checker as an observer of launches: events of the engine become what threads know of each other, and at the end
// of a launch what was found becomes findings. Belongs to one worker; the hooks of its OS thread reach it as
// `active_checker`.
#pragma once

#include <memory>
#include <vector>

#include "check/calls/callers.hpp"
#include "check/launch/launch_checker.hpp"
#include "record/observer.hpp"

namespace warpfiber::check {

class Checker final : public record::Observer {
 public:
  Checker(IsUsers is_users, AskHostMemory host_memory)
      : callers_(std::move(is_users)), host_memory_(std::move(host_memory)) {}
  ~Checker() override;

  void launch_begin(const record::LaunchBegin& launch) override;
  void launch_end(const record::LaunchEnd& launch) override;
  void block_begin(const record::BlockId& block, const memory::SharedArena& shared) override;
  void block_end(const record::BlockId& block) override;
  void block_runs(const record::BlockId& block) override;
  void release(const record::Release& threads) override;
  void arrive(const void* phase) override;
  void wait(const void* phase) override;
  void phase_end(const record::PhaseEnd& phase) override;
  void forget_phases(const void* from, std::size_t bytes) override;
  void preempt() override;
  void pause(record::PauseAt where) override;
  void resume() override;
  void undefine(const void* from, std::size_t bytes) override;
  void ignore(const void* from, std::size_t bytes) override;
  std::vector<record::Finding> findings_so_far() const override;

 private:
  BlockShadow& at(const record::BlockId& block) { return *blocks_[block.slot]; }
  /// What barriers order, with all accesses so far in the shadow.
  Synchronisation& sync() {
    launch_->flush();
    return launch_->sync();
  }
  void release_lanes(const record::Release& lanes);
  void note_mask(BlockShadow& block, const record::Release& lanes);

  Callers callers_;
  AskHostMemory host_memory_;
  std::unique_ptr<LaunchChecker> launch_;  // of the launch that runs
  const record::LaunchFacts* facts_ = nullptr;
  std::vector<std::unique_ptr<BlockShadow>> blocks_;  // by slot
  std::vector<BlockShadow*> released_;                // of one event; kept for its memory
  std::vector<Waiter> waiting_;                       // likewise
  unsigned pauses_ = 0;
  LaunchChecker* paused_ = nullptr;  // active_checker before the first of them
};

}  // namespace warpfiber::check
