// SPDX-License-Identifier: Apache-2.0
//
// Greedy: whatever still shows the difference is kept, and all is tried again until nothing does. What makes most go
// comes first: nodes with all that they hold, then the shape, then operands.
#include "tools/fuzz/programs.hpp"

#include <utility>

namespace warpfiber::tools::fuzz {
namespace {

using Trees = std::vector<Tree>;
/// Changes the list that a node stands in.
using Change = std::function<void(Trees& list, std::size_t place)>;

/// Changes the node `index` in the order of writing, which is counted down. False: it is not among these.
bool change_node(Trees& trees, unsigned& index, const Change& change) {
  for (std::size_t place = 0; place < trees.size(); ++place) {
    if (index == 0) {
      change(trees, place);
      return true;
    }
    --index;
    if (change_node(trees[place].first, index, change) || change_node(trees[place].second, index, change)) return true;
  }
  return false;
}

void remove(Trees& list, std::size_t place) {
  list.erase(list.begin() + std::ptrdiff_t(place));
}

void replace(Trees& list, std::size_t place, const Trees& by) {
  remove(list, place);
  list.insert(list.begin() + std::ptrdiff_t(place), by.begin(), by.end());
}

/// Clusters and blocks that the narrowed-down parts are done by, in the place of a grid or cluster.
Trees without_narrow(const Trees& trees) {
  Trees all;
  for (const Tree& tree : trees) {
    if (tree.node.op != Op::narrow) {
      all.push_back(tree);
      continue;
    }
    for (const Trees* part : {&tree.first, &tree.second}) {
      const Trees inside = without_narrow(*part);
      all.insert(all.end(), inside.begin(), inside.end());
    }
  }
  return all;
}

class Shrinker {
 public:
  Shrinker(const FuzzProgram& program, const Shows& shows, unsigned most_trials)
      : program_(program), shows_(shows), left_(most_trials) {}

  FuzzProgram shrink() {
    bool smaller = true;
    while (smaller && left_ != 0) {
      smaller = shrink_nodes();
      smaller |= shrink_shape();
      smaller |= shrink_operands();
    }
    return program_;
  }

 private:
  /// Goes on with the candidate if it shows the difference, too.
  bool take(FuzzProgram candidate) {
    if (left_ == 0 || !is_valid(candidate)) return false;
    --left_;
    if (!shows_(candidate)) return false;
    program_ = std::move(candidate);
    return true;
  }

  bool try_change(unsigned index, const Change& change) {
    FuzzProgram candidate = program_;
    change_node(candidate.body, index, change);
    return take(std::move(candidate));
  }

  const Tree* node(unsigned index) {
    const Tree* found = nullptr;
    change_node(program_.body, index, [&](const Trees& list, std::size_t place) { found = &list[place]; });
    return found;
  }

  bool shrink_nodes() {
    bool any = false;
    for (unsigned i = 0; const Tree* const tree = node(i);) {
      const bool smaller = try_change(i, remove) || (holds_nodes(tree->node.op) && try_lift(i));
      any |= smaller;
      if (!smaller) ++i;
    }
    return any;
  }

  /// What the node holds takes its place.
  bool try_lift(unsigned index) {
    const auto first = [](Trees& list, std::size_t place) { replace(list, place, Trees(list[place].first)); };
    const auto second = [](Trees& list, std::size_t place) { replace(list, place, Trees(list[place].second)); };
    if (try_change(index, first) || try_change(index, second)) return true;
    if (node(index)->second.empty()) return false;
    return try_change(index, [](Trees& list, std::size_t place) { list[place].second.clear(); });
  }

  bool try_shape(const ProgramShape& shape) {
    FuzzProgram candidate = program_;
    candidate.shape = shape;
    if (take(candidate)) return true;
    candidate.body = without_narrow(candidate.body);
    return root_of(shape) != root_of(program_.shape) && take(std::move(candidate));
  }

  bool shrink_shape() {
    bool any = false;
    ProgramShape shape = program_.shape;
    if (std::exchange(shape.cooperative, 0) != 0) any |= try_shape(shape);
    shape = program_.shape;
    if (std::exchange(shape.cluster, 1) > 1) any |= try_shape(shape);
    shape = program_.shape;
    if (std::exchange(shape.grid_y, 1) > 1) any |= try_shape(shape);
    shape = program_.shape;
    if (std::exchange(shape.grid_x, shape.cluster) > shape.cluster) any |= try_shape(shape);
    return shrink_block() || any;
  }

  /// To a power of two, or into one row.
  bool shrink_block() {
    ProgramShape shape = program_.shape;
    const unsigned threads = shape.threads();
    const bool one_row = shape.x == threads;
    shape.y = shape.z = 1;
    for (unsigned fewer = 1; fewer < threads; fewer *= 2) {
      shape.x = std::uint16_t(fewer);
      if (try_shape(shape)) return true;
    }
    shape.x = std::uint16_t(threads);
    return !one_row && try_shape(shape);
  }

  bool shrink_operands() {
    constexpr void (*kSimpler[])(Node&) = {
        [](Node& of) { of.to = 0; },        [](Node& of) { of.a = 0; },
        [](Node& of) { of.b = 0; },         [](Node& of) { of.bit = 0; },
        [](Node& of) { of.option = 0; },    [](Node& of) { of.type = ValueType::int32; },
        [](Node& of) { of.immediate = 0; }, [](Node& of) { of.immediate = 1; },
    };
    bool any = false;
    for (unsigned i = 0; node(i) != nullptr; ++i) {
      for (const auto set : kSimpler) any |= try_operand(i, set);
    }
    return any;
  }

  bool try_operand(unsigned index, void (*set)(Node&)) {
    Node changed = node(index)->node;
    set(changed);
    // Down only, or two values would take turns.
    if (size_of(changed) >= size_of(node(index)->node)) return false;
    return try_change(index, [&](Trees& list, std::size_t place) { list[place].node = changed; });
  }

  static std::uint64_t size_of(const Node& node) {
    return std::uint64_t(node.immediate) + node.to + node.a + node.b + node.bit + node.option + unsigned(node.type);
  }

  FuzzProgram program_;
  const Shows& shows_;
  unsigned left_;
};

}  // namespace

FuzzProgram shrunk(const FuzzProgram& program, const Shows& shows, unsigned most_trials) {
  return Shrinker(program, shows, most_trials).shrink();
}

}  // namespace warpfiber::tools::fuzz
