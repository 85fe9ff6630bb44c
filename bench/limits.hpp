// SPDX-License-Identifier: Apache-2.0
// What the figures must reach. A limit is a number or a multiple of another figure of the same run, so that the table
// means the same on every machine. Used by main.cpp only.
#pragma once

#include <iosfwd>
#include <map>
#include <string>

namespace warpfiber::bench {

/// Measured counters by benchmark and counter: "barrier/256:ns_per_thread". The counter "wall_per_cpu" of each
/// benchmark is its wall time as a multiple of the CPU time of the thread that ran it.
using Figures = std::map<std::string, double>;

/// Prints each figure that was measured beside its limit. A limit whose yardstick was not run is shown as missing.
void print_table(std::ostream& out, const Figures& figures);

}  // namespace warpfiber::bench
