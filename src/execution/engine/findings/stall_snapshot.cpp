// SPDX-License-Identifier: Apache-2.0
// Visits every thread of every resident block, and sorts it into the wait set of its place.
#include "engine/findings/stall_snapshot.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <set>
#include <tuple>
#include <utility>

#include "base/index.hpp"
#include "engine/findings/findings.hpp"
#include "engine/findings/groups.hpp"
#include "engine/findings/lane_groups.hpp"
#include "engine/state/circles/spin_history.hpp"
#include "engine/state/grid.hpp"
#include "engine/state/rendezvous_table.hpp"
#include "engine/state/worker_state.hpp"
#include "fiber/trails.hpp"
#include "report/reasons/reasons.hpp"

namespace warpfiber::engine {

using detail::Fiber;
using machine::RendezvousKind;

namespace {

void add_exited(std::vector<Exited>& to, Site site, std::uint64_t who) {
  const record::Place place = site.line != 0 ? record::place_of(site) : record::Place{};
  const auto known = std::ranges::find_if(
      to, [&](const Exited& one) { return one.place.file == place.file && one.place.line == place.line; });
  (known != to.end() ? *known : to.emplace_back(Exited{place, {}})).who.push_back(who);
}

/// Where threads return that do not say so: the closing brace, where that is known.
Site end_of_kernel(const Grid& grid) {
  const KernelBody& body = grid.request.body;
  return body.file != nullptr ? Site{body.file, body.last_line} : Site{};
}

/// Whether threads that have returned may be those that are waited for: they arrive nowhere, and store nothing.
bool may_await_returned(const WaitSet& set) {
  const bool lacks_arrivals = set.state == WaitState::at_phase && set.phase.expected != 0 && set.phase.pending != 0;
  return lacks_arrivals || set.state == WaitState::spinning || set.state == WaitState::meeting;
}

/// Sorts threads into sets while they are visited.
class SnapshotCollector {
 public:
  explicit SnapshotCollector(StallSnapshot& into) : into_(into), threads_(into.grid.threads) {}

  void block(ResidentBlock& block) {
    each_barrier(block, [this](const auto& at) {
      at.waiting().each([&](const Fiber* fiber) {
        if (!circles(*fiber)) add(*fiber, at.kind(), record::place_of(at.site()), traits_of(at.kind()).name);
      });
    });
    for (const MismatchedArrival& one : block.mismatched_arrivals) {
      add(*one.fiber, WaitState::mismatched, record::place_of(one.site), traits_of(RendezvousKind::block_barrier).name,
          nullptr);
    }
    block.yielded.each([this](const Fiber* fiber) { spinning(*fiber); });
    block.ready.each([this](const Fiber* fiber) {
      if (into_.grid.time_over.load()) {
        ready(*fiber);
      } else {
        circles(*fiber);
      }
    });
    if (!block.grid_barrier.waiting.empty() && block.first_exited) {
      add_exited(into_.first_exited, place_of_return(block, 0), base::fiber_id(block.rank, 0, threads_));
    }
    each_open_group(block, [&](const auto& at) { group(block, at.group); });
    if (!block.engaged) return;
    const unsigned size = into_.grid.request.warp_size;
    for (unsigned i = 0; i * size < block.threads; ++i) warp(block, block.warp_storage[i]);
  }

  void spinning(const Fiber& fiber) {
    if (fiber.more->note == nullptr) {
      if (into_.grid.time_over.load()) {
        ready(fiber);
      } else {
        circles(fiber);
      }
      return;
    }
    const auto& note = *static_cast<const SpinNote*>(fiber.more->note);
    record::Place place = record::place_of(note.site);
    if (note.instruction != nullptr) place = place_of_instruction(note.instruction);
    if (!place.known() && note.stack != nullptr) place = place_of_caller(note.stack, fiber.more->stack_high);
    // At a barrier that others come to again and again, in a loop that none of them leaves.
    const bool is_within = note.phase != nullptr && note.idle && !into_.grid.time_over.load();
    if (is_within && polls(fiber, place, nullptr)) return;
    if (note.phase != nullptr && note.phase->group) {
      into_.sets[add(fiber, WaitState::at_group_phase, place, note.phase->call, nullptr)].phase = *note.phase;
      return;
    }
    if (note.phase != nullptr) {
      into_.sets[add(fiber, WaitState::at_phase, place, note.phase->call, note.address)].phase = *note.phase;
      return;
    }
    // Once the time is over, a thread is stopped wherever it is, in a loop or not.
    const bool stopped = into_.grid.time_over.load() && note.address == nullptr;
    if (stopped && note.instruction != nullptr) place = users_place_of(note.instruction);
    if (!stopped && polls(fiber, place, note.address)) return;
    add(fiber, stopped ? WaitState::ready : WaitState::spinning, place,
        report::fixed_text(note.address != nullptr ? record::ReasonKind::ineffective_atomic : record::ReasonKind::loop),
        note.address);
  }

  /// A thread that has met others again and again, or polled in between. False if it stands where it is.
  bool circles(const Fiber& fiber) {
    const bool idle = idles(fiber) && !into_.grid.time_over.load();
    if (!idle && (!into_.meets || fiber.more->passes == 0)) return false;
    record::Place place;
    if (polls(fiber, place, nullptr)) return true;
    add(fiber, WaitState::meeting, place_of_call(fiber), report::fixed_text(record::ReasonKind::loop), nullptr);
    return true;
  }

  /// A thread that would go on behind what it has waited for.
  void ready(const Fiber& fiber) { add(fiber, WaitState::ready, place_of_call(fiber), "", nullptr); }

 private:
  static constexpr std::size_t kDeepest = 64;  // calls

  using Key =
      std::tuple<WaitState, RendezvousKind, std::string, unsigned, std::string, const void*, std::vector<const void*>>;

  static record::Place place_of_call(const Fiber& fiber) {
    for (const std::uintptr_t address : fiber::walk_waiting(fiber, {.most = kDeepest}).addresses) {
      record::Place place = users_place_of(reinterpret_cast<const char*>(address) - 1);
      if (place.known()) return place;
    }
    return {};
  }

  /// All words that the thread was seen to poll, in the order of their lines. `place`: where it polls `address`, if
  /// that is known. False if none is known besides.
  bool polls(const Fiber& fiber, const record::Place& place, const void* address) {
    const auto* history = static_cast<const SpinHistory*>(fiber.more->history);
    if (history == nullptr || history->polled().empty()) return false;
    std::vector<std::pair<record::Place, const void*>> words;
    for (const PolledWord& word : history->polled()) words.emplace_back(place_of_poll(word), word.address);
    std::ranges::sort(words, {}, [](const auto& word) {
      return std::tuple(word.first.file, word.first.line, word.first.column, word.second);
    });
    WaitSet set{WaitState::spinning,
                {},
                words.front().first,
                report::fixed_text(record::ReasonKind::ineffective_atomic),
                words.front().second};
    for (const auto& [where, word] : words) {
      if (word != set.address && std::ranges::find(set.further, word) == set.further.end()) set.further.push_back(word);
    }
    const bool is_all_known = set.further.empty() && (address == nullptr || address == set.address);
    if (is_all_known && place.known()) set.place = place;
    add(fiber, std::move(set));
    return true;
  }

  record::Place place_of_poll(const PolledWord& word) {
    if (word.site.line != 0) return record::place_of(word.site);
    const auto [found, is_new] = places_.try_emplace(word.instruction);
    if (is_new) {
      found->second = place_of_instruction(word.instruction);
      if (!found->second.known()) found->second = users_place_of(word.instruction);
    }
    return found->second;
  }

  template <class Group>
  void group(const ResidentBlock& block, const Group& of) {
    OpenGroup open{{}, live_threads(block, of), 0, {}};
    for (const detail::GroupPart* part = of.parts; part != nullptr; part = part->next) {
      open.wait_set = add(*part->fiber, RendezvousKind::group, record::place_of(part->site), of.collective->name);
      open.arrived.push_back(id_of(*part->fiber));
      if (part->origin != nullptr) open.origin = *part->origin;
    }
    std::sort(open.arrived.begin(), open.arrived.end());
    std::erase_if(open.missing, [&](base::FiberId thread) {
      return std::binary_search(open.arrived.begin(), open.arrived.end(), block.rank * threads_ + thread);
    });
    into_.groups.push_back(std::move(open));
  }

  template <class Group>
  std::vector<base::FiberId> live_threads(const ResidentBlock& block, const Group& of) const {
    const unsigned lanes = into_.grid.request.warp_size;
    std::vector<base::FiberId> live;
    of.each_member(block, [&](unsigned thread) {
      if (base::lane_mask::has(block.warp_storage[thread / lanes].live, thread % lanes)) live.push_back(thread);
    });
    return live;
  }

  base::FiberId id_of(const Fiber& fiber) const {
    return base::fiber_id(fiber.warp->block->rank, rank_in_block(fiber, into_.grid.request.warp_size), threads_);
  }

  void warp(ResidentBlock& block, ResidentWarp& warp) {
    warp.converging.each([&](const Fiber* fiber) {
      add(*fiber, WaitState::converging, record::place_of(warp.arguments[fiber->lane]->site), "__activemask()",
          nullptr);
    });
    each_open_lanes(block, warp, [&](const AtLanes& at) {
      const detail::PendingCollective& pending = at.pending;
      std::size_t set = 0;
      bool any = false;
      pending.waiting.each([&](const Fiber* fiber) {
        if (circles(*fiber)) return;
        set = add(*fiber, RendezvousKind::lanes, record::place_of(warp.arguments[fiber->lane]->site),
                  pending.collective->name);
        any = true;
      });
      if (!any) return;
      into_.open_lanes.push_back(OpenLanes{&block, &warp, pending.mask, at.arrived(), at.members() & ~at.arrived(),
                                           pending.collective, set,
                                           origin_of(*pending.collective, warp.arguments[first_lane(pending)])});
    });
  }

  static unsigned first_lane(const detail::PendingCollective& pending) {
    return base::lane_mask::lowest(pending.arrived);
  }

  /// A checked thread spends most of its time where accesses are checked: the first caller whose line is known.
  record::Place place_of_caller(const void* const* stack, const void* stack_high) {
    constexpr std::ptrdiff_t kWords = 64;
    const auto* end = std::min(stack + kWords, static_cast<const void* const*>(stack_high));
    for (; stack < end; ++stack) {
      if (*stack == nullptr) continue;
      record::Place place = place_of_instruction(static_cast<const char*>(*stack) - 1);
      if (place.known()) return place;
    }
    return {};
  }

  std::size_t add(const Fiber& fiber, RendezvousKind kind, const record::Place& place, const std::string& what) {
    return add(fiber, WaitSet{WaitState::at_rendezvous, kind, place, what});
  }

  std::size_t add(const Fiber& fiber, WaitState state, const record::Place& place, const std::string& what,
                  const void* address) {
    return add(fiber, WaitSet{state, {}, place, what, address});
  }

  std::size_t add(const Fiber& fiber, WaitSet set) {
    const auto [found, fresh] =
        index_.try_emplace(Key{set.state, set.kind, set.place.file, set.place.line, set.what, set.address, set.further},
                           into_.sets.size());
    if (fresh) into_.sets.push_back(std::move(set));
    const base::FiberId id = id_of(fiber);
    into_.sets[found->second].threads.push_back(id);
    into_.sets[found->second].calls.add(*into_.grid.workers.front(), fiber);
    into_.set_of.emplace(id, found->second);
    return found->second;
  }

  StallSnapshot& into_;
  const unsigned threads_;
  std::map<Key, std::size_t> index_;
  std::map<const void*, record::Place> places_;
};

/// Linear indices of the blocks of clusters `first` … `last`-1.
void append_blocks(const WorkerState& worker, std::uint64_t first, std::uint64_t last, std::vector<std::uint64_t>& to) {
  const Grid& grid = worker.grid();
  for (std::uint64_t cluster = first; cluster < last; ++cluster) {
    for (unsigned member = 0; member < grid.cluster_blocks; ++member) {
      to.push_back(base::linear_index(worker.admission.member_index(cluster, member), grid.request.grid));
    }
  }
}

}  // namespace

StallSnapshot::StallSnapshot(const Grid& of) : grid(of) {
  meets = std::ranges::any_of(grid.workers, [](const WorkerState* worker) { return worker->meets_in_circles; });
  SnapshotCollector collect(*this);
  std::vector<std::uint64_t> resident;
  for (const WorkerState* worker : grid.workers) {
    for (ResidentBlock* block : worker->resident) {
      collect.block(*block);
      resident.push_back(block->rank);
    }
    for (const Fiber* fiber : worker->policy.fibers()) {
      if (fiber != nullptr) collect.spinning(*fiber);
    }
    worker->admission.append_unstarted(not_started);
    std::ranges::copy_if(worker->written, std::back_inserter(written),
                         [](const detail::WrittenWord& word) { return word.address != nullptr; });
  }
  append_blocks(*grid.workers.front(), std::min(grid.next_cluster.load(), grid.clusters), grid.clusters, not_started);
  for (WaitSet& set : sets) std::sort(set.threads.begin(), set.threads.end());
  put_spinning_first();
  collect_returned();
  std::sort(not_started.begin(), not_started.end());
  const bool can_await_blocks = spins() || any(WaitState::at_group_phase);
  if (!at_wide_barrier() && !can_await_blocks) return;
  resident.insert(resident.end(), not_started.begin(), not_started.end());
  std::sort(resident.begin(), resident.end());
  std::map<std::uint64_t, Site> left;
  for (const WorkerState* worker : grid.workers) left.insert(worker->left.begin(), worker->left.end());
  for (std::uint64_t block = 0; block < grid.blocks; ++block) {
    if (std::binary_search(resident.begin(), resident.end(), block)) continue;
    const auto place = left.find(block);
    const bool at_end = place == left.end() && keeps_left_blocks(grid);
    add_exited(finished, at_end ? end_of_kernel(grid) : place == left.end() ? Site{} : place->second, block);
  }
}

/// Those whom threads at the phases of barriers wait for in vain.
void StallSnapshot::collect_returned() {
  std::set<std::uint64_t> blocks;
  for (const WaitSet& set : sets) {
    if (!may_await_returned(set)) continue;
    for (const base::FiberId id : set.threads) blocks.insert(base::block_of(id, grid.threads));
  }
  const unsigned lanes = grid.request.warp_size;
  for (const WorkerState* worker : grid.workers) {
    for (const ResidentBlock* block : worker->resident) {
      if (!block->engaged || !blocks.contains(block->rank)) continue;
      for (unsigned thread = 0; thread < block->threads; ++thread) {
        if (base::lane_mask::has(block->warp_storage[thread / lanes].live, thread % lanes)) continue;
        const Site said = place_of_return(*block, thread);
        add_exited(returned, said.line == 0 ? end_of_kernel(grid) : said,
                   base::fiber_id(block->rank, thread, grid.threads));
      }
    }
  }
}

/// The cause before those who suffer from it.
void StallSnapshot::put_spinning_first() {
  std::vector<std::size_t> order(sets.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_partition(order.begin(), order.end(),
                        [this](std::size_t set) { return sets[set].state == WaitState::spinning; });
  std::vector<std::size_t> place(sets.size());
  std::vector<WaitSet> sorted(sets.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    place[order[i]] = i;
    sorted[i] = std::move(sets[order[i]]);
  }
  sets = std::move(sorted);
  for (auto& [thread, set] : set_of) set = place[set];
  for (OpenLanes& open : open_lanes) open.wait_set = place[open.wait_set];
  for (OpenGroup& group : groups) group.wait_set = place[group.wait_set];
}

bool StallSnapshot::any(WaitState state) const {
  return std::any_of(sets.begin(), sets.end(), [state](const WaitSet& set) { return set.state == state; });
}

bool StallSnapshot::any_at(RendezvousKind kind) const {
  return std::any_of(sets.begin(), sets.end(),
                     [kind](const WaitSet& set) { return set.state == WaitState::at_rendezvous && set.kind == kind; });
}

std::uint64_t StallSnapshot::phase_at(const void* address) const {
  for (const WorkerState* worker : grid.workers) {
    const auto found = worker->phases.find(address);
    if (found != worker->phases.end()) return found->second;
  }
  return 0;
}

const detail::WrittenWord* StallSnapshot::last_write(const void* address) const {
  const auto same = [address](const detail::WrittenWord& word) { return word.address == address; };
  const auto found = std::find_if(written.begin(), written.end(), same);
  // Workers keep no order among them: with two writes nobody knows which was the last.
  if (address == nullptr || found == written.end() || std::find_if(found + 1, written.end(), same) != written.end()) {
    return nullptr;
  }
  return &*found;
}

}  // namespace warpfiber::engine
