// SPDX-License-Identifier: Apache-2.0
// The threads of one group, in the order of their ranks, and what each of them has.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "tools/fuzz/kernel/program.hpp"

namespace warpfiber::tools::fuzz::reference {

struct ReferenceThread {
  unsigned rank = 0;  // in the grid
  unsigned self = 0;  // in the block
  std::array<std::uint64_t, kRegisters> registers{};
  std::uint64_t hash = 0;
  unsigned events = 0;

  unsigned lane() const { return self % 32; }
};

struct ReferenceGroup {
  Context context = Context::block;
  unsigned meta_size = 0;  // as the thread prints them: of a block the blocks of the grid
  unsigned meta_rank = 0;
  std::vector<ReferenceThread*> threads{};

  unsigned size() const { return unsigned(threads.size()); }
};

/// One for each thread, in the order of ranks.
using ThreadResults = std::vector<std::uint64_t>;

/// The same bit of a register of each thread.
inline bool predicate_of(const ReferenceThread& thread, const Node& node) {
  return (thread.registers[node.a] >> node.bit & 1) != 0;
}

/// Lanes of the group whose thread is among those.
inline unsigned lanes_of(const std::vector<ReferenceThread*>& threads) {
  unsigned mask = 0;
  for (const ReferenceThread* thread : threads) mask |= 1u << thread->lane();
  return mask;
}

/// What a function of one thread computes.
std::uint64_t computed(Arithmetic how, std::uint64_t a, std::uint64_t b);

/// Shuffles, votes, matches, reductions and scans.
ThreadResults collected(const ReferenceGroup& party, const Node& node);

}  // namespace warpfiber::tools::fuzz::reference
