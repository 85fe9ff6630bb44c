// SPDX-License-Identifier: Apache-2.0
//
// The kernel that walks through one program: a launch of the program's shape, cooperative and in clusters as it says.
#pragma once

#include "tools/fuzz/kernel/run.hpp"

namespace warpfiber::tools::fuzz {

static __global__ void __launch_bounds__(kMaxThreads) interpret(const Flat* program, Memory memory) {
  WARPFIBER_SHARED(unsigned long long[kMaxThreads], slots);
  WARPFIBER_SHARED(unsigned[kMaxThreads], narrow_slots);
  const auto self = unsigned(cg::this_thread_block().thread_rank());
  const auto thread = unsigned(cg::this_grid().thread_rank());
  ThreadState state = {program, memory, &slots[0], &narrow_slots[0], self, thread, {}, 0, 0};
  for (unsigned i = 0; i < kRegisters; ++i) state.registers[i] = mix(program->seed + i, thread);
  run(WideGroup{root_of(program->shape)}, NodeRange{0, program->count}, state);
  for (unsigned i = 0; i < kRegisters; ++i) state.hash = mix(state.hash, state.registers[i]);
  memory.hashes[thread] = state.hash;
  if (memory.events != nullptr) memory.event_count[thread] = state.events;
}

}  // namespace warpfiber::tools::fuzz
