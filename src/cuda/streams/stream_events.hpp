// SPDX-License-Identifier: Apache-2.0
// Who observes the operations of the process's streams (record/stream_observer.hpp).
#pragma once

#include <vector>

#include "record/stream_observer.hpp"
#include "streams/scheduler.hpp"

namespace warpfiber::streams {

/// Operations that are asked for from now on are observed, until the observer is removed. Not while streams have work.
void add_stream_observer(record::StreamObserver& observer);
void remove_stream_observer(record::StreamObserver& observer);

/// `first` is called when the process first uses streams, with their locks held, and returns those that observe it from
/// then on. The caller is a later room before main() (runtime/observing/tracing.cpp).
void observe_from_the_start(std::vector<record::StreamObserver*> (*first)());

bool are_streams_observed();

/// The operation has got its place in the order, and waits for its turn.
void report_submitted(const Stream& stream, const Task& task);
/// Runs the task whose turn has come. `device` is what Task::run() gets and the result what it returns.
Error run_observed(const Stream& stream, Task& task, Error device);

}  // namespace warpfiber::streams
