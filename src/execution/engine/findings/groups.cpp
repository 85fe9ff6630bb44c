// SPDX-License-Identifier: Apache-2.0
// Each function states the mistake and the parties: the running thread, and whoever it contradicts.
#include "engine/findings/groups.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <utility>

#include "base/ids.hpp"
#include "base/text.hpp"
#include "engine/findings/calls.hpp"
#include "engine/state/worker_state.hpp"
#include "record/diagnosis.hpp"
#include "report/reasons/reasons.hpp"

namespace warpfiber::engine {

using detail::SplitBarrier;
using detail::UniformCall;
using detail::UniformNote;
using record::Finding;
using record::Mistake;
using record::Role;
using record::Verdict;

namespace {

Finding finding(const WorkerState& worker, record::Diagnosis diagnosis) {
  Finding made;
  made.verdict = Verdict::cg_misuse;
  made.launch = worker.grid().request.facts;
  made.diagnosis = std::move(diagnosis);
  return made;
}

record::SplitBarrierMisused misuse_of(SplitBarrier barrier, record::SplitBarrierMisused::Kind kind) {
  static_assert(static_cast<int>(SplitBarrier::block) == static_cast<int>(record::GroupScope::block));
  static_assert(static_cast<int>(SplitBarrier::cluster) == static_cast<int>(record::GroupScope::cluster));
  static_assert(static_cast<int>(SplitBarrier::grid) == static_cast<int>(record::GroupScope::grid));
  return {kind, static_cast<record::GroupScope>(barrier)};
}

record::Party arrival_party(const WorkerState& worker, SplitBarrier barrier, const OpenArrival& mine) {
  record::Party party = party_of(worker, Role::call, mine.site, arrive_name(barrier));
  party.detail = "arrives in phase " + std::to_string(mine.phase + 1);
  return party;
}

std::string what_is_brought(const UniformNote& note) {
  if (note.call == UniformCall::copy) return "copies " + std::to_string(note.count) + " bytes";
  if (note.call == UniformCall::cut) return "requests tiles of " + std::to_string(note.count) + " threads";
  return {};
}

Mistake mistake_of(const UniformNote& other, const UniformNote& mine) {
  if (mine.call == UniformCall::cut) return Mistake::tile_sizes_differ;
  if (mine.call == UniformCall::update) return Mistake::result_destinations_differ;
  if (other.call != mine.call) return Mistake::copy_by_some_of_group;
  if (other.count != mine.count) return Mistake::copy_sizes_differ;
  return other.to != mine.to ? Mistake::copy_destinations_differ : Mistake::copy_sources_differ;
}

}  // namespace

const char* arrive_name(SplitBarrier barrier) {
  constexpr const char* kNames[] = {"block.barrier_arrive()", "cluster.barrier_arrive()", "grid.barrier_arrive()"};
  return kNames[static_cast<unsigned>(barrier)];
}

const char* wait_name(SplitBarrier barrier) {
  constexpr const char* kNames[] = {"block.barrier_wait()", "cluster.barrier_wait()", "grid.barrier_wait()"};
  return kNames[static_cast<unsigned>(barrier)];
}

Finding misused(const WorkerState& worker, Site site, const char* call, record::Diagnosis diagnosis) {
  Finding made = finding(worker, std::move(diagnosis));
  made.parties.push_back(party_of(worker, Role::call, site, call));
  return made;
}

Finding unequal_group_calls(const WorkerState& worker, const GroupRendezvous& group, const char* call, Site site) {
  Finding made = finding(worker, Mistake::collectives_of_group_differ);
  std::vector<base::FiberId> ids;
  for (const detail::GroupPart* part = group.parts; part != nullptr; part = part->next) {
    ids.push_back(worker.id_of(*part->fiber));
  }
  std::sort(ids.begin(), ids.end());
  made.parties.push_back({.role = Role::wait,
                          .who = record::members_of_threads(worker.grid().request.facts, ids),
                          .place = record::place_of(group.parts->site),
                          .what = group.collective->name,
                          .note = record::FixedNote::awaits_threads_of_group});
  WaitingCalls calls;
  for (const detail::GroupPart* part = group.parts; part != nullptr; part = part->next) calls.add(worker, *part->fiber);
  calls.put(made.parties.back());
  made.parties.push_back(party_of(worker, Role::call, site, call));
  return made;
}

const char* call_name(UniformCall call) {
  constexpr const char* kNames[] = {"memcpy_async()", "cg::wait()", "tiled_partition()"};
  const auto number = static_cast<unsigned>(call);
  return number < std::size(kNames) ? kNames[number] : report::fixed_text(record::ReasonKind::reduction_into_memory);
}

Finding unequal_notes(const WorkerState& worker, const UniformCallMade& first, const UniformNote& mine) {
  const UniformNote& other = first.note;
  Finding made = finding(worker, mistake_of(other, mine));
  const base::FiberId id = base::fiber_id(worker.block().rank, first.thread, worker.grid().threads);
  made.parties.push_back(record::Party{Role::call,
                                       record::members_of_threads(worker.grid().request.facts, {&id, 1}),
                                       record::place_of(other.site),
                                       call_name(other.call),
                                       what_is_brought(other),
                                       {}});
  made.parties.push_back(party_of(worker, Role::call, mine.site, call_name(mine.call)));
  made.parties.back().detail = what_is_brought(mine);
  return made;
}

Finding arrives_twice(const WorkerState& worker, SplitBarrier barrier, const OpenArrival& mine, Site site) {
  using Kind = record::SplitBarrierMisused::Kind;
  Finding made = finding(worker, misuse_of(barrier, Kind::arrives_twice));
  made.parties.push_back(arrival_party(worker, barrier, mine));
  made.parties.push_back(party_of(worker, Role::call, site, arrive_name(barrier)));
  return made;
}

Finding waits_without_arrival(const WorkerState& worker, SplitBarrier barrier, Site site) {
  using Kind = record::SplitBarrierMisused::Kind;
  Finding made = finding(worker, misuse_of(barrier, Kind::waits_without_arrival));
  made.parties.push_back(party_of(worker, Role::call, site, wait_name(barrier)));
  return made;
}

Finding foreign_token(const WorkerState& worker, SplitBarrier barrier, const OpenArrival& mine, Site site) {
  Finding made = finding(worker, Mistake::token_of_other_arrival);
  made.parties.push_back(arrival_party(worker, barrier, mine));
  made.parties.push_back(party_of(worker, Role::call, site, wait_name(barrier)));
  return made;
}

Finding other_call_between(const WorkerState& worker, SplitBarrier barrier, const OpenArrival& mine, Site site) {
  using Kind = record::SplitBarrierMisused::Kind;
  Finding made = finding(worker, misuse_of(barrier, Kind::collective_between));
  made.parties.push_back(arrival_party(worker, barrier, mine));
  made.parties.push_back(
      party_of(worker, Role::call, mine.between, report::fixed_text(record::ReasonKind::other_collective)));
  made.parties.push_back(party_of(worker, Role::call, site, wait_name(barrier)));
  return made;
}

Finding never_waits(const WorkerState& worker, SplitBarrier barrier, const OpenArrival& mine) {
  using Kind = record::SplitBarrierMisused::Kind;
  Finding made = finding(worker, misuse_of(barrier, Kind::never_waits));
  made.parties.push_back(arrival_party(worker, barrier, mine));
  if (mine.between.line != 0) {
    made.parties.push_back(
        party_of(worker, Role::call, mine.between, report::fixed_text(record::ReasonKind::other_collective)));
  }
  return made;
}

record::Finding no_such_barrier(const WorkerState& worker, unsigned barrier, const char* call, Site site) {
  Finding made = finding(worker, Mistake::named_barrier_number);
  made.parties.push_back(party_of(worker, Role::call, site, call));
  made.parties.back().detail = "barrier " + std::to_string(barrier);
  return made;
}

record::Finding no_such_count(const WorkerState& worker, unsigned threads, const char* call, Site site) {
  Finding made = finding(worker, record::NamedBarrierCount{worker.grid().request.warp_size, worker.block().threads});
  made.parties.push_back(party_of(worker, Role::call, site, call));
  made.parties.back().detail = base::counted(threads, "thread");
  return made;
}

namespace {

/// The first arrival of the phase and the running thread's.
Finding at_one_named_barrier(const WorkerState& worker, const NamedBarrier& at, const NamedArrival& mine,
                             Mistake mistake) {
  const base::FiberId first = base::fiber_id(worker.block().rank, at.first.thread, worker.grid().threads);
  Finding made = finding(worker, mistake);
  made.verdict = Verdict::barrier_divergence;
  made.parties.push_back({.role = Role::call,
                          .who = record::members_of_threads(worker.grid().request.facts, std::span(&first, 1)),
                          .place = record::place_of(at.first.site),
                          .what = at.first.call});
  made.parties.push_back(party_of(worker, Role::call, mine.site, mine.call));
  return made;
}

}  // namespace

record::Finding unequal_counts(const WorkerState& worker, const NamedBarrier& at, unsigned threads,
                               const NamedArrival& mine) {
  const auto count = [](unsigned each) { return "for " + base::counted(each, "thread"); };
  Finding made = at_one_named_barrier(worker, at, mine, Mistake::named_barrier_counts_differ);
  made.parties.front().detail = count(at.rendezvous.members);
  made.parties.back().detail = count(threads);
  return made;
}

record::Finding reduces_and_not(const WorkerState& worker, const NamedBarrier& at, const NamedArrival& mine) {
  return at_one_named_barrier(worker, at, mine, Mistake::named_barrier_reduces_in_part);
}

}  // namespace warpfiber::engine
