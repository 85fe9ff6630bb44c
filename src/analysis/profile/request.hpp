// SPDX-License-Identifier: Apache-2.0
// A request: what the lanes of one warp access by one execution of an instruction, and what it costs the memory of a
// GPU in units that can be counted. Global memory moves in sectors of 32 bytes, four of which make a line. Shared
// memory has 32 banks of four bytes. A wavefront is one pass over all banks, and each bank gives one word a pass.
// Accesses of eight bytes take at least two passes, those of sixteen four, each for a part of the lanes. Pure.
// Sources: CUDA C++ Programming Guide, "Device Memory Accesses" and "Shared Memory"; Nsight Compute's documentation,
// "Metrics Reference"; docs/counters.md, which compares the counts with those of a GPU.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

namespace warpfiber::profile {

inline constexpr unsigned kLanes = 32;

enum class AccessSpace : std::uint8_t { global, shared, distributed, constant };  // distributed: of another block
enum class AccessOperation : std::uint8_t { load, store, atomic };

struct WarpRequest {
  std::uint32_t lanes = 0;  // that take part
  std::uint32_t bytes = 0;  // of each access: 1, 2, 4, 8 or 16
  std::array<std::uintptr_t, kLanes> address{};

  unsigned active() const { return lanes == ~std::uint32_t{0} ? kLanes : static_cast<unsigned>(std::popcount(lanes)); }
};

/// How many units of `unit` bytes, a power of two, the request touches: sectors of 32, lines of 128.
unsigned units(const WarpRequest& request, unsigned unit);

/// Passes over the banks of shared memory that the request takes, and would take without conflicts.
unsigned wavefronts(const WarpRequest& request);
unsigned least_wavefronts(const WarpRequest& request);

/// The most lanes of the request that access one address: updates of one address follow one another.
unsigned most_at_one_address(const WarpRequest& request);

/// Sums over requests.
struct Counters {
  std::uint64_t requests = 0;
  std::uint64_t lanes = 0;  // threads that took part
  std::uint64_t sectors = 0;
  std::uint64_t lines = 0;
  std::uint64_t wavefronts = 0;
  std::uint64_t conflicts = 0;    // wavefronts beyond the least
  std::uint64_t one_address = 0;  // of atomics: the most lanes at one address

  void add(const WarpRequest& request, AccessSpace space, AccessOperation operation);
  Counters& operator+=(const Counters& other);
  friend bool operator==(const Counters&, const Counters&) = default;
};

}  // namespace warpfiber::profile
