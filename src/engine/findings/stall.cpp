// SPDX-License-Identifier: Apache-2.0
// From the state of a launch that stands still to a finding: which of the known stories it is, its wait cycle, one fix.
#include "engine/findings/stall.hpp"

#include <algorithm>
#include <cstring>

#include "base/text.hpp"
#include "engine/findings/findings.hpp"
#include "engine/findings/lane_groups.hpp"
#include "engine/findings/standstill.hpp"
#include "engine/worker.hpp"
#include "memory/global_heap.hpp"

namespace warpfiber::engine {

using record::Finding;
using record::Party;
using record::Role;
using record::Verdict;

namespace {

const char* space_of(const Standstill& still, const void* address) {
  if (memory::global_heap().find(address).has_value()) return "global";
  for (const Worker* worker : still.grid.workers) {
    for (const ResidentBlock* block : worker->resident()) {
      if (block->arena.contains(address)) return "shared";
    }
  }
  return "memory";
}

record::Object object_at(const Standstill& still, const void* address, bool is_barrier) {
  record::Object object;
  object.address = reinterpret_cast<std::uintptr_t>(address);
  if (!is_barrier) {
    std::uint32_t value = 0;
    std::memcpy(&value, address, sizeof value);
    object.value = std::to_string(value);
  }
  object.space = space_of(still, address);
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

std::string run_text(const std::vector<base::FiberId>& numbers) {
  const std::string first = std::to_string(numbers.front());
  if (numbers.size() == 1) return "thread " + first;
  return "threads " + first + "-" + std::to_string(numbers.back());
}

/// "for thread 0 of their block", where that is so in every block; else in general words.
std::string waited_for_at_barrier(const Standstill& still, const Standing& set) {
  const unsigned threads = still.grid.threads;
  const std::uint64_t block = base::block_of(set.threads.front(), threads);
  std::vector<base::FiberId> missing;
  for (const Standing& other : still.sets) {
    if (&other == &set) continue;
    for (const base::FiberId id : other.threads) {
      if (base::block_of(id, threads) == block) missing.push_back(base::thread_of(id, threads));
    }
  }
  std::sort(missing.begin(), missing.end());
  if (!is_run(missing)) return "for every thread of their block that has not returned";
  return "for " + run_text(missing) + " of their block";
}

std::string waited_for_in_group(const Standstill& still, std::size_t index) {
  const auto open = std::find_if(still.groups.begin(), still.groups.end(),
                                 [index](const OpenGroup& group) { return group.standing == index; });
  const std::vector<base::FiberId>& missing = open->missing;
  return "for " + (is_run(missing) ? run_text(missing) : base::counted(missing.size(), "thread")) + " of their group";
}

/// "for 32 more arrivals: 32 of 64 have come", "for 1024 bytes of asynchronous copies".
std::string waited_for_in_phase(const detail::PhaseWait& phase) {
  if (phase.expected == 0) return "for a release";
  if (phase.pending == 0 && phase.bytes < 0) {
    return "for expect_tx of " + std::to_string(-phase.bytes) + " bytes that were copied";
  }
  std::string bytes = phase.bytes > 0 ? std::to_string(phase.bytes) + " bytes of asynchronous copies" : "";
  if (phase.pending == 0) return "for " + bytes;
  if (!bytes.empty()) bytes += " and ";
  const std::string lacking =
      phase.number < 0 ? base::counted(phase.pending, "more arrival")
                       : base::counted(phase.pending, "more thread") + " at barrier " + std::to_string(phase.number);
  return "for " + bytes + lacking + ": " + std::to_string(phase.expected - phase.pending) + " of " +
         std::to_string(phase.expected) + " have arrived";
}

/// For whom the threads of a set wait.
std::string waited_for(const Standstill& still, const Standing& set, std::size_t index) {
  switch (set.hold) {
    case Hold::barrier: return waited_for_at_barrier(still, set);
    case Hold::grid_barrier: return "for every block of the grid";
    case Hold::multi_grid_barrier: return "for every block of every grid of the launch";
    case Hold::cluster_barrier: return "for every thread of their cluster that has not returned";
    case Hold::split_wait: return "for every thread of their block to arrive";
    case Hold::group: return waited_for_in_group(still, index);
    case Hold::phase: return waited_for_in_phase(set.phase);
    case Hold::group_phase: return "for their group's threads in " + base::counted(set.phase.pending, "more block");
    case Hold::convergence: return "for the other lanes of their warp";
    case Hold::spin:
    case Hold::nothing:
    case Hold::stray: return {};
    case Hold::collective: break;
  }
  for (const OpenGather& gather : still.gathers) {
    if (gather.standing != index) continue;
    if (gather.collective->group) return "for " + base::lanes_text(gather.missing) + " of their group";
    return "for " + base::lanes_text(gather.missing) + " of mask " +
           base::mask_text(gather.mask, still.grid.request.warp_size);
  }
  return {};
}

Role role_of(Hold hold) {
  if (hold == Hold::nothing) return Role::run;
  return hold == Hold::spin ? Role::spin : Role::wait;
}

std::vector<Party> parties_of(const Standstill& still) {
  const record::LaunchFacts& facts = still.grid.request.facts;
  std::vector<Party> parties;
  for (std::size_t i = 0; i < still.sets.size(); ++i) {
    const Standing& set = still.sets[i];
    Party party{role_of(set.hold),
                record::members_of_threads(facts, set.threads),
                set.place,
                set.what,
                waited_for(still, set, i),
                {}};
    if (set.address != nullptr && set.phase.number < 0)
      party.object = object_at(still, set.address, set.hold == Hold::phase);
    set.calls.put(party);
    parties.push_back(std::move(party));
  }
  for (const Exited& one : still.finished) {
    parties.push_back(Party{Role::exited, record::members_of_blocks(facts, one.who), one.place, "", "", {}});
  }
  const auto add_threads = [&](const std::vector<Exited>& exited, const char* detail) {
    for (const Exited& one : exited) {
      parties.push_back(Party{Role::exited, record::members_of_threads(facts, one.who), one.place, "", detail, {}});
    }
  };
  add_threads(still.first_exited, "the thread that arrives for its block");
  add_threads(still.returned, "");
  if (!still.not_started.empty()) {
    parties.push_back(Party{Role::not_started, record::members_of_blocks(facts, still.not_started), {}, "", "", {}});
  }
  return parties;
}

/// The set that the last writer of the word polled by set `index` stands in, or none: sets.size().
std::size_t holder_of(const Standstill& still, std::size_t index) {
  const detail::WrittenWord* word = still.last_write(still.sets[index].address);
  if (word == nullptr) return still.sets.size();
  const auto found = still.set_of.find(base::fiber_id(word->block, word->thread, still.grid.threads));
  return found == still.set_of.end() ? still.sets.size() : found->second;
}

/// Whom set `index` waits for among the sets, or none.
std::size_t next_in_cycle(const Standstill& still, std::size_t index) {
  const Standing& set = still.sets[index];
  if (set.hold == Hold::spin) return holder_of(still, index);
  for (const OpenGather& gather : still.gathers) {
    if (gather.standing != index || gather.missing == 0) continue;
    const unsigned lane = base::lane_mask::lowest(gather.missing);
    const unsigned thread = gather.warp->index * still.grid.request.warp_size + lane;
    const auto found = still.set_of.find(base::fiber_id(gather.block->rank, thread, still.grid.threads));
    return found == still.set_of.end() ? still.sets.size() : found->second;
  }
  if (set.hold == Hold::collective) return still.sets.size();
  // A barrier waits for whoever of its members stands elsewhere.
  const std::uint64_t block = base::block_of(set.threads.front(), still.grid.threads);
  for (std::size_t other = 0; other < still.sets.size(); ++other) {
    if (other == index) continue;
    if (set.hold == Hold::group_phase && still.sets[other].hold == Hold::group_phase) continue;
    const bool both_phases = set.hold == Hold::phase && still.sets[other].hold == Hold::phase;
    if (both_phases && set.address == still.sets[other].address) continue;
    const bool same_block =
        set.hold == Hold::grid_barrier || set.hold == Hold::multi_grid_barrier || set.hold == Hold::cluster_barrier ||
        std::any_of(still.sets[other].threads.begin(), still.sets[other].threads.end(),
                    [&](base::FiberId id) { return base::block_of(id, still.grid.threads) == block; });
    if (same_block) return other;
  }
  return still.sets.size();
}

/// Sets that wait for one another in a circle, in order; empty if there is no circle.
std::vector<std::size_t> find_cycle(const Standstill& still) {
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

struct Story {
  Verdict verdict;
  std::string why;
  std::string fix;
  const char* sanitizer_term = "";
};

Story blocks_kept_out(const Standstill& still) {
  return {Verdict::deadlock, "The resident blocks wait for blocks that have not started, and those wait for a free SM.",
          "launch at most " + base::counted(still.grid.request.resident_blocks, "block") +
              " (cudaOccupancyMaxActiveBlocksPerMultiprocessor() × SM count), or use a cooperative launch"};
}

/// Every block of this grid has come to the barrier over all grids.
Story other_grids_story(const engine::MultiGrid& multi) {
  const std::vector<unsigned> gone = multi.returned();
  if (gone.empty()) {
    return {Verdict::deadlock,
            "Every block of this grid has reached the multi-grid barrier, but a grid on another device never does.",
            "start every grid of the launch, and make each reach every multi-grid barrier"};
  }
  std::string names;
  for (const unsigned rank : gone) names += (names.empty() ? "" : ", ") + std::to_string(rank);
  return {Verdict::deadlock,
          "A multi-grid barrier waits for every grid of the launch, but " +
              std::string(gone.size() == 1 ? "grid " : "grids ") + names + (gone.size() == 1 ? " has" : " have") +
              " returned.",
          "make every grid reach every multi-grid barrier; return only after the last one"};
}

Story grid_barrier_story(const Standstill& still) {
  const engine::MultiGrid* multi = still.grid.request.multi;
  if (multi != nullptr && still.grid.waits_for_grids(multi->phase())) return other_grids_story(*multi);
  if (!still.finished.empty()) {
    return {Verdict::deadlock, "A grid barrier waits for every block of the grid, but some blocks have returned.",
            "make every block reach every grid barrier; return only after the last one"};
  }
  if (!still.first_exited.empty()) {
    return {
        Verdict::deadlock,
        "The first thread of a block arrives at the grid barrier for the whole block. It has returned, so its block "
        "never arrives.",
        "make every thread reach every grid barrier; return only after the last one"};
  }
  return {Verdict::deadlock,
          "Some threads wait at the grid barrier; others wait at a different place and cannot reach it.",
          "call the same sequence of barriers in every thread of the grid"};
}

/// Lanes of one warp that stand at collectives which exclude each other.
Story mask_story(const Standstill& still) {
  for (const OpenGather& a : still.gathers) {
    for (const OpenGather& b : still.gathers) {
      if (a.warp != b.warp || &a == &b || (a.mask & b.mask) == 0) continue;
      if (a.mask == b.mask) {
        return {Verdict::bad_mask,
                std::string("Lanes of one warp execute different calls with the same mask, ") + a.collective->name +
                    " and " + b.collective->name + ", so neither call can complete.",
                "execute one call in all lanes of the mask", "Invalid arguments"};
      }
      return {Verdict::bad_mask,
              "Lanes of one warp execute calls with different masks, and each mask contains lanes that wait at the "
              "other call.",
              "compute one mask before the lanes diverge: __ballot_sync(0xffffffff, condition)", "Invalid arguments"};
    }
  }
  return {Verdict::bad_mask, "The mask contains lanes that never execute this call.",
          "pass a mask of the lanes that execute it: __ballot_sync(0xffffffff, condition) before the branch",
          "Invalid arguments"};
}

Story spin_story(const Standstill& still, bool cycle) {
  if (cycle) {
    return {Verdict::deadlock, "Each of these threads waits for something that only another of them can release.",
            "acquire the locks in the same order everywhere"};
  }
  const bool others =
      std::any_of(still.sets.begin(), still.sets.end(), [](const Standing& set) { return set.hold != Hold::spin; });
  return {others ? Verdict::deadlock : Verdict::livelock,
          others ? "No runnable thread changes the memory that the spinning threads read, and the others wait for the "
                   "spinning threads."
                 : "No runnable thread changes the memory that the spinning threads read.",
          "make a thread store the value they wait for, before it waits itself"};
}

/// Threads wait for a barrier in memory, and nobody who can run will arrive at it.
Story phase_story(const Standstill& still, bool cycle) {
  const auto found =
      std::find_if(still.sets.begin(), still.sets.end(), [](const Standing& set) { return set.hold == Hold::phase; });
  const detail::PhaseWait& phase = found->phase;
  if (phase.expected == 0) {
    return {Verdict::deadlock, "The semaphore's count is zero, and no runnable thread will release it.",
            "call release() for each acquire(), before waiting for anything else"};
  }
  if (phase.pending == 0) {
    return {Verdict::deadlock,
            phase.bytes < 0
                ? "All arrivals of the phase have been made, but the copies transferred bytes that the phase did not "
                  "expect: a phase completes when exactly the expected bytes have been copied."
                : "All arrivals of the phase have been made, but fewer bytes were copied than the phase expects: the "
                  "barrier waits for asynchronous copies that no thread has started.",
            "pass the number of bytes that the copies to this barrier transfer to barrier_arrive_tx() or "
            "barrier_expect_tx()"};
  }
  const std::uint64_t come = phase.expected - phase.pending;
  const char* of_returned = still.returned.empty() ? "" : " Threads that have returned cannot arrive.";
  if (phase.number >= 0) {
    return {Verdict::deadlock,
            "Barrier " + std::to_string(phase.number) + " of the block completes when " +
                base::counted(phase.expected, "thread") + " have arrived; " + std::to_string(come) +
                " have arrived, and no runnable thread will arrive." + of_returned,
            "pass the number of threads of all warps that execute bar.sync or bar.arrive on this barrier in one phase, "
            "and make each of these warps execute it"};
  }
  return {Verdict::deadlock,
          "A phase of the barrier completes after " + base::counted(phase.expected, "arrival") + "; " +
              std::to_string(come) + (come == 1 ? " has" : " have") +
              " been made, and no runnable thread will arrive." + of_returned,
          cycle ? "make one side arrive at the barrier that the other waits for, before it waits itself"
          : !still.returned.empty()
              ? "call arrive_and_drop() before the return, or init() the barrier with the number of threads that do "
                "not return early"
              : "init() the barrier with the number of arrivals in each phase, and make each of these threads arrive"};
}

Story tell(const Standstill& still, bool cycle) {
  if (still.any(Hold::stray)) {
    return {Verdict::barrier_divergence, "Threads of one block wait at different barrier calls.",
            "use one __syncthreads() outside the branch, which every thread of the block reaches",
            "Divergent thread(s) in block"};
  }
  const bool phase = still.any(Hold::phase);
  const bool waits_in_memory = phase || still.any(Hold::group_phase);
  if ((waits_in_memory || still.any(Hold::spin)) && !still.not_started.empty()) return blocks_kept_out(still);
  if (still.at_wide_barrier()) return grid_barrier_story(still);
  if (still.any(Hold::spin)) return spin_story(still, cycle);
  if (any_group(still) && !phase) {
    const GroupStory story = group_story(still);
    return {Verdict::cg_misuse, story.why, story.fix};
  }
  const bool barrier =
      phase || still.any(Hold::barrier) || still.any(Hold::split_wait) || still.any(Hold::cluster_barrier);
  if (!still.gathers.empty() && !(cycle && barrier)) return mask_story(still);
  if (phase) return phase_story(still, cycle);
  if (still.any(Hold::cluster_barrier)) {
    return {Verdict::deadlock,
            "Some threads of the cluster wait at the cluster barrier; the others wait at a different place and cannot "
            "reach it.",
            "move the cluster barrier out of branches that only some threads of the cluster take, and call all "
            "barriers in the same order in every thread"};
  }
  return {Verdict::deadlock, "Each of these waits for the other, so neither can continue.",
          "move calls that wait for a whole block or warp out of branches that only some of its threads take"};
}

}  // namespace

Finding explain_stall(const Grid& grid) {
  const Standstill still(grid);
  const std::vector<std::size_t> cycle = find_cycle(still);
  Story story = tell(still, !cycle.empty());
  Finding made;
  made.verdict = story.verdict;
  made.launch = grid.request.facts;
  made.parties = parties_of(still);
  append_origins(still, made.parties);
  for (const std::size_t set : cycle) made.cycle.push_back(record::CycleStep{set, ""});
  made.why = std::move(story.why);
  made.fix = std::move(story.fix);
  made.sanitizer_term = story.sanitizer_term;
  return made;
}

Finding explain_end_of_time(const Grid& grid) {
  const Standstill still(grid);
  Finding made;
  made.launch = grid.request.facts;
  made.parties = parties_of(still);
  append_origins(still, made.parties);
  explain_end_of_time(grid, made);
  return made;
}

}  // namespace warpfiber::engine
