// SPDX-License-Identifier: Apache-2.0
//
// What is wrong, as facts: a mistake of which the kind says everything, or one with numbers and names. The room report
// makes the sentences of them.
// Invariants: strings own their text and are names of the program's or of CUDA's functions, never sentences. Counts and
// sizes are exact; bytes unless said otherwise.
#pragma once

#include <warpfiber/error.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "record/finding.hpp"
#include "record/mistake.hpp"
#include "record/reason.hpp"

namespace warpfiber::record {

/// An index outside the bounds of its array.
struct OutsideIndex {
  std::string array{};          // its type, "float[33]"
  std::uint64_t elements = 0;   // of the array
  std::int64_t index = 0;       // as a signed number
  std::uint64_t as_passed = 0;  // with the bits of its type
  bool has_sign = true;         // its type does
  bool elements_are_arrays = false;
  unsigned line = 0;    // of the source, where the index is; 0: not known
  unsigned column = 0;  // of the index, as the compiler says it
  std::string name{};   // of the array, as that line has it; empty: not known
};

/// Launches in different streams; kernels without a name are empty.
struct UnorderedLaunches {
  std::string first{};
  std::string second{};
  bool waits_in_vain = false;  // the stream of the second, for an event that had not been recorded
  bool overlap = false;        // the second is launched to begin while the first runs, and does not wait for it
};

/// A variable of the host that a kernel accesses.
struct HostVariable {
  std::string name{};
};

/// Threads of a block are at two calls of such a barrier.
struct WideBarriersDiffer {
  std::string barrier{};
};

/// A lane calls a collective with a mask that leaves it out.
struct CallerOutsideMask {
  unsigned lane = 0;
  bool mask_is_too_narrow = false;  // for lanes of such a number
};

/// The kernel turns out to synchronise its grid, which is too large for the device.
struct GridTooLarge {
  std::uint64_t blocks = 0;
  std::optional<std::uint64_t> resident{};  // that fit; none: the device has no cooperative launches
};

/// map_shared_rank() with a rank beyond the cluster.
struct ClusterRankTooLarge {
  unsigned blocks = 0;
};

struct StaticSharedTooLarge {
  std::uint64_t used = 0;
  std::uint64_t limit = 0;
};

/// The host has no memory for what the launch needs.
struct HostMemoryExhausted {
  std::string purpose{};
};

/// A thread that reaches nothing the watchdog sees; seconds of its CPU time.
struct ThreadWithoutEnd {
  std::uint64_t seconds = 0;
};

/// Nothing in the launch changes.
struct LaunchWithoutProgress {
  std::uint64_t seconds = 0;
};

/// The time of the run is over.
struct TimeLimitReached {};

/// Resident blocks wait for others; `most` could run at once.
struct BlocksNotResident {
  std::uint64_t most = 0;
};

/// Grids of a multi-device launch that have returned before its barrier.
struct GridsReturned {
  std::vector<unsigned> grids{};
};

/// Lanes of a warp are at two calls with one mask.
struct CallsOfMaskDiffer {
  std::string one{};
  std::string other{};
};

/// A barrier in memory, or one with a number, lacks arrivals.
struct PhaseIncomplete {
  int number = -1;  // of the barrier; below 0: it is in memory
  std::uint64_t expected = 0;
  std::uint64_t arrived = 0;
  bool threads_returned = false;
  bool in_circle = false;  // what would arrive waits for this
};

/// Threads have left the kernel without this barrier.
struct BarrierSkipped {
  std::string barrier{};
  bool of_grid = false;
};

struct StackOverflowed {
  std::uint64_t stack = 0;
};

/// What is near an address that no device can access.
struct NearAddress {
  bool is_null = false;          // or a small offset from null
  std::uint64_t allocation = 0;  // address of the nearest one; 0: there is none
  std::uint64_t allocation_bytes = 0;
  std::int64_t offset = 0;  // of the address from it
};

struct AddressInaccessible {
  NearAddress near{};
};

/// There is no function.
struct CalledAddress {
  NearAddress near{};
};

/// A library's inline PTX has this instruction, which is not modelled.
struct UnknownInstruction {
  std::string text{};
};

/// The processor has refused an access to what was freed.
struct FreedAllocation {
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
};

/// A local variable of a thread that has returned from its kernel.
struct EndedLocal {
  std::string function{};  // that declares it; empty: not known
  std::string kernel{};    // which its thread ran
};

/// The threads of a split barrier, and what is wrong with its two halves.
enum class GroupScope { block, cluster, grid };
struct SplitBarrierMisused {
  enum class Kind { arrives_twice, waits_without_arrival, collective_between, never_waits };
  Kind kind{};
  GroupScope scope{};
};

/// bar.sync and its kin with a number of threads that no barrier can have.
struct NamedBarrierCount {
  unsigned warp_size = 0;
  unsigned block_threads = 0;
};

/// Arguments of a call for a barrier in memory.
struct PhaseMisused {
  enum class Kind { uninitialised, count_out_of_range, too_many_arrivals, bytes_out_of_range };
  Kind kind{};
  std::int64_t limit = 0;
  std::int64_t given = 0;
  std::string name{};  // of the barrier; empty: not known
};

/// Coordinates of an access to a surface; x in bytes.
struct SurfaceMisused {
  bool outside = false;  // of the surface; else x is no multiple of what is accessed
  bool writes = false;
  std::uint64_t bytes = 0;  // of the access
  std::int64_t x = 0;
  std::int64_t y = 0;
  std::int64_t z = 0;
  std::uint64_t width = 0;  // of the surface, in bytes
  std::uint64_t rows = 1;
  std::uint64_t slices = 1;
};

/// Arguments of an asynchronous copy.
struct CopyMisused {
  enum class Kind {
    misaligned_destination,
    misaligned_source,
    size_not_multiple,
    size_not_supported,
    too_many_zeroes,
    not_to_shared
  };
  Kind kind{};
  std::uint64_t given = 0;
  std::uint64_t wanted = 0;
  std::string name{};  // of what is at the address `given`; empty: not known
};

/// Lanes, arguments or fragments of an operation on matrices.
struct MatrixMisused {
  enum class Kind { misaligned, leading_dimension, warp_incomplete, arguments_differ, fragment_not_loaded };
  Kind kind{};
  std::uint64_t given = 0;   // the address, the dimension, the lanes that are there, or the matrix: 0 A, 1 B, 2 C
  std::uint64_t wanted = 0;  // what it must be a multiple of
  std::string name{};        // of what is at the address; empty: not known
};

/// The host uses the name of a variable of the device.
struct DeviceVariableOnHost {
  std::string name{};
  bool is_constant = false;
  bool writes = false;
};

/// A copy to the host of bytes that nobody has written.
struct UnwrittenCopy {
  std::uint64_t copied = 0;
  std::uint64_t unwritten = 0;
  bool computes = false;  // a function of a library computes with what it reads
  std::string shared{};   // an element that several threads wrote, where whole elements are unwritten; else empty
};

/// Likewise of the same part of each row, which a launch explains.
struct UnwrittenRows {
  std::uint64_t copied = 0;
  std::uint64_t unwritten = 0;
  std::uint64_t bytes = 0;  // of a row that nobody has written
  std::uint64_t rows = 0;
  std::uint64_t pitch = 0;
  std::string kernel{};
  char axis = 'x';
  std::uint64_t threads = 0;  // of the launch along the axis
};

/// An allocation, or several of one line, that were not freed.
struct Leak {
  enum class Kind { device, heap, pinned, registered };
  enum class End { process, device_reset };
  std::uint64_t allocations = 0;
  std::uint64_t bytes = 0;
  Kind kind{};
  End end{};
};

/// The process has ended before a kernel.
struct KernelUnfinished {
  enum class Interruption {
    exit_in_kernel,
    exit_in_host_function,
    exit_in_call,
    earlier_work,
    nobody_waits,  // the program has just not waited, and the kernel prints
  };
  Interruption interruption{};
  std::string call{};  // of CUDA's, in which the program called exit()
};

/// Host functions of streams have started, and every OS thread of the process sleeps until another of them wakes it.
struct HostFunctionsAsleep {
  unsigned functions = 0;  // that have started
};

/// An index, or an offset, in device memory that leads a function of cuSPARSE outside of a matrix or its arrays.
struct SparseIndexOutside {
  std::string call{};
  std::string what{};         // "column index"
  std::int64_t position = 0;  // in its array
  std::int64_t index = 0;
  std::int64_t least = 0;  // that it may be
  std::int64_t most = 0;
};

/// The device failed before.
struct DeviceFailed {
  Error error{};
};

/// What is wrong is stated by a function of CUDA's runtime, which returns `error`.
struct StatedDiagnosis {
  enum class By { refused_launch, refused_call, free, copy, fill };
  By by{};
  Reason reason{};
  Reason fix{};
  std::string call{};  // refused_call: the function
  Error error{};
  std::string status{};  // of a library, in place of `error`
};

using DiagnosisFacts =
    std::variant<Mistake, OutsideAccess, OutsideIndex, UnorderedLaunches, HostVariable, WideBarriersDiffer,
                 CallerOutsideMask, GridTooLarge, ClusterRankTooLarge, StaticSharedTooLarge, HostMemoryExhausted,
                 ThreadWithoutEnd, LaunchWithoutProgress, TimeLimitReached, BlocksNotResident, GridsReturned,
                 CallsOfMaskDiffer, PhaseIncomplete, BarrierSkipped, StackOverflowed, AddressInaccessible,
                 CalledAddress, UnknownInstruction, FreedAllocation, EndedLocal, SplitBarrierMisused, NamedBarrierCount,
                 PhaseMisused, SurfaceMisused, CopyMisused, MatrixMisused, DeviceVariableOnHost, UnwrittenCopy,
                 UnwrittenRows, Leak, KernelUnfinished, HostFunctionsAsleep, SparseIndexOutside, DeviceFailed,
                 StatedDiagnosis>;

/// One of these, as a type that finding.hpp can name without them.
struct Diagnosis : DiagnosisFacts {
  using DiagnosisFacts::DiagnosisFacts;
  Diagnosis() = delete;
};

}  // namespace warpfiber::record
