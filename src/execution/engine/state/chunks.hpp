// SPDX-License-Identifier: Apache-2.0
// How many clusters a worker takes from a grid at once. Workers that take turns at small pieces of an array read lines
// that the others write, which costs a memory-bound kernel of small blocks half its speed; one that takes too much
// keeps the others waiting at the end.
#pragma once

#include <algorithm>
#include <cstdint>

namespace warpfiber::engine {

/// While blocks never wait, a worker takes chunks of twice as many, up to this many.
inline constexpr unsigned kLargestChunk = 1024;
/// A worker leaves this many chunks of the same length for each worker, itself included.
inline constexpr std::uint64_t kChunksLeft = 4;

/// The length of the next chunk of a worker that wants `wanted` of the `left` clusters that no worker has taken.
inline std::uint64_t chunk_length(std::uint64_t wanted, std::uint64_t left, std::uint64_t workers) {
  if (workers == 1) return wanted;
  return std::clamp<std::uint64_t>(left / (kChunksLeft * workers), 1, wanted);
}

}  // namespace warpfiber::engine
