// SPDX-License-Identifier: Apache-2.0
// Reads watched expressions for each thread of a block, and keeps what has changed. Belongs to one worker's recorder.
// Invariants: memory is read only where an object lives; nothing is written.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "memory/objects.hpp"
#include "memory/shared_arena.hpp"
#include "trace/watch/binding.hpp"
#include "trace/watch/expression.hpp"
#include "trace/watch/values.hpp"

namespace warpfiber::trace {

/// What is known of a block that runs.
struct WatchedBlock {
  std::uint64_t rank = 0;
  const memory::SharedArena* shared = nullptr;
  std::vector<std::uint32_t> touched{};          // SharedArena::touched_by() of each variable when the block began
  std::vector<std::vector<WatchedCell>> last{};  // by expression and thread
  std::size_t changes = 0;                       // that are kept
};

class WatchSampler {
 public:
  /// Gives the expressions their meanings in the launch. On a stack with room.
  void begin(std::span<const WatchExpression> expressions, WatchLaunch launch);
  bool is_idle() const { return bound_.empty(); }
  /// What the launch's record says of the expressions.
  const std::vector<WatchedExpression>& described() const { return described_; }

  WatchedBlock block_begins(std::uint64_t rank, const memory::SharedArena& shared) const;
  /// Adds the values as they are now, as far as there is room. Returns how many were others than before.
  std::size_t sample(WatchedBlock& block, std::vector<WatchedValues>& to, std::uint64_t step);

 private:
  struct Bound {
    BoundWatch watch;
    std::size_t described = 0;  // which expression it is
  };

  WatchedCell read(const BoundWatch& watch, const WatchedBlock& block, unsigned thread);
  bool number(const BoundNode& node, std::int64_t& to);
  bool arithmetic(const BoundNode& node, std::int64_t& to);
  bool address(const BoundNode& node, std::uint64_t& to);
  bool load(std::uint64_t address, std::uint64_t bytes, std::uint64_t& to);
  bool is_readable(const char* at, std::size_t bytes);
  bool is_readable_argument(const char* at, std::size_t bytes) const;
  bool is_readable_shared(const char* at, std::size_t bytes);
  bool fail(WatchedState state) { return failed_ = state, false; }

  WatchLaunch launch_{};
  std::vector<WatchedExpression> described_;
  std::vector<Bound> bound_;
  std::vector<unsigned> variables_;  // __shared__ ones of all expressions
  // Of the value that is being read
  const WatchedBlock* block_ = nullptr;
  base::Triple block_index_{0, 0, 0};
  base::Triple thread_index_{0, 0, 0};
  WatchedState failed_ = WatchedState::value;
  memory::AddressRange shared_range_{};  // an object in the shared memory of a block
  memory::AddressRange range_{};
  std::uint64_t generation_ = ~std::uint64_t{0};
};

}  // namespace warpfiber::trace
