// SPDX-License-Identifier: Apache-2.0
// The profile of a process: the sums over all launches of each kernel. Workers add what they have counted when their
// part of a launch ends. Any thread may call.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <tuple>

#include "base/index.hpp"
#include "base/locks/annotated_mutex.hpp"
#include "profile/request.hpp"

namespace warpfiber::profile {

/// An instruction that accesses memory, by the address that its access hook returns to.
struct AccessInstruction {
  const void* address = nullptr;
  AccessSpace space = AccessSpace::global;
  AccessOperation operation = AccessOperation::load;

  friend bool operator<(const AccessInstruction& a, const AccessInstruction& b) {
    return std::tie(a.address, a.space, a.operation) < std::tie(b.address, b.space, b.operation);
  }
};

/// How often threads came to barriers, and by which: all of a block, a cluster or a grid.
struct BarrierCounts {
  std::uint64_t block = 0;
  std::uint64_t cluster = 0;
  std::uint64_t grid = 0;
  std::uint64_t warp = 0;  // shuffles, votes and barriers of a warp's lanes

  BarrierCounts& operator+=(const BarrierCounts& other);
};

/// Who meets at a barrier or a collective. `group`: threads of a block that are not the lanes of one warp.
enum class MeetingWidth : std::uint8_t { warp, group, block, cluster, grid };

/// A call at which threads meet, by its line.
struct MeetingPlace {
  std::string file;  // empty: not known
  unsigned line = 0;
  MeetingWidth width = MeetingWidth::block;

  friend bool operator<(const MeetingPlace& a, const MeetingPlace& b) {
    return std::tie(a.file, a.line, a.width) < std::tie(b.file, b.line, b.width);
  }
};

/// What threads wait at a barrier, in steps: statements that the last thread to come has executed beyond theirs since
/// the barrier before.
struct BarrierWait {
  std::uint64_t steps = 0;  // of all threads
  std::uint64_t longest = 0;
  std::uint64_t block = 0;  // who waited longest, by rank; of several the first
  unsigned thread = 0;
};

struct MeetingCounters {
  std::uint64_t meetings = 0;
  std::uint64_t threads = 0;       // that met
  std::uint64_t waited = 0;        // steps, of a program that reports its statements
  std::uint64_t longest_wait = 0;  // of one thread at one meeting
  base::Triple block{};            // who waited that long; of several the first
  base::Triple thread{};

  MeetingCounters& operator+=(const MeetingCounters& other);
};

/// A line of the program's source.
struct SourceLine {
  std::string file;
  unsigned line = 0;

  friend bool operator<(const SourceLine& a, const SourceLine& b) {
    return std::tie(a.file, a.line) < std::tie(b.file, b.line);
  }
};

/// How often a line was executed.
struct LineCounters {
  std::uint64_t executions = 0;  // by a warp
  std::uint64_t threads = 0;     // that took part, over all executions
  std::uint64_t by_all = 0;      // executions in which all lanes of the warp took part

  LineCounters& operator+=(const LineCounters& other);
  friend bool operator==(const LineCounters&, const LineCounters&) = default;
};

/// How the blocks of a launch fit the device: waves of as many as it holds at once. Blocks of a GPU start when others
/// end, not all at once; the last wave says how much of the device has nothing to do at the end.
struct Residency {
  std::uint64_t resident_blocks = 0;  // at once
  std::uint64_t waves = 0;
  std::uint64_t last_wave = 0;  // blocks
};

Residency residency_of(std::uint64_t blocks, std::uint64_t resident_blocks);

/// What is counted for a kernel.
struct KernelCounters {
  std::uint64_t launches = 0;
  std::uint64_t blocks = 0;
  std::uint64_t threads = 0;
  Residency residency;  // of the launch with the most waves, the first of them
  BarrierCounts barriers;
  std::map<AccessInstruction, Counters> instructions;
  std::map<MeetingPlace, MeetingCounters> meetings;
  std::map<SourceLine, LineCounters> lines;  // empty: the program does not report its statements
  /// Accesses in no request: more of a warp were open than are kept.
  std::uint64_t left_out = 0;

  KernelCounters& operator+=(const KernelCounters& other);
};

class Profile {
 public:
  void add(const void* kernel, const KernelCounters& counters);
  /// By the address that the program launches.
  std::map<const void*, KernelCounters> kernels() const;

 private:
  mutable base::Mutex mutex_;
  std::map<const void*, KernelCounters> kernels_ WARPFIBER_GUARDED_BY(mutex_);
};

/// A profile as JSON, with the names of Nsight Compute's metrics (docs/counters.md). `name_of` gives the name of a
/// kernel by its address. Looks up the line of each instruction. Not to be called on a thread of a kernel.
std::string to_json(const Profile& profile, std::string (*name_of)(const void* kernel));

}  // namespace warpfiber::profile
