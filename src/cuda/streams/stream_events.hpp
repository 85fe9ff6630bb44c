// SPDX-License-Identifier: Apache-2.0
// Who observes the operations of the process's streams (record/stream_observer.hpp), and what an operation is, as facts
// that traces and findings print.
#pragma once

#include <vector>

#include "record/stream_observer.hpp"
#include "streams/scheduler.hpp"

namespace warpfiber::streams {

/// Operations that are asked for from now on are observed, until the observer is removed. Not while streams have work.
void add_stream_observer(record::StreamObserver& observer);
void remove_stream_observer(record::StreamObserver& observer);

bool are_streams_observed();

/// The operation has got its place in the order, and waits for its turn.
void report_submitted(const Stream& stream, const Task& task);
/// carry_out(), observed.
Error run_observed(Stream& stream, Task& task, Error device);

/// Of a task that the program has asked for: its request is known.
record::OperationFacts describe(const Task& task);

}  // namespace warpfiber::streams
