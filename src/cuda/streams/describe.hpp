// SPDX-License-Identifier: Apache-2.0
//
// What an operation of a stream is, as facts that traces and findings print.
#pragma once

#include "record/stream_observer.hpp"
#include "streams/scheduler.hpp"

namespace warpfiber::streams {

/// Of a task that the program has asked for: its request is known.
record::OperationFacts describe(const Task& task);

}  // namespace warpfiber::streams
