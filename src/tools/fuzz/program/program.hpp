// SPDX-License-Identifier: Apache-2.0
//
// A program as a tree, which is what generator, shrinker and printer work on, and its rules: which nodes a group can
// execute, and what the nodes inside find. A program that keeps the rules is free of races, ends, and gives the same on
// every device and every schedule.
#pragma once

#include <cstdint>
#include <vector>

#include "tools/fuzz/kernel/program.hpp"

namespace warpfiber::tools::fuzz {

struct Tree {
  Node node{};  // its first and second mean nothing here
  std::vector<Tree> first;
  std::vector<Tree> second;
};

struct FuzzProgram {
  std::uint64_t seed = 0;  // of the registers, and of which clusters and blocks do what
  ProgramShape shape{1, 1, 1, 1, 1, 1, 0};
  std::vector<Tree> body;
};

/// A group as far as it decides what it can execute.
struct Stage {
  Context context;
  unsigned size;  // of tiles; else 0
};

Stage root_stage(const ProgramShape& shape);

/// The group that executes the parts of `node`, which `stage` can execute.
Stage stage_inside(const Stage& stage, const Node& node);

/// Whether groups of this kind execute nodes of this kind at all.
bool can_execute(Context context, Op op);

/// Whether threads of `stage` can execute the node, whatever it holds.
bool is_allowed(const Stage& stage, const Node& node, const ProgramShape& shape);

/// How many nodes there are.
unsigned count_nodes(const std::vector<Tree>& trees);

/// The most that one thread notes down.
unsigned count_events(const std::vector<Tree>& trees);

/// Whether the whole program keeps the rules, fits into Flat, and notes no more than kMaxEvents.
bool is_valid(const FuzzProgram& program);

/// Of a valid program.
Flat flatten(const FuzzProgram& program);

}  // namespace warpfiber::tools::fuzz
