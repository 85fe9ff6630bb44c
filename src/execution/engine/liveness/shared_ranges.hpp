// SPDX-License-Identifier: Apache-2.0
// All memory that threads of a launch can share, as ranges, and a number for what it holds. For whoever may look at it
// while it does not come or go: a tick, or the last worker in a vote.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/liveness/memory_changes.hpp"

namespace warpfiber::engine {

struct Grid;
struct WorkerState;

/// Shared memory of the worker's blocks, and what every worker's threads reach.
std::vector<MemoryRange> shared_ranges(const WorkerState& worker);

/// The same with the shared memory of all blocks of the launch.
std::vector<MemoryRange> shared_ranges(const Grid& grid);

/// The same without the words of 64 bits at `words`.
std::vector<MemoryRange> without_words(const std::vector<MemoryRange>& ranges, std::vector<const void*> words);

/// Nothing where memory was given back meanwhile. Takes about a second for 2 GB.
std::optional<std::uint64_t> hash_of(std::span<const MemoryRange> ranges);

}  // namespace warpfiber::engine
