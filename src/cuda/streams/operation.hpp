// SPDX-License-Identifier: Apache-2.0
// What a stream is asked to do, as data: it can be looked at, printed, and done again. Which function carries it out is
// said with it, but for launches (Task in scheduler.hpp); nothing here runs.
#pragma once

#include <warpfiber/cuda/api/handles.h>
#include <warpfiber/error.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <variant>
#include <vector>

#include "memory/host/built_by_host.hpp"
#include "process/box.hpp"

namespace warpfiber::process {
struct RunRecord;
}

namespace warpfiber::streams {

struct EventStamp;
struct KernelOperation;

/// A launch of a kernel whose code does nothing but return, as programs make them that measure launches. Nothing of it
/// has to run, so no other thread is needed; its turn comes all the same, and it counts as a launch.
struct EmptyKernelOperation {};

struct CopyOperation {
  process::CopyPlace to{};
  process::CopyPlace from{};
  process::Box box{};
  // Who accesses the ends by their address.
  memory::Accessors to_accessors{};
  memory::Accessors from_accessors{};
  bool is_result = false;                                  // what the program gets of what kernels computed
  std::uint64_t number_of_back = 0;                        // of copies from devices; 0: this is none
  const char* elements = nullptr;                          // what its bytes are
  std::shared_ptr<const std::vector<std::byte>> staged{};  // what `from` points into; null: the program's memory
  std::shared_ptr<process::RunRecord> run{};               // of a determinism check that keeps the copy, by this number
  std::size_t number_in_run = 0;
};

/// What a fill repeats: the lowest bytes of `value`, 1, 2 or 4.
struct FillPattern {
  unsigned value = 0;
  unsigned bytes = 1;
};

struct FillOperation {
  process::CopyPlace to{};
  process::Box box{};
  FillPattern pattern{};
};

/// Memory of a pool may be used from the operation on. Null: of no bytes.
struct AllocationOperation {
  void* memory = nullptr;
  std::size_t bytes = 0;
};

struct FreeOperation {
  void* memory = nullptr;
};

/// Says where managed memory is to be, which changes nothing here.
struct PlacementOperation {
  const void* memory = nullptr;
  std::size_t bytes = 0;
};

/// A box of memory that a function of a library reads or writes.
struct LibraryAccess {
  process::CopyPlace place{};
  process::Box box{};
  bool writes = false;
  const char* name = writes ? "destination" : "source";  // of the argument
};
using LibraryAccesses = std::vector<LibraryAccess>;

/// What a library computes when its turn has come, and which memory that accesses.
struct LibraryOperation {
  LibraryAccesses accesses{};
  std::function<void()> work{};
  std::function<LibraryAccesses()> further{};  // known only when the operation's turn comes; null: nothing
};

/// A function of the program: cudaLaunchHostFunc(), cudaStreamAddCallback() and the driver's.
struct HostFunctionOperation {
  void (*call)(const HostFunctionOperation& of, Error device) = nullptr;  // calls `function` as its type wants it
  void (*function)() = nullptr;
  void* data = nullptr;
  cudaStream_t stream = nullptr;
  bool always = false;  // also where the device has failed
};

/// A place in a stream. Takes no time and never blocks.
struct MarkOperation {
  std::shared_ptr<EventStamp> stamp{};  // of the event that is recorded there; null: none
};

/// Launches are large (kernel_operation.hpp).
using OperationData =
    std::variant<MarkOperation, EmptyKernelOperation, std::shared_ptr<KernelOperation>, CopyOperation, FillOperation,
                 AllocationOperation, FreeOperation, PlacementOperation, LibraryOperation, HostFunctionOperation>;

enum class Work {
  kernel,
  transfer,       // what concerns memory
  host_function,  // the program's own code, which may not call CUDA
  empty_kernel,
  mark,
};

/// Whether whoever finds that the operation's turn has come carries it out at once.
inline bool takes_no_time(Work work) {
  return work == Work::empty_kernel || work == Work::mark;
}

inline Work work_of(const OperationData& operation) {
  if (std::holds_alternative<std::shared_ptr<KernelOperation>>(operation)) return Work::kernel;
  if (std::holds_alternative<EmptyKernelOperation>(operation)) return Work::empty_kernel;
  if (std::holds_alternative<HostFunctionOperation>(operation)) return Work::host_function;
  return std::holds_alternative<MarkOperation>(operation) ? Work::mark : Work::transfer;
}

}  // namespace warpfiber::streams
