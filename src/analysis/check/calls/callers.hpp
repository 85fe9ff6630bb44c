// SPDX-License-Identifier: Apache-2.0
// By which calls a thread has come to an access. Where everything is inlined into the kernel there are none, and the
// instruction says all. Elsewhere the calls are part of what a shadow cell's number of a site stands for
// (check/cells/sites.hpp), so that the stack of an access is known long after it. Invariants: belongs to one worker and
// outlives launches; a stack that is not known for sure is not reported at all.
#pragma once

#include <warpfiber/detail/site.hpp>

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "check/cells/sites.hpp"
#include "fiber/trails.hpp"

namespace warpfiber::check {

/// The frame of the function that this is inlined into.
inline __attribute__((always_inline)) const char* own_frame() {
  return static_cast<const char*>(__builtin_frame_address(0));
}

/// Whether code that a call returns to is the user's own, not that of the library around it; asked once an address.
using IsUsers = std::function<bool(std::uintptr_t)>;

class Callers {
 public:
  explicit Callers(IsUsers is_users) : is_users_(std::move(is_users)) {}

  /// Threads of kernels run in calls of this function.
  void begin(const void* runs_threads) { runs_threads_ = runs_threads; }

  /// The number of `instruction`, to which a call returns that was made above `frame`.
  unsigned number(const void* instruction, const char* frame);
  /// The same of a call that says where it is.
  unsigned number(const Site& call, const char* frame);

  /// Whether nothing is to be said of calls that lead to the instruction, now and later.
  bool is_alone(const void* instruction) { return ways_to(instruction).alone != kUnknownSite; }

 private:
  static constexpr std::size_t kDeepest = 32;   // calls, from the innermost on
  static constexpr std::size_t kMostWays = 64;  // to one instruction; beyond, no calls are reported for it any more

  struct Way {
    fiber::Trail trail{};
    unsigned number = 0;
  };
  struct Ways {
    unsigned alone = kUnknownSite;  // the number, where there is nothing to report
    std::vector<Way> known{};
  };

  Ways& ways_to(const void* key);
  unsigned find(const void* key, const char* frame);
  unsigned learn(const void* key, unsigned alone, const void* first, const char* frame);
  bool is_users(std::uintptr_t returns_to);

  IsUsers is_users_;
  const void* runs_threads_ = nullptr;
  // Of instructions, and of calls by their number; those that were asked for lately.
  std::unordered_map<const void*, Ways> ways_;
  struct Place {
    const void* key = nullptr;
    Ways* ways = nullptr;
  };
  static constexpr std::size_t kPlaces = 256;
  std::array<Place, kPlaces> places_{};
  std::unordered_map<std::uintptr_t, bool> users_;
};

}  // namespace warpfiber::check
