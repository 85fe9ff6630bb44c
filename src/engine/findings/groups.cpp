// SPDX-License-Identifier: Apache-2.0
#include "engine/findings/groups.hpp"

#include <algorithm>
#include <span>
#include <string>
#include <utility>

#include "base/ids.hpp"
#include "base/text.hpp"
#include "engine/findings/calls.hpp"
#include "engine/worker.hpp"

namespace warpfiber::engine {

using detail::AlikeCall;
using detail::AlikeNote;
using detail::SplitBarrier;
using record::Finding;
using record::Role;
using record::Verdict;

namespace {

Finding finding(const Worker& worker, std::string why, std::string fix) {
  Finding made;
  made.verdict = Verdict::cg_misuse;
  made.launch = worker.grid().request.facts;
  made.why = std::move(why);
  made.fix = std::move(fix);
  return made;
}

const char* scope_name(SplitBarrier barrier) {
  constexpr const char* kNames[] = {"block", "cluster", "grid"};
  return kNames[static_cast<unsigned>(barrier)];
}

record::Party arrival_party(const Worker& worker, SplitBarrier barrier, const OpenArrival& mine) {
  record::Party party = party_of(worker, Role::call, mine.site, arrive_name(barrier));
  party.detail = "arrives in phase " + std::to_string(mine.phase + 1);
  return party;
}

std::string what_is_brought(const AlikeNote& note) {
  if (note.call == AlikeCall::copy) return "copies " + std::to_string(note.count) + " bytes";
  if (note.call == AlikeCall::cut) return "requests tiles of " + std::to_string(note.count) + " threads";
  return {};
}

std::string why_unequal(const AlikeNote& other, const AlikeNote& mine) {
  if (mine.call == AlikeCall::cut) return "Threads of one block call tiled_partition() with different sizes.";
  if (mine.call == AlikeCall::update) {
    return "Threads of one group pass different destinations for one result. One thread of the group writes it; which "
           "one is unspecified.";
  }
  if (other.call != mine.call) {
    return "Only some threads of the group call memcpy_async(), which all of them must call; the others wait for the "
           "copy without having called it, so their part is never copied.";
  }
  const char* differs = other.count != mine.count ? "sizes" : other.to != mine.to ? "destinations" : "sources";
  return std::string("Threads of one group call memcpy_async() with different ") + differs +
         ": each copies its part of a different copy, and no copy is complete.";
}

const char* how_to_be_alike(const AlikeNote& other, const AlikeNote& mine) {
  return other.call == mine.call ? "pass the same arguments in every thread of the group"
                                 : "call memcpy_async() in all threads of the group";
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

Finding misused(const Worker& worker, Site site, const char* call, const char* why, const char* fix) {
  Finding made = finding(worker, why, fix);
  made.parties.push_back(party_of(worker, Role::call, site, call));
  return made;
}

Finding unequal_group_calls(const Worker& worker, const GroupGather& gather, const char* call, Site site) {
  Finding made =
      finding(worker, "Threads of one group call different collectives at the same time, so neither can complete.",
              "call the same sequence of collectives in every thread of the group");
  std::vector<base::FiberId> ids;
  for (const detail::GroupPart* part = gather.parts; part != nullptr; part = part->next) {
    ids.push_back(worker.id_of(*part->fiber));
  }
  std::sort(ids.begin(), ids.end());
  made.parties.push_back(record::Party{Role::wait,
                                       record::members_of_threads(worker.grid().request.facts, ids),
                                       record::place_of(gather.parts->site),
                                       gather.collective->name,
                                       "for the other threads of their group",
                                       {}});
  WaitingCalls calls;
  for (const detail::GroupPart* part = gather.parts; part != nullptr; part = part->next)
    calls.add(worker, *part->fiber);
  calls.put(made.parties.back());
  made.parties.push_back(party_of(worker, Role::call, site, call));
  return made;
}

const char* alike_name(AlikeCall call) {
  constexpr const char* kNames[] = {"memcpy_async()", "cg::wait()", "tiled_partition()",
                                    "a reduction or scan into memory"};
  return kNames[static_cast<unsigned>(call)];
}

Finding unequal_notes(const Worker& worker, const AlikeMade& first, const AlikeNote& mine) {
  const AlikeNote& other = first.note;
  Finding made = finding(worker, why_unequal(other, mine), how_to_be_alike(other, mine));
  const base::FiberId id = base::fiber_id(worker.block().rank, first.thread, worker.grid().threads);
  made.parties.push_back(record::Party{Role::call,
                                       record::members_of_threads(worker.grid().request.facts, {&id, 1}),
                                       record::place_of(other.site),
                                       alike_name(other.call),
                                       what_is_brought(other),
                                       {}});
  made.parties.push_back(party_of(worker, Role::call, mine.site, alike_name(mine.call)));
  made.parties.back().detail = what_is_brought(mine);
  return made;
}

Finding arrives_twice(const Worker& worker, SplitBarrier barrier, const OpenArrival& mine, Site site) {
  Finding made = finding(worker,
                         std::string("The thread arrives at the barrier of its ") + scope_name(barrier) +
                             " again before it has waited for its first arrival.",
                         std::string("call ") + wait_name(barrier) + " between the two arrivals");
  made.parties.push_back(arrival_party(worker, barrier, mine));
  made.parties.push_back(party_of(worker, Role::call, site, arrive_name(barrier)));
  return made;
}

Finding waits_without_arrival(const Worker& worker, SplitBarrier barrier, Site site) {
  Finding made = finding(worker,
                         "The token was used in an earlier wait, or no arrival of this thread returned it: no arrival "
                         "belongs to this wait, so the wait orders nothing.",
                         std::string("call ") + arrive_name(barrier) + " before every " + wait_name(barrier));
  made.parties.push_back(party_of(worker, Role::call, site, wait_name(barrier)));
  return made;
}

Finding foreign_token(const Worker& worker, SplitBarrier barrier, const OpenArrival& mine, Site site) {
  Finding made = finding(worker, "The token is not the one that the thread's last arrival returned.",
                         "pass the token of the last arrival, in the thread that arrived");
  made.parties.push_back(arrival_party(worker, barrier, mine));
  made.parties.push_back(party_of(worker, Role::call, site, wait_name(barrier)));
  return made;
}

Finding other_call_between(const Worker& worker, SplitBarrier barrier, const OpenArrival& mine, Site site) {
  Finding made = finding(worker,
                         std::string("Between arriving at the barrier of the ") + scope_name(barrier) +
                             " and waiting for it, the thread calls another collective of the same group. A device "
                             "then pairs the wrong phases without any error.",
                         "wait first: between arrival and wait, only collectives of other groups are allowed");
  made.parties.push_back(arrival_party(worker, barrier, mine));
  made.parties.push_back(party_of(worker, Role::call, mine.between, "another collective of the group"));
  made.parties.push_back(party_of(worker, Role::call, site, wait_name(barrier)));
  return made;
}

Finding never_waits(const Worker& worker, SplitBarrier barrier, const OpenArrival& mine) {
  Finding made = finding(
      worker,
      "The thread returns without a wait for its arrival, so the barrier does not order what the thread read after it.",
      std::string("keep the token and pass it to ") + wait_name(barrier));
  made.parties.push_back(arrival_party(worker, barrier, mine));
  if (mine.between.line != 0) {
    made.parties.push_back(party_of(worker, Role::call, mine.between, "another collective of the group"));
  }
  return made;
}

record::Finding no_such_barrier(const Worker& worker, unsigned barrier, const char* call, Site site) {
  Finding made = finding(worker, "A block has barriers 0 to 15.", "use a number from 0 to 15");
  made.parties.push_back(party_of(worker, Role::call, site, call));
  made.parties.back().detail = "barrier " + std::to_string(barrier);
  return made;
}

record::Finding no_such_count(const Worker& worker, unsigned threads, const char* call, Site site) {
  const unsigned size = worker.grid().request.warp_size;
  Finding made = finding(
      worker,
      "A barrier counts whole warps, so the number of threads must be a multiple of " + std::to_string(size) +
          " and at most the size of the block, which is " + std::to_string(worker.block().threads) + ".",
      "pass the number of threads of all warps that execute bar.sync or bar.arrive on this barrier in one phase");
  made.parties.push_back(party_of(worker, Role::call, site, call));
  made.parties.back().detail = base::counted(threads, "thread");
  return made;
}

namespace {

/// The first arrival of the phase and the running thread's.
Finding at_one_named_barrier(const Worker& worker, const NamedBarrier& at, const NamedArrival& mine, std::string why,
                             std::string fix) {
  const base::FiberId first = base::fiber_id(worker.block().rank, at.first.thread, worker.grid().threads);
  Finding made = finding(worker, std::move(why), std::move(fix));
  made.verdict = Verdict::barrier_divergence;
  made.parties.push_back({.role = Role::call,
                          .who = record::members_of_threads(worker.grid().request.facts, std::span(&first, 1)),
                          .place = record::place_of(at.first.site),
                          .what = at.first.call});
  made.parties.push_back(party_of(worker, Role::call, mine.site, mine.call));
  return made;
}

}  // namespace

record::Finding unequal_counts(const Worker& worker, const NamedBarrier& at, unsigned threads,
                               const NamedArrival& mine) {
  const auto count = [](unsigned each) { return "for " + base::counted(each, "thread"); };
  Finding made = at_one_named_barrier(
      worker, at, mine, "Warps at one barrier pass different numbers of threads.",
      "pass the same number in every call for this barrier: the threads of all warps that arrive in one phase");
  made.parties.front().detail = count(at.expected);
  made.parties.back().detail = count(threads);
  return made;
}

record::Finding reduces_and_not(const Worker& worker, const NamedBarrier& at, const NamedArrival& mine) {
  return at_one_named_barrier(worker, at, mine,
                              "Some warps execute bar.red at the barrier and others do not. Execution is then "
                              "unpredictable (PTX ISA, \"bar\").",
                              "execute bar.red in all warps that use the barrier in one phase, or in none");
}

}  // namespace warpfiber::engine
