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
#include "record/stack_frame.hpp"

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

// How far below the top of a thread's stack the functions of a kernel have their frames, as accesses have shown it. So
// a place in a stack that its thread has left leads to the function whose variable was there. Kept for the process;
// any thread may call.

/// It runs threads of `kernel`, as the program launches that; null: not known.
void note_kernel(const void* runs_threads, const void* kernel);
/// That kernel; null where it was not noted.
const void* kernel_run_by(const void* runs_threads);

/// A thread that `runs_threads` runs has these return addresses on its stack, whose top is `high`; `whole`: all.
void note_frames(const void* runs_threads, const char* high, const fiber::Returns& found, bool whole);

/// The frames of such threads that may hold the place `depth` bytes below the top, those first that begin nearest.
std::vector<record::StackFrame> frames_around(const void* runs_threads, std::uint64_t depth);

}  // namespace warpfiber::check
