// SPDX-License-Identifier: Apache-2.0
// The rare case of atomicAdd on floats. The device's units for global memory flush subnormal inputs and results to
// zeroes of their sign; its shared memory keeps them (PTX ISA, "atom"; measured on an H200, tests/conformance/golden).
// Host code outside kernels computes as the host does.
#include <warpfiber/intrinsics/atomics.hpp>

#include <algorithm>

#include "engine/run.hpp"
#include "engine/state/block.hpp"

namespace warpfiber::detail {

namespace {

/// Shared memory that the running block can reach: its own and that of its cluster.
bool in_shared_memory(const void* address) {
  const auto& block = static_cast<const engine::ResidentBlock&>(*current_thread.block);
  if (block.arena.contains(address)) return true;
  if (block.cluster == nullptr) return false;
  const auto& members = block.cluster->blocks;
  return std::any_of(members.begin(), members.end(),
                     [address](const engine::ResidentBlock* member) { return member->arena.contains(address); });
}

float flushed(float number) {
  return is_subnormal(number) ? __builtin_copysignf(0, number) : number;
}

}  // namespace

float subnormal_sum(float old, float value, const void* address) {
  if (!engine::inside_kernel() || in_shared_memory(address)) return old + value;
  return flushed(flushed(old) + flushed(value));
}

}  // namespace warpfiber::detail
