// SPDX-License-Identifier: Apache-2.0
//
// From the outside in: the shape, then what the group at hand does, then what the groups that it is cut into do. Every
// node is drawn for a group that can execute it; `room` is what a thread may still note down.
#include "tools/fuzz/programs.hpp"

#include <algorithm>
#include <bit>

#include "tools/fuzz/program/drawing.hpp"

namespace warpfiber::tools::fuzz {
namespace {

constexpr unsigned kDeepest = 6;
constexpr unsigned kMostEvents = 120;  // of a program as it is drawn
constexpr unsigned kMostDrawnNodes = 48;
constexpr unsigned kMostThreads = 2048;  // of a grid

// Shapes.

/// A divisor of `n` that is at most `limit`.
unsigned draw_divisor(Drawing& drawing, unsigned n, unsigned limit) {
  unsigned divisor = drawing.between(1, std::min(n, limit));
  while (n % divisor != 0) --divisor;
  return divisor;
}

unsigned draw_threads(Drawing& drawing) {
  constexpr unsigned kOdd[] = {1, 31, 33, 96, 1000, 1024};
  switch (drawing.below(16)) {
    case 0: return drawing.one_of(kOdd);
    case 1: return drawing.between(1, 96);
    case 2: return drawing.between(1, 6) * (4u << drawing.below(4));
    case 3: return 128u << drawing.below(4);
    case 4: return drawing.between(1, 300);
    case 5:
    case 6: return 64 * drawing.between(1, 4);
    default: return 32 * drawing.between(1, 4);
  }
}

ProgramShape draw_shape(Drawing& drawing) {
  const unsigned threads = draw_threads(drawing);
  unsigned y = 1;
  unsigned z = 1;
  if (drawing.once_in(2)) {
    y = draw_divisor(drawing, threads, threads);
    if (drawing.once_in(2)) z = draw_divisor(drawing, y, 64);
  }
  const unsigned most_blocks = std::clamp(kMostThreads / threads, 1u, 8u);
  unsigned cluster = 1;
  if (drawing.once_in(3)) cluster = std::min(1u << drawing.between(1, 3), std::bit_floor(most_blocks));
  const unsigned blocks = drawing.once_in(2) && cluster == 1 ? 1 : cluster * drawing.between(1, most_blocks / cluster);
  unsigned rows = 1;
  if (drawing.once_in(4)) rows = draw_divisor(drawing, blocks / cluster, 4);
  const unsigned cooperative = drawing.once_in(4);
  return {std::uint16_t(threads / y), std::uint16_t(y / z),   std::uint16_t(z),          std::uint16_t(blocks / rows),
          std::uint16_t(rows),        std::uint16_t(cluster), std::uint16_t(cooperative)};
}

// Nodes.

struct Weight {
  Op op;
  unsigned weight;
};

/// How often each is drawn where it is allowed.
constexpr Weight kWeights[] = {
    {Op::arithmetic, 3}, {Op::place, 1},   {Op::exchange, 3}, {Op::atomic, 3}, {Op::shuffle, 6},
    {Op::vote, 2},       {Op::match, 3},   {Op::reduce, 5},   {Op::scan, 5},   {Op::aggregate, 2},
    {Op::narrow, 8},     {Op::when, 2},    {Op::repeat, 2},   {Op::branch, 6}, {Op::loop, 4},
    {Op::tile, 14},      {Op::dynamic, 2}, {Op::binary, 4},   {Op::label, 5},  {Op::lanes, 4},
};

class Generator {
 public:
  explicit Generator(std::uint64_t seed) : drawing_(seed) {
    program_.seed = seed;
    program_.shape = draw_shape(drawing_);
  }

  FuzzProgram draw() {
    const Stage root = root_stage(program_.shape);
    left_ = drawing_.between(4, kMostDrawnNodes);
    while (left_ != 0 && count_events(program_.body) < kMostEvents) {
      std::vector<Tree> more = draw_part(root, 0, kMostEvents - count_events(program_.body));
      program_.body.insert(program_.body.end(), more.begin(), more.end());
    }
    return std::move(program_);
  }

 private:
  std::vector<Tree> draw_part(const Stage& stage, unsigned depth, unsigned room) {
    std::vector<Tree> trees;
    for (unsigned wanted = drawing_.between(1, 4); wanted != 0 && room != 0 && left_ != 0; --wanted) {
      --left_;
      trees.push_back(draw_tree(stage, depth, room));
      room -= count_events({trees.back()});
    }
    return trees;
  }

  Tree draw_tree(const Stage& stage, unsigned depth, unsigned room) {
    Tree tree;
    do {
      tree.node = draw_node(stage, depth < kDeepest && room >= 8);
    } while (!is_allowed(stage, tree.node, program_.shape));
    if (!holds_nodes(tree.node.op)) return tree;
    const bool repeats = tree.node.op == Op::repeat || tree.node.op == Op::loop;
    const unsigned inside = repeats ? (room - 1) / 4 : room - 1;
    const Stage next = stage_inside(stage, tree.node);
    tree.first = draw_part(next, depth + 1, inside);
    if (!repeats && tree.node.op != Op::lanes && drawing_.once_in(2)) tree.second = draw_part(next, depth + 1, inside);
    return tree;
  }

  Op draw_op(const Stage& stage, bool may_hold) {
    unsigned sum = 0;
    for (const Weight& weight : kWeights) sum += weight_of(weight, stage, may_hold);
    unsigned drawn = drawing_.below(sum);
    for (const Weight& weight : kWeights) {
      const unsigned own = weight_of(weight, stage, may_hold);
      if (drawn < own) return weight.op;
      drawn -= own;
    }
    return Op::place;
  }

  static unsigned weight_of(const Weight& weight, const Stage& stage, bool may_hold) {
    const bool fits = can_execute(stage.context, weight.op) && (may_hold || !holds_nodes(weight.op));
    const bool smallest = weight.op == Op::tile && stage.context == Context::tile && stage.size == 1;
    const bool dull = stage.context == Context::dynamic && holds_nodes(weight.op);
    return !fits || smallest ? 0 : dull ? 1 : weight.weight;
  }

  Node draw_node(const Stage& stage, bool may_hold) {
    Node node{};
    node.op = draw_op(stage, may_hold);
    node.to = std::uint8_t(drawing_.below(kRegisters));
    node.a = std::uint8_t(drawing_.below(kRegisters));
    node.b = std::uint8_t(drawing_.below(kRegisters));
    node.bit = std::uint8_t(drawing_.below(64));
    node.type = ValueType(drawing_.below(kTypes));
    node.immediate = drawing_.below(32);
    draw_details(stage, node);
    return node;
  }

  void draw_details(const Stage& stage, Node& node) {
    switch (node.op) {
      case Op::arithmetic: node.how = std::uint8_t(drawing_.below(kArithmetics)); return;
      case Op::atomic:
        node.how = std::uint8_t(drawing_.below(kAtomics));
        node.type = drawing_.once_in(2) ? ValueType::uint32 : ValueType::uint64;
        [[fallthrough]];
      case Op::exchange: node.option = std::uint8_t(drawing_.below(4)); return;
      case Op::shuffle:
        node.how = std::uint8_t(drawing_.below(4));
        if (stage.context == Context::lanes) node.bit = std::uint8_t(drawing_.once_in(2) ? 5 : drawing_.below(6));
        return;
      case Op::vote: node.how = std::uint8_t(drawing_.below(4)); return;
      case Op::match:
        node.how = std::uint8_t(drawing_.once_in(3));
        draw_mask(node);
        return;
      case Op::reduce: node.how = std::uint8_t(drawing_.below(6)); return;
      case Op::scan:
        node.how = std::uint8_t(drawing_.below(6));
        node.option = std::uint8_t(drawing_.below(2));
        return;
      case Op::narrow: node.how = std::uint8_t(drawing_.between(1, 2)); return;
      case Op::repeat:
        node.option = std::uint8_t(drawing_.below(2));
        if (node.option == 0) node.immediate = drawing_.between(2, 4);
        return;
      case Op::tile: draw_tile(stage, node); return;
      case Op::dynamic: node.immediate = 1u << drawing_.below(6); return;
      case Op::label:
        node.how = std::uint8_t(drawing_.below(4));
        draw_mask(node);
        return;
      default: return;
    }
  }

  /// Mostly few different values.
  void draw_mask(Node& node) {
    constexpr std::uint32_t kMasks[] = {0, 1, 1, 3, 3, 7, 31, 0xffffffffu};
    node.immediate = drawing_.one_of(kMasks);
  }

  void draw_tile(const Stage& stage, Node& node) {
    const auto factor = unsigned(std::countr_zero(program_.shape.threads()));  // of two, in a block
    const bool large = stage.context == Context::block && factor > 5 && drawing_.once_in(2);
    node.immediate = large ? 64u << drawing_.below(factor - 5) : drawing_.once_in(3) ? 32 : 1u << drawing_.below(6);
  }

  Drawing drawing_;
  FuzzProgram program_;
  unsigned left_ = 0;  // nodes that may still be drawn
};

}  // namespace

FuzzProgram generate(std::uint64_t seed) {
  return Generator(seed).draw();
}

}  // namespace warpfiber::tools::fuzz
