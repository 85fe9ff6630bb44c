// SPDX-License-Identifier: Apache-2.0
//
// What a program computes by CUDA's rules, worked out one node after the other for all threads of a group at once. It
// knows no fibers, barriers or schedules, and shares nothing with the simulator but the meaning of a node's operands:
// where the two differ, one of them is wrong, and where a device agrees with this one, programs that nobody has
// recorded can be tried in its place.
#pragma once

#include "tools/fuzz/program/run.hpp"

namespace warpfiber::tools::fuzz {

/// Of a valid program; as Runner::run has it of the simulator.
Outcome run_sequentially(const Flat& program, Wanted wanted);

}  // namespace warpfiber::tools::fuzz
