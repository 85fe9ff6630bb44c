// SPDX-License-Identifier: Apache-2.0
// Return addresses on the stack of a running function, or of a fiber that waits. Unwinding finds them in microseconds;
// where they were found once they are compared in nanoseconds: a function that is left at one address has the same
// frame every time, so a stack with these addresses at these places has come the same way. Any thread may call, about
// its own stack and about those of fibers that nobody runs.
#pragma once

#include <warpfiber/detail/fiber.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace warpfiber::fiber {

/// Where a walk up a stack begins and ends.
struct StackRange {
  const char* frame = nullptr;  // of the function that asks: its frame address
  const char* high = nullptr;   // no return address lies beyond
  std::size_t most = 64;        // addresses
  const void* first = nullptr;  // the return address to begin with; null: that of `frame`
  const void* below = nullptr;  // the function that the last address is not in; null: up to the end
};

struct Returns {
  std::vector<std::uintptr_t> addresses;  // innermost first
  std::vector<const char*> places;        // of the addresses
  bool complete = false;                  // up to the function that was asked for
};

Returns walk(const StackRange& along);

/// The same for a fiber that waits, from where it goes on; its frame address is where its stack ends. Only of `most`
/// and `below` is anything heard. Nothing is found under the portable switch, which keeps its registers out of sight.
Returns walk_waiting(const detail::Fiber& fiber, const StackRange& along);

/// The return address that lies at `place`, of which AddressSanitizer knows nothing.
__attribute__((no_sanitize_address)) inline std::uintptr_t address_at(const char* place) {
  return *reinterpret_cast<const std::uintptr_t*>(place);
}

class Trail {
 public:
  Trail() = default;
  Trail(const Returns& found, const char* frame);

  /// None, or one whose addresses are kept elsewhere than on the stack.
  bool empty() const { return steps_.empty(); }
  /// Whether it leads up from `frame`, `depth` bytes below where the stack begins.
  bool leads_from(const char* frame, std::size_t depth) const {
    if (steps_.empty() || steps_.back().place >= depth) return false;
    for (const Step& step : steps_) {
      if (address_at(frame + step.place) != step.address) return false;
    }
    return true;
  }

 private:
  struct Step {
    std::uint32_t place;  // in bytes above the frame
    std::uintptr_t address;
  };
  std::vector<Step> steps_;  // upwards
};

}  // namespace warpfiber::fiber
