// SPDX-License-Identifier: Apache-2.0
// Rendezvous of any threads of a block, and what groups that spread over blocks share. A set is an identity of its own:
// threads that bring equal sets meet, wherever their copies lie. Called by threads inside a kernel; the engine's half
// is in src/execution/engine/arrivals.
#pragma once

#include <warpfiber/detail/group.hpp>

#include <cstddef>
#include <cstdint>

namespace warpfiber::detail {

/// Threads of one block: bit r stands for the one of linear rank r.
struct ThreadSet {
  static constexpr unsigned kWords = 1024 / 64;

  std::uint64_t words[kWords] = {};

  bool has(unsigned rank) const { return (words[rank / 64] >> rank % 64 & 1) != 0; }
  void add(unsigned rank) { words[rank / 64] |= std::uint64_t{1} << rank % 64; }

  unsigned count() const {
    unsigned count = 0;
    for (const std::uint64_t word : words) count += static_cast<unsigned>(__builtin_popcountll(word));
    return count;
  }
  /// How many members have a lower rank.
  unsigned count_below(unsigned rank) const {
    unsigned count = 0;
    for (unsigned i = 0; i < rank / 64; ++i) count += static_cast<unsigned>(__builtin_popcountll(words[i]));
    const std::uint64_t below = (std::uint64_t{1} << rank % 64) - 1;
    return count + static_cast<unsigned>(__builtin_popcountll(words[rank / 64] & below));
  }

  template <class Visit>
  void each(Visit&& visit) const {
    for (unsigned i = 0; i < kWords; ++i) {
      for (std::uint64_t rest = words[i]; rest != 0; rest &= rest - 1) {
        visit(i * 64 + static_cast<unsigned>(__builtin_ctzll(rest)));
      }
    }
  }

  friend bool operator==(const ThreadSet&, const ThreadSet&) = default;
};

Switch arrive_at_set(const ThreadSet& members, const GroupCollective& collective, GroupPart* part);

/// The members of the block's threads `members` meet, the caller among them; the ranks in their parts count the members
/// below. On return `collective.complete` has run. Members that have returned are left out. Members that come to
/// different collectives, and callers that are no members, end the launch with `cg-misuse`.
inline void meet(const ThreadSet& members, const GroupCollective& collective, GroupPart* part) {
  checked_meets_some();
  leave(arrive_at_set(members, collective, part));
  clear_busy();
}

/// Where the blocks of a group wait for each other; one thread of each does.
struct WideMeeting {
  std::uint64_t word = 0;                     // a Phase<WideFields>: an arrival for each block
  const void* calls[2] = {nullptr, nullptr};  // which call the group has come to in this phase, by its parity
  void* callers = nullptr;                    // of each block one, at a roll call
};

/// `count` of them, which stay until the launch ends.
WideMeeting* make_wide_meetings(std::size_t count, Site site);

}  // namespace warpfiber::detail
