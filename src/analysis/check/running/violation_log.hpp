// SPDX-License-Identifier: Apache-2.0
// Where the parts of the checker put what they find: the memory concerned is named while it is there, and accesses with
// an index that is out of bounds are marked. Belongs to one worker.
#pragma once

#include <cstddef>

#include "check/running/running_thread.hpp"
#include "check/running/unwritten_loads.hpp"
#include "check/violations/bad_indices.hpp"
#include "check/violations/refusals.hpp"
#include "check/violations/violations.hpp"

namespace warpfiber::check {

class ViolationLog {
 public:
  ViolationLog(const ThreadNumbering& numbering, const RunningThread& running, const BlockShadows& resident)
      : numbering_(numbering), running_(running), resident_(resident) {}

  Violations& violations() { return violations_; }
  const Violations& violations() const { return violations_; }
  Refusals& refusals() { return refusals_; }
  const Refusals& refusals() const { return refusals_; }
  BadIndices& bad_indices() { return bad_indices_; }
  const BadIndices& bad_indices() const { return bad_indices_; }
  UnwrittenLoads& unwritten() { return unwritten_; }

  /// `earlier`: null where the violation has one side. The violation, where it is kept as a new one; else null.
  Violation* add(ViolationKind kind, const Side* earlier, const Side& now, const void* address, unsigned bytes);
  /// The same of memory that is no object of a device's.
  Violation* add_outside(ViolationKind kind, Space space, const Side& now, const void* address, std::size_t bytes);
  /// The last violation, outside of an object, goes on at `address`.
  void widen(const char* address, unsigned bytes);
  /// The access that the last violation is about begins inside of its object and runs over its end.
  void note_overrun(const char* begin, std::size_t bytes);
  /// The running thread's access at `site` may be the one with the index that it had last.
  void follow_bad_index(const void* address, std::size_t bytes, const Use& use, unsigned site);

  /// The block in whose shared memory the address is; null where there is none.
  const BlockShadow* owner_of_shared(const void* address) const;
  const memory::SharedArena* arena_of(const void* address) const {
    const BlockShadow* owner = owner_of_shared(address);
    return owner == nullptr ? nullptr : owner->arena;
  }
  MemoryPlace place_of(const void* address) const;

 private:
  void note_shared(Violation& outside) const;
  bool is_wider(const Violation* known, const Side& earlier, const Side& now) const;
  unsigned index_site_of(const Side* earlier, const Side& now) const;

  const ThreadNumbering& numbering_;
  const RunningThread& running_;
  const BlockShadows& resident_;
  Violations violations_;
  Refusals refusals_{violations_};
  BadIndices bad_indices_;
  UnwrittenLoads unwritten_{*this};
};

}  // namespace warpfiber::check
