// SPDX-License-Identifier: Apache-2.0
// Between an access hook of a checked program and what the hook does: the policy lock-step comes in here, and observers
// that observe accesses. The hooks call these where check::LaunchChecker::sees_every_access(), and where accesses are
// observed without a checker.
#pragma once

#include "engine/state/worker_state.hpp"
#include "record/memory_access.hpp"

namespace warpfiber::engine {

/// The observer of accesses of the kernel that the OS thread runs, where no checker is active; null: none.
inline record::Observer* unchecked_accesses() {
  const WorkerState* worker = WorkerState::current();
  return worker != nullptr ? worker->unchecked_accesses : nullptr;
}

/// The running thread of a kernel is about to access memory, which its hook has not reported yet. In lock-step the
/// other lanes of its warp come to their accesses first. The thread is busy.
void before_access(const record::MemoryAccess& access);
/// The running thread executes a fence. The thread is busy.
void report_fence(record::AccessScope scope);

}  // namespace warpfiber::engine
