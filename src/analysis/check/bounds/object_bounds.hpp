// SPDX-License-Identifier: Apache-2.0
// Whether accesses to device memory stay in an object that the launch may use, and whether they read uninitialised
// bytes. Belongs to one worker.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>

#include "check/objects/reachable_memory.hpp"
#include "check/races/shadow_word.hpp"
#include "check/running/violation_log.hpp"
#include "check/values/lane_values.hpp"
#include "memory/objects.hpp"

namespace warpfiber::check {

/// An object that was looked up: accesses within it need no other look.
struct KnownObject {
  const char* begin = nullptr;
  const char* end = nullptr;
  bool initialised = false;
  bool host_reaches = false;  // and writes it without calls or hooks
  // Of shared memory, the block's; others may run next that reach it no more. Null where no cluster's block is in the
  // way.
  const memory::SharedArena* arena = nullptr;
};

class ObjectBounds {
 public:
  ObjectBounds(RunningThread& running, ViolationLog& log, LaneValues& values, ReachableMemory& reach)
      : running_(running), log_(log), values_(values), reachable_(reach) {}

  /// An access begins, to one word or several.
  void begin_access() {
    refused_ = is_of_other_object_ = false;
    fresh_bytes_ = 0;
  }
  /// Whether these bytes of a word are in one object, which is last() then; if not, the violation has been added.
  bool contain(const char* address, unsigned bytes, const Use& use, unsigned site);
  const KnownObject& last() const { return objects_[last_]; }
  /// Null where the object was not looked up lately.
  const KnownObject* known(const char* address, unsigned bytes) const {
    const auto* const found = std::ranges::find_if(objects_, [=, this](const KnownObject& one) {
      const bool is_within = address >= one.begin && address + bytes <= one.end;
      return is_within && (one.arena == nullptr || one.arena == running_.block().arena);
    });
    return found == std::end(objects_) ? nullptr : found;
  }
  /// memory::objects_generation() when objects were looked up.
  std::uint64_t generation() const { return generation_; }
  /// Objects in that shared memory are not known any more.
  void forget(const memory::SharedArena& arena);

  /// The last access was outside of any object, in freed memory or misaligned.
  bool refused() const { return refused_; }
  /// The last access is to be left out: it was refused, or was to an object that the launch was not given.
  bool leaves_out() const { return refused_ || is_of_other_object_; }
  /// Whether these bytes are in one object that the launch may use. Adds no violation.
  bool holds(const char* address, unsigned bytes) const;
  /// Which allocations the launch can know of.
  const ReachableMemory& reachable() const { return reachable_; }
  void refuse() { refused_ = true; }

  /// Those of `bytes` of a word read by the access that are uninitialised, unless the host has written them.
  void count_fresh(std::size_t index, unsigned bytes);
  /// How many of the access's bytes were uninitialised before it.
  unsigned fresh_bytes() const { return fresh_bytes_; }

  /// Whether the thread has come there by an index that a shuffle got from outside its mask.
  bool is_led_by_undefined(const char* address);

 private:
  bool look_up(const char* address, unsigned bytes, const Use& use, unsigned site);
  void refuse(const char* address, unsigned bytes, bool freed, const Use& use, unsigned site);
  bool host_reaches(const char* address, unsigned bytes) const;

  static constexpr unsigned kKnownObjects = 4;

  RunningThread& running_;
  ViolationLog& log_;
  LaneValues& values_;
  ReachableMemory& reachable_;
  KnownObject objects_[kKnownObjects];
  unsigned last_ = 0;
  std::uint64_t generation_ = 0;
  bool refused_ = false;
  bool is_of_other_object_ = false;
  const char* refused_end_ = nullptr;  // behind the part of the access that was
  unsigned fresh_bytes_ = 0;
};

}  // namespace warpfiber::check
