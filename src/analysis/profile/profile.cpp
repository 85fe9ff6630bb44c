// SPDX-License-Identifier: Apache-2.0
// Sums of counters.
#include "profile/profile.hpp"

#include <tuple>

#include "base/locks/annotated_mutex.hpp"

namespace warpfiber::profile {

BarrierCounts& BarrierCounts::operator+=(const BarrierCounts& other) {
  block += other.block;
  cluster += other.cluster;
  grid += other.grid;
  warp += other.warp;
  return *this;
}

MeetingCounters& MeetingCounters::operator+=(const MeetingCounters& other) {
  meetings += other.meetings;
  threads += other.threads;
  waited += other.waited;
  const auto rank = [](const MeetingCounters& one) {
    return std::tuple(one.block.z, one.block.y, one.block.x, one.thread.z, one.thread.y, one.thread.x);
  };
  // Workers add in any order.
  const bool is_first = other.longest_wait == longest_wait && rank(other) < rank(*this);
  if (other.longest_wait > longest_wait || is_first) {
    longest_wait = other.longest_wait;
    block = other.block;
    thread = other.thread;
  }
  return *this;
}

LineCounters& LineCounters::operator+=(const LineCounters& other) {
  executions += other.executions;
  threads += other.threads;
  by_all += other.by_all;
  return *this;
}

Residency residency_of(std::uint64_t blocks, std::uint64_t resident_blocks) {
  const std::uint64_t waves = (blocks + resident_blocks - 1) / resident_blocks;
  return {resident_blocks, waves, blocks - (waves - 1) * resident_blocks};
}

KernelCounters& KernelCounters::operator+=(const KernelCounters& other) {
  launches += other.launches;
  blocks += other.blocks;
  threads += other.threads;
  if (other.residency.waves > residency.waves) residency = other.residency;
  barriers += other.barriers;
  for (const auto& [instruction, counters] : other.instructions) instructions[instruction] += counters;
  for (const auto& [place, its] : other.meetings) meetings[place] += its;
  for (const auto& [line, its] : other.lines) lines[line] += its;
  left_out += other.left_out;
  return *this;
}

void Profile::add(const void* kernel, const KernelCounters& counters) {
  const base::Lock lock(mutex_);
  kernels_[kernel] += counters;
}

std::map<const void*, KernelCounters> Profile::kernels() const {
  const base::Lock lock(mutex_);
  return kernels_;
}

}  // namespace warpfiber::profile
