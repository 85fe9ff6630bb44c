// SPDX-License-Identifier: Apache-2.0
// The range of addresses in which all memory of simulated devices lies, so that two instructions distinguish it from
// the host's. Nobody can touch what is not taken: neither the page behind each piece, nor what was given back, whose
// addresses are handed out again as late as possible. Any thread may call.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace warpfiber::memory {

struct Span {
  char* base = nullptr;
  std::size_t bytes = 0;
};

/// All of the space, aligned to 2 MiB, the same for the life of the process: 1 TiB, or the largest half, quarter and so
/// on of it that the host grants; no bytes where it grants nothing. The first call reserves it.
Span device_space();

/// Reserves addresses for a space of `most` bytes, or of the largest half, quarter and so on that the host grants.
/// Where the system has few addresses (2^39, as arm64 may have) it leaves as many as the space's shadow takes. Where
/// the process has a limit, it does not.
Span reserve_space(std::size_t most);

namespace detail {
extern constinit std::atomic<std::uintptr_t> space_base;
extern constinit std::atomic<std::size_t> space_bytes;
}  // namespace detail

/// Whether an address lies in the space.
inline bool in_device_space(const void* address) {
  // The size is stored last: as long as it is 0 nothing lies in the space.
  const std::size_t bytes = detail::space_bytes.load(std::memory_order_acquire);
  const std::uintptr_t base = detail::space_base.load(std::memory_order_relaxed);
  return reinterpret_cast<std::uintptr_t>(address) - base < bytes;
}

/// At least `bytes` in whole pages, zeros, with an untouchable page behind them; they begin at a multiple of
/// `alignment`, a power of two, and of the page. Null where the host or the space has none.
char* take(std::size_t bytes, std::size_t alignment = 1);
/// `base` came from take(bytes). The host gets the pages back.
void give_back(char* base, std::size_t bytes);

/// Asks the host to back what came from take(), and will all be used, with huge pages where it is large: kernels go
/// through memory in an order that needs many pages at once. A host that has none gives what it has.
void prefer_huge_pages(char* base, std::size_t bytes);

/// `bytes` in whole pages, without the one behind them.
std::size_t whole_pages(std::size_t bytes);

constexpr std::size_t round_up(std::size_t bytes, std::size_t unit) {
  return (bytes + unit - 1) / unit * unit;
}

}  // namespace warpfiber::memory
