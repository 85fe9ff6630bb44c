// SPDX-License-Identifier: Apache-2.0
#include "engine/findings/findings.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <string_view>
#include <utility>

#include "base/ids.hpp"
#include "base/text.hpp"
#include "engine/findings/calls.hpp"
#include "engine/findings/lane_groups.hpp"
#include "engine/worker.hpp"
#include "report/locate.hpp"
#include "report/symbolise.hpp"

namespace warpfiber::engine {

using detail::Fiber;
using detail::WaitList;
using record::Finding;
using record::Party;
using record::Role;
using record::Verdict;

namespace {

record::Members members_of(const Worker& worker, const WaitList& list) {
  std::vector<base::FiberId> ids;
  list.each([&](const Fiber* fiber) { ids.push_back(worker.id_of(*fiber)); });
  std::sort(ids.begin(), ids.end());
  return record::members_of_threads(worker.grid().request.facts, ids);
}

record::Members members_of_lanes(const Worker& worker, const Fiber& one, std::uint64_t lanes) {
  const unsigned first = one.warp->index * worker.grid().request.warp_size;
  std::vector<base::FiberId> ids;
  base::lane_mask::for_each(lanes, [&](unsigned lane) {
    ids.push_back(base::fiber_id(one.warp->block->rank, first + lane, worker.grid().threads));
  });
  return record::members_of_threads(worker.grid().request.facts, ids);
}

/// "partial (float [32])" of what a compiler calls SharedSlot<T, Tag>::description().
std::string shared_name(std::string_view description) {
  const std::size_t type = description.find("T = ");
  const std::size_t split = std::min(description.find("; Tag = ", type), description.find(", Tag = ", type));
  if (type == std::string_view::npos || split == std::string_view::npos) return std::string(description);
  std::string_view name = description.substr(split + 8, description.rfind(']') - split - 8);
  if (const std::size_t scope = name.rfind(':'); scope != std::string_view::npos) name.remove_prefix(scope + 1);
  constexpr std::string_view kSuffix = "_shared_tag";
  if (name.ends_with(kSuffix)) name.remove_suffix(kSuffix.size());
  return std::string(name) + " (" + std::string(description.substr(type + 4, split - type - 4)) + ")";
}

Finding finding(const Worker& worker, Verdict verdict) {
  Finding made;
  made.verdict = verdict;
  made.launch = worker.grid().request.facts;
  return made;
}

}  // namespace

record::Place place_of_instruction(const void* instruction) {
  report::Symboliser symboliser;
  return place_of_instruction(instruction, symboliser);
}

record::Place place_of_instruction(const void* instruction, report::Symboliser& symboliser) {
  for (const report::Frame& frame : symboliser.frames(reinterpret_cast<std::uintptr_t>(instruction))) {
    if (frame.place.known()) return frame.place;
  }
  return {};
}

bool is_of_own_object(const void* instruction) {
  // Functions of these headers are called with the user's memory.
  constexpr std::string_view kOfUsers[] = {"warpfiber/atomics.hpp", "warpfiber/cuda/atomic_access.hpp"};
  report::Symboliser symboliser;
  const std::vector<report::Frame> frames = symboliser.frames(reinterpret_cast<std::uintptr_t>(instruction));
  if (frames.empty() || report::is_user_frame(frames.front())) return false;
  const std::string& file = frames.front().place.file;
  return std::ranges::none_of(kOfUsers, [&file](std::string_view name) { return file.ends_with(name); });
}

record::Place users_place_of(const void* instruction, report::Symboliser& symboliser) {
  for (const report::Frame& frame : symboliser.frames(reinterpret_cast<std::uintptr_t>(instruction))) {
    if (frame.place.known() && report::is_user_frame(frame)) return frame.place;
  }
  return {};
}

record::Place place_of_call(const void* returns_to) {
  // Overloads of the interface are inlined into the user's function.
  constexpr std::string_view kInterface = "warpfiber/cuda/api/";
  if (returns_to == nullptr) return {};
  report::Symboliser symboliser;
  for (const report::Frame& frame : symboliser.frames(reinterpret_cast<std::uintptr_t>(returns_to) - 1)) {
    if (frame.place.known() && frame.place.file.find(kInterface) == std::string::npos) return frame.place;
  }
  return {};
}

void look_up_places(Finding& finding) {
  report::Symboliser symboliser;
  report::locate(finding, symboliser);
}

Party party_at(const Worker& worker, Role role, const void* instruction, std::string what) {
  const base::FiberId id = base::fiber_id(worker.block().rank, detail::thread_rank(), worker.grid().threads);
  return Party{role, record::members_of_threads(worker.grid().request.facts, std::span(&id, 1)),
               record::Place{.instruction = instruction}, std::move(what)};
}

Party party_of(const Worker& worker, Role role, Site site, std::string what) {
  Party party = party_at(worker, role, nullptr, std::move(what));
  party.place = record::place_of(site);
  party.stack = calls_here(worker);
  return party;
}

namespace {

void put_calls(const Worker& worker, const WaitList& waiting, Party& party) {
  WaitingCalls calls;
  waiting.each([&](const Fiber* fiber) { calls.add(worker, *fiber); });
  calls.put(party);
}

/// Threads that the block's barrier has counted in its present phase; those of a split one may be anywhere by now.
Party barrier_party(const Worker& worker, const ResidentBlock& block) {
  const detail::Barrier& barrier = block.barrier;
  const std::string phase = "barrier number " + std::to_string(barrier.phase + 1) + " since the kernel started";
  const record::Place place = record::place_of(barrier.site);
  if (barrier.kind != detail::BarrierKind::split) {
    Party party{Role::wait, members_of(worker, barrier.waiting), place, "__syncthreads()", phase, {}};
    put_calls(worker, barrier.waiting, party);
    return party;
  }
  std::vector<base::FiberId> ids;
  block.split_waits.waiting.each([&](const Fiber* fiber) { ids.push_back(worker.id_of(*fiber)); });
  for (std::size_t at = 0; at < block.arrivals.size(); at += kSplitBarriers) {
    if (!block.arrivals[at + static_cast<unsigned>(detail::SplitBarrier::block)].open) continue;
    ids.push_back(base::fiber_id(block.rank, at / kSplitBarriers, worker.grid().threads));
  }
  std::sort(ids.begin(), ids.end());
  return Party{Role::call, record::members_of_threads(worker.grid().request.facts, ids),
               place,      "block.barrier_arrive()",
               phase,      {}};
}

}  // namespace

Finding barrier_divergence(const Worker& worker, const ResidentBlock& block) {
  std::map<std::pair<unsigned, unsigned>, std::vector<base::FiberId>> others;  // by line and column
  for (const Stray& stray : block.strays) {
    others[{stray.site.line, stray.site.column}].push_back(worker.id_of(*stray.fiber));
  }
  Finding made = finding(worker, Verdict::barrier_divergence);
  made.parties.push_back(barrier_party(worker, block));
  for (auto& [position, ids] : others) {
    const auto stray = std::find_if(block.strays.begin(), block.strays.end(), [&at = position](const Stray& one) {
      return one.site.line == at.first && one.site.column == at.second;
    });
    std::sort(ids.begin(), ids.end());
    made.parties.push_back(Party{Role::wait,
                                 record::members_of_threads(worker.grid().request.facts, ids),
                                 record::place_of(stray->site),
                                 "__syncthreads()",
                                 "",
                                 {}});
    WaitingCalls calls;
    for (const Stray& one : block.strays) {
      if (one.site.line == position.first && one.site.column == position.second) calls.add(worker, *one.fiber);
    }
    calls.put(made.parties.back());
  }
  made.why =
      "Threads of one block wait at two different barrier calls. A device only counts arrivals and may release both, "
      "but then the barrier does not order the accesses of these threads.";
  made.fix = "use one __syncthreads() outside the branch, which every thread of the block reaches";
  made.sanitizer_term = "Divergent thread(s) in block";
  return made;
}

Finding wide_barrier_divergence(const Worker& worker, const char* barrier, const WaitList& waiting, Site first,
                                Site second) {
  Finding made = finding(worker, Verdict::barrier_divergence);
  made.parties.push_back(Party{Role::wait, members_of(worker, waiting), record::place_of(first), barrier,
                               "for every thread of the block to reach this call"});
  put_calls(worker, waiting, made.parties.back());
  made.parties.push_back(party_of(worker, Role::call, second, barrier));
  made.why = std::string("Threads of one block wait at two different ") + barrier + " calls.";
  made.fix = std::string("use one ") + barrier + " call outside the branch, which every thread reaches";
  return made;
}

Finding caller_outside_mask(const Worker& worker, const Fiber& caller, const detail::Collective& collective,
                            std::uint64_t mask, const detail::LaneArgument& argument) {
  const unsigned size = worker.grid().request.warp_size;
  const std::string lane = "lane " + std::to_string(caller.lane);
  Finding made = finding(worker, collective.group ? Verdict::cg_misuse : Verdict::bad_mask);
  Party party = party_of(worker, Role::call, argument.site, collective.name);
  if (collective.group) {
    party.detail = lane + "; the group has " + base::lanes_text(mask);
    made.parties.push_back(std::move(party));
    const unsigned first = caller.warp->index * size + static_cast<unsigned>(std::countr_zero(mask));
    append_origin(worker.block(), mask, origin_of(collective, &argument), first, members_of_lanes(worker, caller, mask),
                  made.parties);
    made.why = "The calling thread is not a member of the group. Only members may call a group's functions.";
    made.fix = "call it only in threads of the group, or create a group that contains this thread";
    return made;
  }
  party.detail = lane + " with mask " + base::mask_text(mask, size);
  made.parties.push_back(std::move(party));
  made.why =
      "The calling lane is not in the mask it passes. The mask must contain every lane that executes the call, "
      "including the caller.";
  made.fix = "add " + lane + " to the mask, or do not call in this lane";
  // No mask of CUDA's functions has the lane.
  if (caller.lane >= 32 && mask >> 32 == 0)
    made.fix = "compile with -DWARPFIBER_WIDE_WARPS: without it masks have 32 bits";
  made.sanitizer_term = "Invalid arguments";
  return made;
}

Finding grid_barrier_in_plain_launch(const Worker& worker, Site site) {
  const GridRequest& request = worker.grid().request;
  Finding made = finding(worker, Verdict::cg_misuse);
  made.parties.push_back(party_of(worker, Role::call, site, "grid barrier"));
  if (request.automatic) {
    const std::uint64_t blocks = worker.grid().blocks;
    made.why = "The kernel synchronises its grid, so all " + base::counted(blocks, "block") +
               " must be resident at once, but the device " +
               (request.resident_blocks < blocks ? "holds " + std::to_string(request.resident_blocks)
                                                 : "does not support cooperative launches") +
               ". The code before this call has already run.";
    made.fix = "launch at most max_cooperative_grid_blocks(kernel, block, dynamic_shared) blocks";
    return made;
  }
  made.why =
      "The launch is not cooperative, so its blocks are not guaranteed to be resident at the same time. A device traps "
      "here.";
  made.fix =
      "launch with cudaLaunchCooperativeKernel() (in the native API .cooperative = true), with at most as many blocks "
      "as fit the device";
  return made;
}

Finding multi_grid_barrier_in_other_launch(const Worker& worker, Site site) {
  Finding made = finding(worker, Verdict::cg_misuse);
  made.parties.push_back(party_of(worker, Role::call, site, "multi-grid barrier"));
  made.why =
      "The grid was not launched by cudaLaunchCooperativeKernelMultiDevice(), so there is no multi-grid group: "
      "multi_grid_group::is_valid() is false. A device traps here.";
  made.fix = "launch with cudaLaunchCooperativeKernelMultiDevice(), or synchronise one grid: this_grid().sync()";
  return made;
}

Finding bad_shared_rank(const Worker& worker, unsigned rank, bool own_is_shared, Site site) {
  const unsigned size = worker.grid().cluster_blocks;
  Finding made = finding(worker, Verdict::oob_dsmem);
  Party party = party_of(worker, Role::call, site, "map_shared_rank()");
  party.detail = own_is_shared ? "rank " + std::to_string(rank) + " of a cluster of " + base::counted(size, "block")
                               : "the pointer is not to the caller's shared memory";
  made.parties.push_back(std::move(party));
  made.why = own_is_shared ? "The cluster has no block of this rank, so there is no shared memory to map."
                           : "map_shared_rank() takes a pointer to the caller's own shared memory.";
  made.fix = own_is_shared ? "use a rank from 0 to " + std::to_string(size - 1) : "pass a pointer to a shared variable";
  return made;
}

Finding not_shared(const Worker& worker, Site site) {
  Finding made = finding(worker, Verdict::oob_dsmem);
  made.parties.push_back(party_of(worker, Role::call, site, "query_shared_rank()"));
  made.why = "The pointer is not to the shared memory of a block of the caller's cluster.";
  made.fix = "pass a pointer to a shared variable, or one that map_shared_rank() returned";
  return made;
}

Finding too_much_static_shared(const Worker& worker, unsigned used, const char* variable) {
  const unsigned limit = worker.grid().request.static_shared_limit;
  Finding made = finding(worker, Verdict::launch_error);
  made.parties.push_back(party_of(worker, Role::call, {}, shared_name(variable)));
  made.why = "The kernel uses " + base::bytes_text(used) + " of static shared memory; the limit for a block is " +
             base::bytes_text(limit) + ". nvcc refuses to compile such a kernel.";
  made.fix =
      "use dynamic shared memory (the third argument of <<<>>>, in the native API LaunchConfig::dynamic_shared), which "
      "may "
      "be larger, or smaller arrays";
  return made;
}

Finding uncaught_exception(const Worker& worker, std::string what) {
  Finding made = finding(worker, Verdict::exception);
  made.parties.push_back(party_at(worker, Role::throws, nullptr, std::move(what)));
  made.why = "An exception left the kernel. Device code cannot throw; nvcc refuses it.";
  made.fix = "catch it in the kernel, or store an error code in memory";
  return made;
}

Finding assertion_failed(const Worker& worker, const char* expression, const char* file, unsigned line,
                         const char* function) {
  Finding made = finding(worker, Verdict::assert);
  Party party = party_of(worker, Role::asserts, Site{file, line}, expression);
  party.place.function = function != nullptr ? function : "";
  made.parties.push_back(std::move(party));
  made.why = "The condition is false in this thread. The device ends the launch with cudaErrorAssert.";
  return made;
}

Finding runs_for_ever(const Worker& worker, const void* instruction) {
  Finding made = finding(worker, Verdict::livelock);
  Party party = party_at(worker, Role::spin, instruction, "a loop");
  // The tick has come upon a stack that was in use; the handler's own calls are on top.
  std::vector<record::Place> calls = calls_here(worker);
  const void* last_byte = static_cast<const char*>(instruction) - 1;
  const auto here = std::ranges::find(calls, last_byte, &record::Place::instruction);
  if (here != calls.end()) party.stack.assign(here + 1, calls.end());
  made.parties.push_back(std::move(party));
  made.why = "The thread has run for " + std::to_string(worker.grid().request.watchdog_seconds) +
             " s of CPU time without reaching an atomic, a barrier or the end of the kernel. It may only be slow: "
             "WARPFIBER_WATCHDOG=0 removes this limit.";
  if (worker.index_is_hidden()) {
    made.why += kAnyOfRow;
    made.why += " If it waits for another of these threads, WARPFIBER_POLICY=random runs that one.";
  }
  return made;
}

void explain_end_of_time(const Grid& grid, Finding& finding) {
  if (grid.dead.load()) {
    finding.verdict = Verdict::livelock;
    finding.why = "For " + base::counted(grid.request.watchdog_seconds, "second") +
                  " no thread has started or returned, and memory has not changed, except for words that count or "
                  "alternate. The lines above show where the threads were stopped. The kernel may only be slow: "
                  "WARPFIBER_WATCHDOG=0 removes this limit.";
    finding.fix = "check what ends the loop that these threads are in: a thread has to store the value they wait for";
    return;
  }
  finding.verdict = Verdict::time_limit;
  finding.why =
      "The time limit of the run expired while this kernel ran. The kernel may be slow, or it may never end: the lines "
      "above show where its threads were stopped.";
  finding.fix = "check what the threads wait for; if the kernel is only slow, raise the time limit";
}

Finding ran_at_end_of_time(const Worker& worker, const void* instruction) {
  Finding made = finding(worker, Verdict::time_limit);
  made.parties.push_back(party_at(worker, Role::run, instruction, "a loop"));
  explain_end_of_time(worker.grid(), made);
  made.why += kAnyOfRow;
  return made;
}

Finding trapped(const Worker& worker, Site site, const char* what) {
  Finding made = finding(worker, Verdict::trap);
  made.parties.push_back(party_of(worker, Role::traps, site, what));
  made.why = "The thread stopped on purpose. The device ends the launch.";
  return made;
}

Finding invalid_free(const Worker& worker, const void* memory, memory::Freeing why, const char* call, Site site) {
  Finding made = finding(worker, Verdict::invalid_free);
  made.parties.push_back(party_of(worker, Role::call, site, call));
  record::Object& about = made.object.emplace();
  about.address = reinterpret_cast<std::uintptr_t>(memory);
  const auto object = memory::object_at(memory);
  if (object.has_value()) {
    const auto offset = static_cast<std::uint64_t>(static_cast<const char*>(memory) - object->base);
    about.bytes = record::Bytes{offset, 0, object->bytes};
    about.name = object->name;
    about.type = object->type;
    const auto before = [](const void* returns_to) {
      return returns_to == nullptr ? nullptr : static_cast<const char*>(returns_to) - 1;
    };
    about.declared.instruction = before(object->made_by);
    about.freed.instruction = before(object->freed_by);
  }
  switch (why) {
    case memory::Freeing::twice:
      about.space = "heap";
      made.why = "The memory was already freed, and may have been allocated again since.";
      made.fix = "free each allocation once, and set the pointer to null after that";
      break;
    case memory::Freeing::inside:
      about.space = "heap";
      made.why = "The pointer is inside an allocation; it is not the one that malloc() or new returned.";
      made.fix = "free the pointer that malloc() or new returned";
      break;
    default:
      about.space = object.has_value() ? "global" : "no allocation";
      made.why = "The memory is not from the device's heap: only malloc() and new in a kernel allocate there.";
      made.fix = "free memory of cudaMalloc() with cudaFree() on the host; do not free variables";
      break;
  }
  made.sanitizer_term = why == memory::Freeing::twice ? "Device-side double free" : "Device-side invalid free";
  return made;
}

Finding memory_exhausted(const Grid& grid, const char* what) {
  Finding made;
  made.verdict = Verdict::launch_error;
  made.launch = grid.request.facts;
  made.why = std::string("The host is out of memory for ") + what + ".";
  made.fix =
      "use a smaller device model, which has fewer resident threads, or smaller stacks (WARPFIBER_STACK, "
      "LaunchConfig::stack_bytes)";
  return made;
}

}  // namespace warpfiber::engine
