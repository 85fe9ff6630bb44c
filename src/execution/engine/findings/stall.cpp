// SPDX-License-Identifier: Apache-2.0
// From the state of a launch that cannot go on to a finding: what is wrong, who waits for whom, and a cycle of waits.
#include "engine/findings/findings.hpp"

#include <algorithm>
#include <cstring>

#include "base/text.hpp"
#include "check/objects/named_memory.hpp"
#include "engine/findings/lane_groups.hpp"
#include "engine/findings/stall_snapshot.hpp"
#include "engine/state/worker_state.hpp"
#include "record/diagnosis.hpp"

namespace warpfiber::engine {

using machine::RendezvousKind;
using record::Finding;
using record::FixedNote;
using record::Mistake;
using record::Party;
using record::Role;
using record::Verdict;

namespace {

/// The memory at `address` that the threads of `party` wait for.
record::ObjectFacts object_at(const StallSnapshot& still, const WaitSet& set, const void* address, const Party& party) {
  const GridRequest& request = still.grid.request;
  check::ReachableMemory reach;
  reach.begin(request.closure, request.closure_bytes, request.kernel);
  record::ObjectFacts object = check::facts_of_word(address, {reach, code_of(party)});
  if (object.space.empty()) object.space = "memory";
  if (set.state == WaitState::at_phase) {
    object.value.clear();
  } else if (object.value.empty()) {
    std::uint32_t value = 0;
    std::memcpy(&value, address, sizeof value);
    object.value = std::to_string(value);
  }
  if (const detail::WrittenWord* word = still.last_write(address)) {
    const base::FiberId id = base::fiber_id(word->block, word->thread, still.grid.threads);
    object.last_write = record::Write{record::members_of_threads(still.grid.request.facts, std::span(&id, 1)),
                                      record::place_of(word->site)};
  }
  return object;
}

/// Whether ascending `numbers` are neighbours.
bool is_run(const std::vector<base::FiberId>& numbers) {
  return !numbers.empty() && numbers.back() - numbers.front() + 1 == numbers.size();
}

record::PartyNote run_note(const std::vector<base::FiberId>& numbers, bool of_group) {
  return record::AwaitedThreads{numbers.front(), numbers.back(), of_group};
}

/// The threads that are missing, where that is so in every block.
record::PartyNote awaited_at_barrier(const StallSnapshot& still, const WaitSet& set) {
  const unsigned threads = still.grid.threads;
  const std::uint64_t block = base::block_of(set.threads.front(), threads);
  std::vector<base::FiberId> missing;
  for (const WaitSet& other : still.sets) {
    if (&other == &set) continue;
    for (const base::FiberId id : other.threads) {
      if (base::block_of(id, threads) == block) missing.push_back(base::thread_of(id, threads));
    }
  }
  std::sort(missing.begin(), missing.end());
  if (!is_run(missing)) return FixedNote::awaits_threads_of_block;
  return run_note(missing, false);
}

record::PartyNote awaited_in_group(const StallSnapshot& still, std::size_t index) {
  const auto open = std::find_if(still.groups.begin(), still.groups.end(),
                                 [index](const OpenGroup& group) { return group.wait_set == index; });
  if (is_run(open->missing)) return run_note(open->missing, true);
  return record::AwaitedCount{open->missing.size()};
}

record::PartyNote awaited_by_lanes(const StallSnapshot& still, std::size_t index) {
  const auto open = std::ranges::find(still.open_lanes, index, &OpenLanes::wait_set);
  if (open == still.open_lanes.end()) return {};
  return record::AwaitedLanes{open->missing, open->mask, open->collective->group};
}

record::PartyNote awaited_at_rendezvous(const StallSnapshot& still, const WaitSet& set, std::size_t index) {
  switch (set.kind) {
    case RendezvousKind::block_barrier: return awaited_at_barrier(still, set);
    case RendezvousKind::split_barrier: return FixedNote::awaits_arrivals_of_block;
    case RendezvousKind::cluster_barrier: return FixedNote::awaits_threads_of_cluster;
    case RendezvousKind::grid_barrier: return FixedNote::awaits_blocks_of_grid;
    case RendezvousKind::multi_grid_barrier: return FixedNote::awaits_blocks_of_all_grids;
    case RendezvousKind::lanes: return awaited_by_lanes(still, index);
    case RendezvousKind::group: return awaited_in_group(still, index);
    case RendezvousKind::named_barrier: return {};  // its threads are at a phase
  }
  __builtin_unreachable();
}

/// For whom the threads of a set wait.
record::PartyNote awaited_by(const StallSnapshot& still, const WaitSet& set, std::size_t index) {
  switch (set.state) {
    case WaitState::at_rendezvous: return awaited_at_rendezvous(still, set, index);
    case WaitState::at_phase:
      return record::AwaitedArrivals{set.phase.expected, set.phase.pending, set.phase.bytes,
                                     set.phase.number,   set.phase.parity,  still.phase_at(set.address)};
    case WaitState::at_group_phase: return record::AwaitedBlocks{set.phase.pending};
    case WaitState::converging: return FixedNote::awaits_lanes_of_warp;
    case WaitState::meeting: return FixedNote::meets_again;
    case WaitState::spinning:
    case WaitState::ready:
    case WaitState::mismatched: return {};
  }
  __builtin_unreachable();
}

Role role_of(WaitState state) {
  if (state == WaitState::ready) return Role::run;
  return state == WaitState::spinning || state == WaitState::meeting ? Role::spin : Role::wait;
}

std::vector<Party> parties_of(const StallSnapshot& still) {
  const record::LaunchFacts& facts = still.grid.request.facts;
  std::vector<Party> parties;
  for (std::size_t i = 0; i < still.sets.size(); ++i) {
    const WaitSet& set = still.sets[i];
    Party party{role_of(set.state), record::members_of_threads(facts, set.threads), set.place, set.what};
    party.note = awaited_by(still, set, i);
    set.calls.put(party);
    if (set.address != nullptr && set.phase.number < 0) party.object = object_at(still, set, set.address, party);
    for (const void* word : set.further) party.further.push_back(object_at(still, set, word, party));
    parties.push_back(std::move(party));
  }
  for (const Exited& one : still.finished) {
    parties.push_back({.role = Role::exited, .who = record::members_of_blocks(facts, one.who), .place = one.place});
  }
  const auto add_threads = [&](const std::vector<Exited>& exited, const record::PartyNote& note) {
    for (const Exited& one : exited) {
      parties.push_back(
          {.role = Role::exited, .who = record::members_of_threads(facts, one.who), .place = one.place, .note = note});
    }
  };
  add_threads(still.first_exited, FixedNote::arrives_for_block);
  add_threads(still.returned, {});
  if (!still.not_started.empty()) {
    parties.push_back({.role = Role::not_started, .who = record::members_of_blocks(facts, still.not_started)});
  }
  return parties;
}

bool is_at(const WaitSet& set, RendezvousKind kind) {
  return set.state == WaitState::at_rendezvous && set.kind == kind;
}

/// The set that the last writer of the word polled by set `index` stands in, or none: sets.size().
std::size_t holder_of(const StallSnapshot& still, std::size_t index) {
  const WaitSet& set = still.sets[index];
  const detail::WrittenWord* word = still.last_write(set.address);
  for (std::size_t i = 0; word == nullptr && i < set.further.size(); ++i) word = still.last_write(set.further[i]);
  if (word == nullptr) return still.sets.size();
  const auto found = still.set_of.find(base::fiber_id(word->block, word->thread, still.grid.threads));
  return found == still.set_of.end() ? still.sets.size() : found->second;
}

/// Whom set `index` waits for among the sets, or none.
std::size_t next_in_cycle(const StallSnapshot& still, std::size_t index) {
  const WaitSet& set = still.sets[index];
  if (set.state == WaitState::spinning) return holder_of(still, index);
  if (set.state == WaitState::meeting) return still.sets.size();  // those for whom they wait come again and again
  for (const OpenLanes& open : still.open_lanes) {
    if (open.wait_set != index || open.missing == 0) continue;
    const unsigned lane = base::lane_mask::lowest(open.missing);
    const unsigned thread = open.warp->index * still.grid.request.warp_size + lane;
    const auto found = still.set_of.find(base::fiber_id(open.block->rank, thread, still.grid.threads));
    return found == still.set_of.end() ? still.sets.size() : found->second;
  }
  if (is_at(set, RendezvousKind::lanes)) return still.sets.size();
  // A barrier waits for whoever of its members stands elsewhere.
  const std::uint64_t block = base::block_of(set.threads.front(), still.grid.threads);
  for (std::size_t other = 0; other < still.sets.size(); ++other) {
    if (other == index) continue;
    const bool same_state = set.state == still.sets[other].state;
    if (same_state && set.state == WaitState::at_group_phase) continue;
    const bool both_phases = same_state && set.state == WaitState::at_phase;
    if (both_phases && set.address == still.sets[other].address) continue;
    const bool same_block =
        (set.state == WaitState::at_rendezvous && traits_of(set.kind).scope >= machine::MemoryScope::cluster) ||
        std::any_of(still.sets[other].threads.begin(), still.sets[other].threads.end(),
                    [&](base::FiberId id) { return base::block_of(id, still.grid.threads) == block; });
    if (same_block) return other;
  }
  return still.sets.size();
}

/// Sets that wait for one another in a circle, in order; empty if there is no circle.
std::vector<std::size_t> find_cycle(const StallSnapshot& still) {
  for (std::size_t start = 0; start < still.sets.size(); ++start) {
    std::vector<std::size_t> path;
    for (std::size_t at = start; at < still.sets.size(); at = next_in_cycle(still, at)) {
      const auto met = std::find(path.begin(), path.end(), at);
      if (met != path.end() && path.end() - met > 1) return {met, path.end()};
      if (met != path.end()) break;
      path.push_back(at);
    }
  }
  return {};
}

struct Diagnosed {
  Verdict verdict;
  record::Diagnosis diagnosis;
};

/// Every block of this grid has come to the barrier over all grids.
record::Diagnosis diagnose_other_grids(const engine::MultiGrid& multi) {
  std::vector<unsigned> gone = multi.returned();
  if (gone.empty()) return Mistake::grid_elsewhere_missing;
  return record::GridsReturned{std::move(gone)};
}

record::Diagnosis diagnose_grid_barrier(const StallSnapshot& still) {
  const engine::MultiGrid* multi = still.grid.request.multi;
  if (multi != nullptr && still.grid.waits_for_grids(multi->phase())) return diagnose_other_grids(*multi);
  if (!still.finished.empty()) return Mistake::grid_barrier_after_returns;
  return still.first_exited.empty() ? Mistake::grid_barrier_not_reached : Mistake::grid_barrier_first_thread_returned;
}

/// Lanes of one warp that stand at collectives which exclude each other.
record::Diagnosis diagnose_masks(const StallSnapshot& still) {
  for (const OpenLanes& a : still.open_lanes) {
    for (const OpenLanes& b : still.open_lanes) {
      if (a.warp != b.warp || &a == &b || (a.mask & b.mask) == 0) continue;
      if (a.mask == b.mask) return record::CallsOfMaskDiffer{a.collective->name, b.collective->name};
      return Mistake::masks_exclude_each_other;
    }
  }
  return Mistake::mask_of_absent_lanes;
}

Diagnosed diagnose_spinning(const StallSnapshot& still, bool cycle) {
  if (cycle) return {Verdict::deadlock, Mistake::locks_in_circle};
  const bool others = std::any_of(still.sets.begin(), still.sets.end(),
                                  [](const WaitSet& set) { return role_of(set.state) != Role::spin; });
  if (others) return {Verdict::deadlock, Mistake::memory_unchanged_others_wait};
  return {Verdict::livelock, Mistake::memory_unchanged};
}

/// Threads wait for a barrier in memory, and nobody who can run will arrive at it.
record::Diagnosis diagnose_phase(const StallSnapshot& still, bool cycle) {
  const auto found = std::find_if(still.sets.begin(), still.sets.end(),
                                  [](const WaitSet& set) { return set.state == WaitState::at_phase; });
  const detail::PhaseWait& phase = found->phase;
  if (phase.expected == 0) return Mistake::semaphore_empty;
  if (phase.pending == 0) return phase.bytes < 0 ? Mistake::bytes_not_expected : Mistake::bytes_not_copied;
  return record::PhaseIncomplete{.number = phase.number,
                                 .expected = phase.expected,
                                 .arrived = phase.expected - phase.pending,
                                 .threads_returned = !still.returned.empty(),
                                 .in_circle = cycle};
}

Diagnosed diagnose(const StallSnapshot& still, bool cycle) {
  if (still.any(WaitState::mismatched)) return {Verdict::barrier_divergence, Mistake::block_barriers_differ_at_end};
  const bool phase = still.any(WaitState::at_phase);
  const bool waits_in_memory = phase || still.any(WaitState::at_group_phase);
  if ((waits_in_memory || still.spins()) && !still.not_started.empty())
    return {Verdict::deadlock, record::BlocksNotResident{still.grid.request.resident_blocks}};
  if (still.at_wide_barrier()) return {Verdict::deadlock, diagnose_grid_barrier(still)};
  if (still.spins()) return diagnose_spinning(still, cycle);
  if (any_group(still) && !phase) return {Verdict::cg_misuse, diagnose_groups(still)};
  const bool barrier = phase || still.any_at(RendezvousKind::block_barrier) ||
                       still.any_at(RendezvousKind::split_barrier) || still.any_at(RendezvousKind::cluster_barrier);
  if (!still.open_lanes.empty() && !(cycle && barrier)) return {Verdict::bad_mask, diagnose_masks(still)};
  if (phase) return {Verdict::deadlock, diagnose_phase(still, cycle)};
  if (still.any_at(RendezvousKind::cluster_barrier)) return {Verdict::deadlock, Mistake::cluster_barrier_not_reached};
  return {Verdict::deadlock, Mistake::waits_in_circle};
}

}  // namespace

Finding explain_stall(const Grid& grid) {
  const StallSnapshot still(grid);
  const std::vector<std::size_t> cycle = find_cycle(still);
  Diagnosed diagnosed = diagnose(still, !cycle.empty());
  Finding made;
  made.verdict = diagnosed.verdict;
  made.diagnosis = std::move(diagnosed.diagnosis);
  made.launch = grid.request.facts;
  made.parties = parties_of(still);
  append_origins(still, made.parties);
  for (const std::size_t set : cycle) made.cycle.push_back(record::CycleStep{set, ""});
  return made;
}

Finding explain_end_of_time(const Grid& grid) {
  const StallSnapshot still(grid);
  Finding made;
  made.launch = grid.request.facts;
  made.parties = parties_of(still);
  append_origins(still, made.parties);
  explain_end_of_time(grid, made);
  return made;
}

}  // namespace warpfiber::engine
