// SPDX-License-Identifier: Apache-2.0
// The trace that WARPFIBER_TRACE asks for (docs/traces.md): begun when the process first launches or uses streams,
// written when it ends. A reset of the devices changes nothing about it.
#pragma once

#include <vector>

#include "record/stream_observer.hpp"

namespace warpfiber::launches {

/// Observes launches from now on if a trace is asked for. Called before each launch; the first call does it.
void begin_trace();

/// The trace, where it is asked for: who observes streams from the start.
std::vector<record::StreamObserver*> stream_observers_of_environment();

/// Writes the file, if there is a trace. One that cannot be written is complained about.
void write_trace();

/// Writes the page that WARPFIBER_REPORT asks for (docs/reports.md), if there is one. After the findings are settled.
void write_report();

/// A launch has failed, after which many a program calls abort(): writes what there is so far, the first time.
void write_after_failure();

}  // namespace warpfiber::launches
