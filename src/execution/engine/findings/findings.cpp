// SPDX-License-Identifier: Apache-2.0
// Facts and parties of each finding. Code on a fiber leaves places as addresses, which look_up_places() turns into
// lines on a stack with room.
#include "engine/findings/findings.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/ids.hpp"
#include "base/text.hpp"
#include "engine/findings/calls.hpp"
#include "engine/findings/lane_groups.hpp"
#include "engine/state/worker_state.hpp"
#include "record/diagnosis.hpp"
#include "record/stack_depot.hpp"
#include "report/locate.hpp"
#include "symbols/symboliser.hpp"

namespace warpfiber::engine {

using detail::Fiber;
using detail::WaitList;
using record::Finding;
using record::FixedNote;
using record::Mistake;
using record::Party;
using record::Role;
using record::Verdict;

namespace {

record::Members members_of(const WorkerState& worker, const WaitList& list) {
  std::vector<base::FiberId> ids;
  list.each([&](const Fiber* fiber) { ids.push_back(worker.id_of(*fiber)); });
  std::sort(ids.begin(), ids.end());
  return record::members_of_threads(worker.grid().request.facts, ids);
}

record::Members members_of_lanes(const WorkerState& worker, const Fiber& one, std::uint64_t lanes) {
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

Finding finding(const WorkerState& worker, Verdict verdict, record::Diagnosis diagnosis) {
  Finding made;
  made.verdict = verdict;
  made.launch = worker.grid().request.facts;
  made.diagnosis = std::move(diagnosis);
  return made;
}

symbols::Frames frames_at(std::uintptr_t address) {
  return symbols::Symboliser::of_process().frames(address);
}

}  // namespace

record::Place place_of_instruction(const void* instruction) {
  for (const symbols::Frame& frame : frames_at(reinterpret_cast<std::uintptr_t>(instruction))) {
    if (frame.place.known()) return frame.place;
  }
  return {};
}

namespace {

/// The file of the library's headers that an instruction is of; nothing for one of the program, or where debug
/// information does not say.
std::optional<std::string> header_of(const void* instruction) {
  const symbols::Frames frames = frames_at(reinterpret_cast<std::uintptr_t>(instruction));
  if (frames.empty() || frames.front().users || !frames.front().place.known()) return std::nullopt;
  return frames.front().place.file;
}

}  // namespace

bool is_of_own_object(const void* instruction) {
  // Functions of these headers are called with the user's memory.
  constexpr std::string_view kOfUsers[] = {"warpfiber/intrinsics/atomics.hpp", "warpfiber/cuda/atomic_access.hpp"};
  const std::optional<std::string> file = header_of(instruction);
  return file.has_value() &&
         std::ranges::none_of(kOfUsers, [&file](std::string_view name) { return file->ends_with(name); });
}

bool is_of_synchronising_object(const void* instruction) {
  constexpr std::string_view kHeaders[] = {"warpfiber/groups/",
                                           "warpfiber/detail/",
                                           "warpfiber/intrinsics/phase.hpp",
                                           "warpfiber/cuda/barrier.hpp",
                                           "warpfiber/cuda/mbarrier.hpp",
                                           "warpfiber/cuda/pipeline.hpp",
                                           "warpfiber/cuda/cuda_pipeline.hpp",
                                           "warpfiber/cuda/latch.hpp",
                                           "warpfiber/cuda/semaphore.hpp"};
  const std::optional<std::string> file = header_of(instruction);
  return file.has_value() &&
         std::ranges::any_of(kHeaders, [&file](std::string_view name) { return file->find(name) != file->npos; });
}

record::Place users_place_of(const void* instruction) {
  for (const symbols::Frame& frame : frames_at(reinterpret_cast<std::uintptr_t>(instruction))) {
    if (frame.users) return frame.place;
  }
  return {};
}

record::Place place_of_call(const void* returns_to) {
  // Overloads of the interface are inlined into the user's function.
  constexpr std::string_view kInterface = "warpfiber/cuda/api/";
  if (returns_to == nullptr) return {};
  for (const symbols::Frame& frame : frames_at(reinterpret_cast<std::uintptr_t>(returns_to) - 1)) {
    if (frame.place.known() && frame.place.file.find(kInterface) == std::string::npos) return frame.place;
  }
  return {};
}

void look_up_places(Finding& finding) {
  report::locate(finding);
}

Party party_at(const WorkerState& worker, Role role, const void* instruction, std::string what) {
  const base::FiberId id = base::fiber_id(worker.block().rank, detail::thread_rank(), worker.grid().threads);
  return Party{role, record::members_of_threads(worker.grid().request.facts, std::span(&id, 1)),
               record::Place{.instruction = instruction}, std::move(what)};
}

Party party_of(const WorkerState& worker, Role role, Site site, std::string what) {
  Party party = party_at(worker, role, nullptr, std::move(what));
  party.place = record::place_of(site);
  party.returns = calls_here(worker);
  return party;
}

namespace {

void put_calls(const WorkerState& worker, const WaitList& waiting, Party& party) {
  WaitingCalls calls;
  waiting.each([&](const Fiber* fiber) { calls.add(worker, *fiber); });
  calls.put(party);
}

/// Threads that the block's barrier has counted in its present phase; those of a split one may be anywhere by now.
Party barrier_party(const WorkerState& worker, const ResidentBlock& block) {
  const detail::Barrier& barrier = block.barrier;
  const record::BarrierPhase phase{std::uint64_t{barrier.phase} + 1};
  const record::Place place = record::place_of(barrier.site);
  if (barrier.kind != detail::Operation::split_barrier) {
    Party party{Role::wait, members_of(worker, barrier.waiting), place, "__syncthreads()"};
    party.note = phase;
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
  return {.role = Role::call,
          .who = record::members_of_threads(worker.grid().request.facts, ids),
          .place = place,
          .what = "block.barrier_arrive()",
          .note = phase};
}

}  // namespace

Finding barrier_divergence(const WorkerState& worker, const ResidentBlock& block, Mistake mistake) {
  std::map<std::pair<unsigned, unsigned>, std::vector<base::FiberId>> others;  // by line and column
  for (const MismatchedArrival& stray : block.mismatched_arrivals) {
    others[{stray.site.line, stray.site.column}].push_back(worker.id_of(*stray.fiber));
  }
  Finding made = finding(worker, Verdict::barrier_divergence, mistake);
  made.parties.push_back(barrier_party(worker, block));
  for (auto& [position, ids] : others) {
    const auto stray = std::find_if(block.mismatched_arrivals.begin(), block.mismatched_arrivals.end(),
                                    [&at = position](const MismatchedArrival& one) {
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
    for (const MismatchedArrival& one : block.mismatched_arrivals) {
      if (one.site.line == position.first && one.site.column == position.second) calls.add(worker, *one.fiber);
    }
    calls.put(made.parties.back());
  }
  return made;
}

Finding wide_barrier_divergence(const WorkerState& worker, const char* barrier, const WaitList& waiting, Site first,
                                Site second) {
  Finding made = finding(worker, Verdict::barrier_divergence, record::WideBarriersDiffer{barrier});
  made.parties.push_back({.role = Role::wait,
                          .who = members_of(worker, waiting),
                          .place = record::place_of(first),
                          .what = barrier,
                          .note = FixedNote::awaits_block_at_this_call});
  put_calls(worker, waiting, made.parties.back());
  made.parties.push_back(party_of(worker, Role::call, second, barrier));
  return made;
}

Finding caller_outside_mask(const WorkerState& worker, const Fiber& caller, const detail::Collective& collective,
                            std::uint64_t mask, const detail::LaneArgument& argument) {
  const unsigned size = worker.grid().request.warp_size;
  const std::string lane = "lane " + std::to_string(caller.lane);
  Party party = party_of(worker, Role::call, argument.site, collective.name);
  if (collective.group) {
    party.detail = lane + "; the group has " + base::lanes_text(mask);
    Finding made = finding(worker, Verdict::cg_misuse, Mistake::caller_not_of_group);
    made.parties.push_back(std::move(party));
    const unsigned first = caller.warp->index * size + static_cast<unsigned>(std::countr_zero(mask));
    append_origin(worker.block(), mask, origin_of(collective, &argument), first, members_of_lanes(worker, caller, mask),
                  made.parties);
    return made;
  }
  party.detail = lane + " with mask " + base::mask_text(mask, size);
  // No mask of CUDA's functions has the lane.
  const bool mask_is_too_narrow = caller.lane >= 32 && mask >> 32 == 0;
  Finding made = finding(worker, Verdict::bad_mask, record::CallerOutsideMask{caller.lane, mask_is_too_narrow});
  made.parties.push_back(std::move(party));
  return made;
}

Finding grid_barrier_in_plain_launch(const WorkerState& worker, Site site) {
  const GridRequest& request = worker.grid().request;
  Finding made = finding(worker, Verdict::cg_misuse, Mistake::grid_barrier_without_cooperation);
  made.parties.push_back(party_of(worker, Role::call, site, "grid barrier"));
  if (request.automatic) {
    record::GridTooLarge grid{.blocks = worker.grid().blocks};
    if (request.resident_blocks < grid.blocks) grid.resident = request.resident_blocks;
    made.diagnosis = grid;
  }
  return made;
}

Finding multi_grid_barrier_in_other_launch(const WorkerState& worker, Site site) {
  Finding made = finding(worker, Verdict::cg_misuse, Mistake::multi_grid_barrier_without_launch);
  made.parties.push_back(party_of(worker, Role::call, site, "multi-grid barrier"));
  return made;
}

Finding bad_shared_rank(const WorkerState& worker, unsigned rank, bool own_is_shared, Site site) {
  const unsigned size = worker.grid().cluster_blocks;
  Party party = party_of(worker, Role::call, site, "map_shared_rank()");
  Finding made = finding(worker, Verdict::oob_dsmem, Mistake::rank_of_foreign_pointer);
  if (own_is_shared) {
    party.detail = "rank " + std::to_string(rank) + " of a cluster of " + base::counted(size, "block");
    made.diagnosis = record::ClusterRankTooLarge{size};
  } else {
    party.note = FixedNote::passes_foreign_pointer;
  }
  made.parties.push_back(std::move(party));
  return made;
}

Finding not_shared(const WorkerState& worker, Site site) {
  Finding made = finding(worker, Verdict::oob_dsmem, Mistake::rank_asked_of_foreign_pointer);
  made.parties.push_back(party_of(worker, Role::call, site, "query_shared_rank()"));
  return made;
}

Finding too_much_static_shared(const WorkerState& worker, unsigned used, const char* variable) {
  Finding made = finding(worker, Verdict::launch_error,
                         record::StaticSharedTooLarge{used, worker.grid().request.static_shared_limit});
  made.parties.push_back(party_of(worker, Role::call, {}, shared_name(variable)));
  return made;
}

Finding uncaught_exception(const WorkerState& worker, std::string what) {
  Finding made = finding(worker, Verdict::exception, Mistake::exception_left_kernel);
  made.parties.push_back(party_at(worker, Role::throws, nullptr, std::move(what)));
  return made;
}

Finding assertion_failed(const WorkerState& worker, const char* expression, const char* file, unsigned line,
                         const char* function) {
  Finding made = finding(worker, Verdict::assert, Mistake::assertion_failed);
  Party party = party_of(worker, Role::asserts, Site{file, line}, expression);
  party.place.function = function != nullptr ? function : "";
  made.parties.push_back(std::move(party));
  return made;
}

Finding block_not_repeated(const WorkerState& worker) {
  Finding made = finding(worker, Verdict::trap, Mistake::block_not_repeated);
  made.parties.push_back(party_of(worker, Role::run, {}, "the block"));
  return made;
}

Finding runs_for_ever(const WorkerState& worker, const void* instruction) {
  Finding made = finding(worker, Verdict::livelock, record::ThreadWithoutEnd{worker.grid().request.watchdog_seconds});
  Party party = party_at(worker, Role::spin, instruction, "a loop");
  // The tick has come upon a stack that was in use; the handler's own calls are on top.
  record::StackDepot& depot = record::StackDepot::of_process();
  const record::StackDepot::Addresses calls = depot.at(calls_here(worker));
  const auto here = std::ranges::find(calls, reinterpret_cast<std::uintptr_t>(instruction));
  if (here != calls.end()) party.returns = depot.add({here + 1, calls.end()});
  made.parties.push_back(std::move(party));
  made.may_be_any_of_row = worker.index_is_hidden();
  return made;
}

void explain_end_of_time(const Grid& grid, Finding& finding) {
  const bool dead = grid.dead.load();
  finding.verdict = dead ? Verdict::livelock : Verdict::time_limit;
  if (dead) {
    finding.diagnosis = record::LaunchWithoutProgress{grid.request.watchdog_seconds};
  } else {
    finding.diagnosis = record::TimeLimitReached{};
  }
}

Finding ran_at_end_of_time(const WorkerState& worker, const void* instruction) {
  Finding made = finding(worker, Verdict::time_limit, record::TimeLimitReached{});
  made.parties.push_back(party_at(worker, Role::run, instruction, "a loop"));
  explain_end_of_time(worker.grid(), made);
  made.may_be_any_of_row = true;
  return made;
}

Finding trapped(const WorkerState& worker, Site site, const char* what) {
  Finding made = finding(worker, Verdict::trap, Mistake::stopped_on_purpose);
  made.parties.push_back(party_of(worker, Role::traps, site, what));
  return made;
}

Finding reached_unknown(const WorkerState& worker, Site site, const char* instruction) {
  Finding made = finding(worker, Verdict::trap, record::UnknownInstruction{instruction});
  made.parties.push_back(party_of(worker, Role::traps, site, instruction));
  return made;
}

Finding invalid_free(const WorkerState& worker, const void* memory, memory::Freeing why, const char* call, Site site) {
  Finding made = finding(worker, Verdict::invalid_free, Mistake::heap_freed_foreign);
  made.parties.push_back(party_of(worker, Role::call, site, call));
  record::ObjectFacts& about = made.object.emplace();
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
      made.diagnosis = Mistake::heap_freed_twice;
      break;
    case memory::Freeing::inside:
      about.space = "heap";
      made.diagnosis = Mistake::heap_freed_inside;
      break;
    default: about.space = object.has_value() ? "global" : "no allocation"; break;
  }
  return made;
}

Finding memory_exhausted(const Grid& grid, const char* what) {
  Finding made;
  made.verdict = Verdict::launch_error;
  made.launch = grid.request.facts;
  made.diagnosis = record::HostMemoryExhausted{what};
  return made;
}

}  // namespace warpfiber::engine
