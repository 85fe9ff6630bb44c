// SPDX-License-Identifier: Apache-2.0
// How much a trace keeps. What is beyond is counted as left out.
#pragma once

#include <cstddef>
#include <cstdint>

namespace warpfiber::trace {

// Accesses of one thread by one instruction between two barriers of its block; of further ones only the number is kept.
inline constexpr std::uint32_t kEachThread = 8;
inline constexpr std::size_t kEventsOfBlock = std::size_t{1} << 16;   // accesses
inline constexpr std::size_t kEventsOfOthers = std::size_t{1} << 18;  // of the blocks that are in no sample yet
inline constexpr std::size_t kSeenBytes = std::size_t{64} << 20;      // to distinguish accesses from repetitions
inline constexpr std::size_t kKeptEvents = std::size_t{1} << 20;      // of the process
inline constexpr std::size_t kBlocksOfFindings = 8;                   // of a launch
inline constexpr std::size_t kAreasOfBlock = 64;
inline constexpr std::size_t kResidencies = std::size_t{1} << 16;      // of a launch
inline constexpr std::size_t kKeptResidencies = std::size_t{1} << 20;  // of the process
inline constexpr std::size_t kLaunches = 10'000;
inline constexpr std::size_t kOperations = std::size_t{1} << 16;  // of streams

}  // namespace warpfiber::trace
