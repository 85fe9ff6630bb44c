// SPDX-License-Identifier: Apache-2.0
//
// The rules are tables of bits, one entry for each operation, which say what contexts may execute it.
#include "tools/fuzz/program/program.hpp"

#include <algorithm>

namespace warpfiber::tools::fuzz {
namespace {

constexpr unsigned kWarp = 32;
constexpr unsigned kMostRuns = 4;  // of the part of a loop or a repetition
constexpr unsigned kMostBlocks = 8;

bool is_power_of_two(unsigned n) {
  return n != 0 && (n & (n - 1)) == 0;
}

constexpr unsigned set_of(std::initializer_list<Op> ops) {
  unsigned set = 0;
  for (const Op op : ops) set |= 1u << unsigned(op);
  return set;
}

constexpr unsigned kEverywhere = set_of({Op::arithmetic, Op::place, Op::exchange, Op::atomic, Op::when, Op::repeat});
constexpr unsigned kCollectives = set_of({Op::shuffle, Op::vote, Op::reduce, Op::scan});
constexpr unsigned kParts = set_of({Op::dynamic, Op::binary, Op::label, Op::lanes});

/// Bits of Op, by Context.
constexpr unsigned kOpsOf[] = {
    kEverywhere | set_of({Op::narrow}),
    kEverywhere | set_of({Op::narrow}),
    kEverywhere | set_of({Op::vote, Op::tile, Op::dynamic, Op::lanes}),
    kEverywhere | kCollectives | set_of({Op::tile, Op::lanes}),
    kEverywhere | kCollectives | kParts | set_of({Op::match, Op::tile}),
    kEverywhere | kCollectives | kParts | set_of({Op::match}),
    kEverywhere | set_of({Op::dynamic}),
    kEverywhere | set_of({Op::shuffle, Op::vote, Op::match, Op::reduce, Op::aggregate, Op::branch, Op::loop}),
};

bool is_wide(Context context) {
  return context <= Context::block;
}

/// Tiles above 32 are not drawn in launches with clusters of several blocks. With them, 40 of the first 1,015 programs
/// did not end or failed on an H200 (driver 580.159.04, CUDA 13.0); without them none of 30,000 does. Which of the
/// two makes those 40 fail was not established.
bool allows_tile(const Stage& stage, unsigned size, const ProgramShape& shape) {
  if (!is_power_of_two(size) || size > kMaxThreads) return false;
  if (size > kWarp && shape.cluster > 1) return false;
  if (stage.context == Context::block) return shape.threads() % size == 0;
  return size <= kWarp && size < stage.size;
}

bool allows_shuffle(const Stage& stage, const Node& node) {
  if (stage.context == Context::lanes) return node.how <= unsigned(Shuffle::exclusive_or) && node.bit <= 5;
  if (stage.context == Context::large_tile) return node.how == unsigned(Shuffle::index);
  if (node.immediate >= kWarp) return false;
  if (node.how != unsigned(Shuffle::exclusive_or)) return node.how < unsigned(Shuffle::exclusive_or);
  return stage.context == Context::tile && node.immediate < stage.size;
}

bool allows_vote(const Stage& stage, const Node& node) {
  const auto how = Vote(node.how);
  if (how == Vote::any || how == Vote::all) return true;
  return how == (stage.context == Context::block ? Vote::count : Vote::ballot) && stage.context != Context::large_tile;
}

/// Memory and barriers that the group has.
bool allows_meeting(const Stage& stage, const Node& node) {
  if (stage.context == Context::grid && (node.option & kGlobal) == 0) return false;
  return is_wide(stage.context) || (node.option & kSplit) == 0;
}

/// 64-bit atomics on the shared memory of another block of the cluster are only drawn as compare-and-swap: the others,
/// through a generic address, which is the one CUDA C++ has, do not change the word of the other block on an H200
/// (CUDA 13.0; seen with max, or and xor).
bool allows_atomic(const Stage& stage, const Node& node, const ProgramShape& shape) {
  if (node.how >= kAtomics) return false;
  const auto how = Atomic(node.how);
  const bool remote = stage.context == Context::cluster && shape.cluster > 1 && (node.option & kGlobal) == 0;
  if (remote && node.type == ValueType::uint64 && how != Atomic::compare_and_swap) return false;
  if (how == Atomic::increment || how == Atomic::decrement) return node.type == ValueType::uint32;
  return node.type == ValueType::uint32 || node.type == ValueType::uint64;
}

bool allows_details(const Stage& stage, const Node& node, const ProgramShape& shape) {
  switch (node.op) {
    case Op::arithmetic: return node.how < kArithmetics;
    case Op::exchange: return allows_meeting(stage, node);
    case Op::atomic: return allows_meeting(stage, node) && allows_atomic(stage, node, shape);
    case Op::shuffle: return allows_shuffle(stage, node) && unsigned(node.type) < kTypes;
    case Op::vote: return allows_vote(stage, node);
    case Op::match: return node.how <= 1 && unsigned(node.type) < kTypes;
    case Op::reduce:
    case Op::scan: return has_fold(stage.context, stage.size, node.type, Functor(node.how));
    case Op::narrow: return node.how > unsigned(stage.context) && node.how <= unsigned(Context::block);
    case Op::repeat: return node.immediate <= kMostRuns || (node.option & kCounted) != 0;
    case Op::tile: return allows_tile(stage, node.immediate, shape);
    case Op::dynamic: return is_power_of_two(node.immediate) && node.immediate <= kWarp;
    case Op::label: return node.how <= unsigned(Label::pointer);
    default: return true;
  }
}

bool is_valid(const Stage& stage, const std::vector<Tree>& trees, const ProgramShape& shape) {
  return std::ranges::all_of(trees, [&](const Tree& tree) {
    if (!is_allowed(stage, tree.node, shape)) return false;
    if (!holds_nodes(tree.node.op)) return tree.first.empty() && tree.second.empty();
    const Stage inside = stage_inside(stage, tree.node);
    return is_valid(inside, tree.first, shape) && is_valid(inside, tree.second, shape);
  });
}

bool is_launchable(const ProgramShape& shape) {
  const bool block = shape.threads() >= 1 && shape.threads() <= kMaxThreads && shape.z <= 64;
  const bool grid = shape.blocks() >= 1 && shape.blocks() <= kMostBlocks;
  return block && grid && shape.cluster >= 1 && shape.grid_x % shape.cluster == 0;
}

void append(const std::vector<Tree>& trees, Flat& to) {
  for (const Tree& tree : trees) {
    Node& node = to.nodes[to.count++];
    node = tree.node;
    const unsigned start = to.count;
    append(tree.first, to);
    node.first = std::uint16_t(to.count - start);
    append(tree.second, to);
    node.second = std::uint16_t(to.count - start - node.first);
  }
}

}  // namespace

Stage root_stage(const ProgramShape& shape) {
  return {root_of(shape), 0};
}

Stage stage_inside(const Stage& stage, const Node& node) {
  switch (node.op) {
    case Op::narrow: return {Context(node.how), 0};
    case Op::tile: return {node.immediate > kWarp ? Context::large_tile : Context::tile, node.immediate};
    case Op::dynamic: return {stage.context == Context::coalesced ? Context::coalesced : Context::dynamic, 0};
    case Op::binary:
    case Op::label: return {Context::coalesced, 0};
    case Op::lanes: return {Context::lanes, 0};
    default: return stage;
  }
}

bool can_execute(Context context, Op op) {
  return (kOpsOf[unsigned(context)] >> unsigned(op) & 1) != 0;
}

bool is_allowed(const Stage& stage, const Node& node, const ProgramShape& shape) {
  if (unsigned(node.op) >= kOps || node.to >= kRegisters || node.a >= kRegisters || node.b >= kRegisters) return false;
  if (!can_execute(stage.context, node.op) || node.bit >= 64) return false;
  return allows_details(stage, node, shape);
}

unsigned count_nodes(const std::vector<Tree>& trees) {
  unsigned count = 0;
  for (const Tree& tree : trees) count += 1 + count_nodes(tree.first) + count_nodes(tree.second);
  return count;
}

unsigned count_events(const std::vector<Tree>& trees) {
  unsigned count = 0;
  for (const Tree& tree : trees) {
    const unsigned inside = std::max(count_events(tree.first), count_events(tree.second));
    const bool repeats = tree.node.op == Op::repeat || tree.node.op == Op::loop;
    count += 1 + inside * (repeats ? kMostRuns : 1);
  }
  return count;
}

bool is_valid(const FuzzProgram& program) {
  return is_launchable(program.shape) && count_nodes(program.body) <= kMaxNodes &&
         count_events(program.body) <= kMaxEvents && is_valid(root_stage(program.shape), program.body, program.shape);
}

Flat flatten(const FuzzProgram& program) {
  Flat flat{};
  flat.seed = program.seed;
  flat.shape = program.shape;
  append(program.body, flat);
  return flat;
}

}  // namespace warpfiber::tools::fuzz
