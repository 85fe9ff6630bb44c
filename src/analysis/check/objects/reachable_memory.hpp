// SPDX-License-Identifier: Apache-2.0
// Which allocations a launch can know of: those that its arguments point into, and those that some pointer in memory of
// the device points into. An access to any other one has left the object its pointer came from. Belongs to one worker.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "check/violations/violations.hpp"

namespace warpfiber::check {

/// Memory that kernels reach by a handle and not by a pointer: the texels of an array, or of a texture. As often
/// forgotten as there are handles. Any thread may call.
void reach_by_handle(const void* base);
void forget_handle(const void* base);

class ReachableMemory {
 public:
  /// The launch's arguments; without them everything counts as given. `kernel`: the function that takes them, or null.
  void begin(const void* arguments, std::size_t bytes, const void* kernel);
  const void* kernel() const { return kernel_; }
  std::size_t bytes() const { return bytes_; }
  /// The pointer that lies in the arguments at a multiple of eight bytes.
  const char* pointer_at(std::size_t offset) const {
    const std::size_t word = offset / kStride;
    return word < pointers_.size() ? pointers_[word] : nullptr;
  }
  /// Whether an address is that of an argument itself.
  bool is_argument(const void* address) const {
    const auto* at = static_cast<const char*>(address);
    return at >= arguments_ && at < arguments_ + bytes_;
  }
  /// How many bytes lie between two of the arguments, if they point into the object at `base` and no further than `at`.
  std::optional<std::uint64_t> pointers_apart(const char* base, const char* at) const;
  /// Whether the launch was given the allocation. Looks through the memory of all others when first asked about one
  /// that no argument points into.
  bool given(const char* base, std::size_t bytes);

 private:
  static constexpr std::size_t kStride = 4;

  std::vector<const char*> pointers_;  // words of the arguments
  std::vector<const char*> given_;     // allocations
  const char* arguments_ = nullptr;
  std::size_t bytes_ = 0;
  const void* kernel_ = nullptr;
  bool known_ = false;
};

/// For which objects the index of an access outside of every object may be; not on the stack of a fiber. What the
/// violation is about, as an element of each object that its kernel has names for.
std::vector<MemoryPlace> named_places(const Violation& outside, const ReachableMemory& reach);

}  // namespace warpfiber::check
