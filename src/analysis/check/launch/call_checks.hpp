// SPDX-License-Identifier: Apache-2.0
// What checked code reports in addition to its accesses: shuffles, conversions, promises, indices, loads past caches,
// waits for other launches. Belongs to one
// worker.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "check/bounds/outside_memory.hpp"
#include "check/calls/access_sites.hpp"
#include "check/counted/counted_accesses.hpp"
#include "check/races/dependency_waits.hpp"
#include "check/running/identity.hpp"
#include "check/running/running_thread.hpp"
#include "check/running/violation_log.hpp"
#include "check/values/lane_values.hpp"

namespace warpfiber::check {

/// Loads that a device makes through caches which its own writes do not reach: __ldg(), textures. What the kernel
/// itself has written before may be missing in them, whatever orders the two.
class ReadOnlyLoads {
 public:
  ReadOnlyLoads(const LaunchIdentity& launch, const RunningThread& running, ViolationLog& log)
      : launch_(launch), running_(running), log_(log) {}

  /// The running thread's load of some bytes of a word. What is unordered with it is a race of its own.
  void check(std::size_t index, unsigned bytes, unsigned site);

 private:
  const LaunchIdentity& launch_;
  const RunningThread& running_;
  ViolationLog& log_;
};

}  // namespace warpfiber::check

namespace warpfiber::record {
struct OutsideIndex;
}

namespace warpfiber::check {

class CallChecks {
 public:
  CallChecks(const ThreadNumbering& numbering, LaunchIdentity& launch, RunningThread& running, CountedAccesses& counted,
             AccessSites& sites, ViolationLog& log, LaneValues& values, OutsideMemory& outside, bool strict)
      : dependencies_(numbering, launch, running),
        read_only_(launch, running, log),
        numbering_(numbering),
        running_(running),
        counted_(counted),
        sites_(sites),
        log_(log),
        values_(values),
        outside_(outside),
        strict_(strict) {}

  // All are of the running thread. `instruction` is the one after the call.
  /// A shuffle takes from a lane outside its mask. Returns its site.
  unsigned foreign_lane(std::uint64_t mask, unsigned source, bool named, const void* instruction);
  /// What the thread gets from there, where a number can stand for it; else `value`.
  std::uint64_t foreign_value(unsigned site, const Operand& operand, std::uint64_t value);
  /// It comes to a shuffle, and gets this.
  void offer(const Operand& operand) {
    if (!values_.none()) values_.offer(caller(), operand);
  }
  void receive(const Operand& operand, std::uint64_t value) {
    if (!values_.none()) values_.receive(caller(), operand, value);
  }
  /// The mask of a collective is what __activemask() has returned at `line`. `diverged`: lanes may have come apart
  /// before.
  void active_lanes(std::uint64_t mask, unsigned line, bool diverged, const void* instruction);
  /// Shared memory of two names is read by one of them.
  struct TwoNames {
    const char* name;
    const char* other;
    unsigned stored;       // line
    unsigned overwritten;  // line
  };
  void one_memory(const TwoNames& names, const void* instruction);
  void rank_beyond(int rank, unsigned size, const void* instruction);
  /// A conversion loses the number. `detail` says of what to what.
  void conversion(const std::string& detail, const void* instruction);
  /// A byte that is neither 0 nor 1 is read as a bool.
  void odd_bool(unsigned byte, const void* instruction);
  /// An asynchronous copy is promised that `address` is a multiple of `alignment`, which it is.
  void promised(const void* address, std::size_t alignment, const Site& call);
  /// An index that is about to be used is outside the bounds of its array.
  void index_outside(const record::OutsideIndex& bad, const void* instruction);
  /// A load through a cache that the kernel's writes do not reach, before its hook.
  void read_only_load(const void* address, std::size_t bytes, const void* instruction);

  DependencyWaits& dependencies() { return dependencies_; }

 private:
  ShuffleCaller caller();
  Violation* add(ViolationKind kind, unsigned site, bool write);

  DependencyWaits dependencies_;
  ReadOnlyLoads read_only_;
  const ThreadNumbering& numbering_;
  RunningThread& running_;
  CountedAccesses& counted_;
  AccessSites& sites_;
  ViolationLog& log_;
  LaneValues& values_;
  OutsideMemory& outside_;
  bool strict_;
};

}  // namespace warpfiber::check
