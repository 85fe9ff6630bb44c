// SPDX-License-Identifier: Apache-2.0
// The one thread-local object: what runs on this OS thread right now. CUDA's built-in variables are its neighbours,
// because kernels name them and local variables of the same name must be able to hide them.
// Written by the engine and by the fast paths of this folder.
#pragma once

#include <warpfiber/detail/arch/current_thread.hpp>
#include <warpfiber/detail/machine.hpp>

namespace warpfiber::detail {

/// The last write to a word by an atomic, so that a report on threads that spin on it can say who wrote it last.
struct WrittenWord {
  const void* address;
  Site site;
  std::uint64_t block;
  unsigned thread;
};
inline constexpr std::size_t kWrittenWords = 256;  // a power of two

/// Of a block.
inline constexpr unsigned kMostThreads = 1024;

struct CurrentThread {
  /// The running fiber if its waits may take the inlined path; null while it claims, and under every policy that has to
  /// be asked.
  Fiber* waitable = nullptr;
  Block* block = nullptr;
  /// The running fiber while its thread has not waited yet.
  Fiber* claimer = nullptr;
  Fiber* fiber = nullptr;
  /// The one that runs, all lanes of which may take the inlined path of its shuffle; no other path may be taken then,
  /// so `waitable` is null.
  Convoy* volatile convoy = nullptr;
  /// True while lists are being changed: the preemption signal then leaves this OS thread alone.
  volatile bool busy = false;
  /// Atomics that changed nothing, and fences, until the thread has to let others run.
  int polls_left = 0;
  /// Some thread has slept, and whoever polls next lets others run in its place.
  bool asleep = false;
  /// The running thread's last look at a volatile word found that it has to wait.
  bool waiting = false;
  /// Threads seem to wait for what never comes, and say which words they poll.
  bool notes_polls = false;
  /// One past the x of the last thread of the row that is being claimed.
  unsigned row_end = 0;
  /// Many blocks of this launch have run and no thread has waited: rows run in a loop that keeps more in registers.
  bool unwaited_rows = false;
  /// The same, and the kernel's body is straight-line code: rows run in a loop that compilers may vectorise. It keeps
  /// the index of the running thread nowhere.
  bool straight_line_rows = false;
  /// The launch's body is straight-line code (kStraightLine in claim.hpp).
  bool straight_line_body = false;
  /// An atomic that brings `progress` to this asks whether the running thread's turn is over.
  std::uint64_t ask_from = ~std::uint64_t{0};
  /// Counts everything that may free a thread that spins; see docs/architecture.md, "Stalls".
  std::uint64_t progress = 0;
  WrittenWord* written = nullptr;
  bool has_written = false;  // some word of it is of this launch
  char* dynamic_shared = nullptr;
  int device = 0;                 // CUDA's number of the device that runs the launch
  void* worker = nullptr;         // engine::Worker
  const void* closure = nullptr;  // of the launch: kernel and arguments
  // The shared memory of the running block, static and dynamic.
  const char* shared = nullptr;
  std::size_t shared_bytes = 0;
  const void* thread_code = nullptr;  // all that a thread of the launch does; null: not known
};

extern constinit thread_local CurrentThread current_thread WARPFIBER_OF_THREAD("warpfiber_current_thread");

/// current_thread, found anew. A compiler keeps the place of a thread-local variable in a register or on the stack,
/// which each switch loads from the next fiber; whatever is found through it then waits for those loads.
inline __attribute__((always_inline)) CurrentThread& here() {
  if constexpr (kRunsAsRegions) return current_thread;
  return *arch::current_thread_anew(current_thread);
}

/// here().busy = false, in fewer instructions: what every thread does first when it goes on.
inline __attribute__((always_inline)) void clear_busy() {
  arch::clear_of_current_thread<__builtin_offsetof(CurrentThread, busy)>(current_thread.busy);
}

/// Whether the running thread has waited, so that its fiber claims no more. Between calls of a kernel compilers would
/// keep the place of current_thread in a register that one of its arguments could have.
inline __attribute__((always_inline)) bool has_waited() {
  return arch::is_null_in_current_thread<__builtin_offsetof(CurrentThread, claimer)>(current_thread.claimer);
}

}  // namespace warpfiber::detail

namespace warpfiber::detail {
struct BuiltInExtent : uint3 {};
}  // namespace warpfiber::detail

/// Index of the calling thread in its block (CUDA C++ Programming Guide, "Built-in Variables").
WARPFIBER_BUILT_IN uint3 threadIdx WARPFIBER_OF_THREAD("threadIdx");
/// Index of the calling thread's block in its grid.
WARPFIBER_BUILT_IN uint3 blockIdx WARPFIBER_OF_THREAD("blockIdx");
/// Threads of a block in each dimension.
WARPFIBER_BUILT_IN WARPFIBER_BUILT_IN_EXTENT blockDim WARPFIBER_OF_THREAD("blockDim");
/// Blocks of the grid in each dimension.
WARPFIBER_BUILT_IN WARPFIBER_BUILT_IN_EXTENT gridDim WARPFIBER_OF_THREAD("gridDim");
/// Lanes of a warp: 32 unless the launch asked for another size.
WARPFIBER_BUILT_IN int warpSize WARPFIBER_OF_THREAD("warpSize");

#ifndef __CUDACC__  // `warpfiber nvcc` includes it behind cuda_runtime.h
#include <warpfiber/detail/unit_version.hpp>
#endif
