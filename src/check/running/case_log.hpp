// SPDX-License-Identifier: Apache-2.0
// Where the parts of the checker put what they find: the memory concerned is named while it is there, and accesses with
// an index that is out of bounds are marked. Belongs to one worker.
#pragma once

#include <cstddef>

#include "check/cases/bad_indices.hpp"
#include "check/cases/cases.hpp"
#include "check/cases/refusals.hpp"
#include "check/running/running_thread.hpp"
#include "check/running/unwritten_loads.hpp"

namespace warpfiber::check {

class CaseLog {
 public:
  CaseLog(const ThreadNumbering& numbering, const RunningThread& running, const BlockShadows& resident)
      : numbering_(numbering), running_(running), resident_(resident) {}

  Cases& cases() { return cases_; }
  const Cases& cases() const { return cases_; }
  Refusals& refusals() { return refusals_; }
  const Refusals& refusals() const { return refusals_; }
  BadIndices& bad_indices() { return bad_indices_; }
  const BadIndices& bad_indices() const { return bad_indices_; }
  UnwrittenLoads& unwritten() { return unwritten_; }

  /// `earlier`: null where the case has one side. The case, where it is kept as a new one; else null.
  Case* add(Hazard hazard, const Side* earlier, const Side& now, const void* address, unsigned bytes);
  /// The same of memory that is no object of a device's.
  Case* add_outside(Hazard hazard, Space space, const Side& now, const void* address, std::size_t bytes);
  /// The last case, outside of an object, goes on at `address`.
  void widen(const char* address, unsigned bytes);
  /// The access that the last case is about begins inside of its object and runs over its end.
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
  void note_shared(Case& outside) const;
  bool is_wider(const Case* known, const Side& earlier, const Side& now) const;
  unsigned index_site_of(const Side* earlier, const Side& now) const;

  const ThreadNumbering& numbering_;
  const RunningThread& running_;
  const BlockShadows& resident_;
  Cases cases_;
  Refusals refusals_{cases_};
  BadIndices bad_indices_;
  UnwrittenLoads unwritten_{*this};
};

}  // namespace warpfiber::check
