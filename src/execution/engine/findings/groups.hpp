// SPDX-License-Identifier: Apache-2.0
// Findings about cooperative groups: `cg-misuse` in its varieties, made by the thread at which the mistake shows.
#pragma once

#include <warpfiber/detail/group.hpp>

#include "engine/findings/findings.hpp"
#include "engine/state/block.hpp"

namespace warpfiber::engine {

/// "block.barrier_wait()" and the like, as CUDA writes it.
const char* arrive_name(detail::SplitBarrier barrier);
const char* wait_name(detail::SplitBarrier barrier);

record::Finding misused(const WorkerState& worker, Site site, const char* call, record::Diagnosis diagnosis);

/// Threads of one group have come to `group`, and the running one to another collective.
record::Finding unequal_group_calls(const WorkerState& worker, const GroupRendezvous& group, const char* call,
                                    Site site);

const char* call_name(detail::UniformCall call);

/// A thread has made `first`, and the running one of the same group makes `mine` in its place.
record::Finding unequal_notes(const WorkerState& worker, const UniformCallMade& first, const detail::UniformNote& mine);

// Split barriers; `mine` is the running thread's open arrival.
record::Finding arrives_twice(const WorkerState& worker, detail::SplitBarrier barrier, const OpenArrival& mine,
                              Site site);
record::Finding waits_without_arrival(const WorkerState& worker, detail::SplitBarrier barrier, Site site);
record::Finding foreign_token(const WorkerState& worker, detail::SplitBarrier barrier, const OpenArrival& mine,
                              Site site);
record::Finding other_call_between(const WorkerState& worker, detail::SplitBarrier barrier, const OpenArrival& mine,
                                   Site site);
record::Finding never_waits(const WorkerState& worker, detail::SplitBarrier barrier, const OpenArrival& mine);

// Barriers that have numbers; the running thread makes the call.
record::Finding no_such_barrier(const WorkerState& worker, unsigned barrier, const char* call, Site site);
record::Finding no_such_count(const WorkerState& worker, unsigned threads, const char* call, Site site);
/// It says another number of threads than the first arrival in the phase.
record::Finding unequal_counts(const WorkerState& worker, const NamedBarrier& at, unsigned threads,
                               const NamedArrival& mine);
record::Finding reduces_and_not(const WorkerState& worker, const NamedBarrier& at, const NamedArrival& mine);

}  // namespace warpfiber::engine
