// SPDX-License-Identifier: Apache-2.0
// A launch as the layer above asks for it, and what came of it.
#pragma once

#include <warpfiber/detail/machine.hpp>
#include <warpfiber/detail/vector_types.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/thread_modes.hpp"
#include "engine/request/convergence_mode.hpp"
#include "record/finding.hpp"
#include "record/launch_order.hpp"
#include "record/observer.hpp"
#include "schedule/options.hpp"

namespace warpfiber::engine {

class DeviceShare;
class MultiGrid;

/// Where the body of a kernel is defined, as the translator says; null and 0 of others.
struct KernelBody {
  const char* file = nullptr;
  unsigned first_line = 0;
  unsigned last_line = 0;          // of its closing brace
  bool ends_without_call = false;  // no function that it calls is the last thing that it does
};

/// What a launch is, as the layer above has checked it.
struct GridRequest {
  dim3 grid;
  dim3 block;
  dim3 cluster;
  std::size_t dynamic_shared = 0;
  bool cooperative = false;
  bool automatic = false;  // cooperative where that was possible, where it was unknown whether the kernel needs it
  unsigned warp_size = 32;
  detail::ComputeCapability capability;
  void (*run_threads)() = nullptr;  // the life of a fiber that runs this kernel's threads
  // Runs a whole block on the stack of its caller, which needs so much more for it; null: none does. Some run only
  // blocks of one row of threads or of rows of whole warps (WarpfiberRegions in <warpfiber/detail/regions.hpp>).
  unsigned (*run_block)(const void* closure) = nullptr;
  std::size_t run_block_stack = 0;
  bool run_block_by_whole_rows = false;
  const void* closure = nullptr;
  std::size_t closure_bytes = 0;  // 0: not known
  bool (*is_grid_constant)(const void* closure, const void* address) = nullptr;
  KernelBody body;
  int device = 0;                       // CUDA's number
  MultiGrid* multi = nullptr;           // where grids of several devices were launched together
  unsigned multi_rank = 0;              // among those
  DeviceShare* device_share = nullptr;  // null: the launch is alone
  std::uint64_t granted_places = 0;     // for clusters, of those that resident_blocks says; all where it is alone
  std::uint64_t resident_blocks = 1;    // how many the device holds at once
  std::size_t stack_bytes = 64 * 1024;
  unsigned workers = 1;
  unsigned static_shared_limit = 48 * 1024;
  unsigned watchdog_seconds = 30;
  Convergence convergence = Convergence::full;
  schedule::PolicyOptions policy;
  bool record_decisions = false;
  bool repeatable = false;                                // one worker was asked for, so that a run can be repeated
  std::uint64_t clock_start = 0;                          // of a repeatable launch: what clock64() counts from
  record::ObserverFactory* checker = nullptr;             // of accesses, which need one worker; null: not checked
  std::span<record::ObserverFactory* const> observers{};  // others
  record::CheckRequest check;                             // where it is checked
  base::FloatMode host_floats;                            // of the thread that asked for the launch
  record::LaunchFacts facts;
  const void* kernel = nullptr;  // as the program names it in a launch
  record::LaunchOrder order;     // number 0: unknown

  bool checked() const { return checker != nullptr; }
  /// Whether other threads may run before each access of the running one, as lanes of a warp do theirs at once.
  bool steps_at_accesses() const { return policy.kind == schedule::PolicyKind::lock_step; }
};

/// What came of it.
struct GridOutcome {
  std::optional<record::Finding> finding;
  bool cancelled = false;      // by cancel(), without a finding
  unsigned static_shared = 0;  // bytes of static shared memory that some block used
  bool grid_barriers = false;  // some thread came to one
  std::uint64_t barriers = 0;  // phases of block, cluster and grid barriers that were completed
  schedule::Recording decisions;
  std::vector<record::Finding> findings{};  // what checks found on the way; none of them ended the launch
  std::uint64_t findings_dropped = 0;       // kinds of them beyond what a launch keeps
  std::uint64_t ended_by_time = 0;          // turns of threads, by the time that they took and not by what they did
  bool is_empty = false;                    // the kernel's code does nothing but return
  bool has_printed = false;                 // some thread called printf()
};

}  // namespace warpfiber::engine
