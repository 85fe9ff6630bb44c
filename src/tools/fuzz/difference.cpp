// SPDX-License-Identifier: Apache-2.0
//
// Compares event by event, in the order in which each thread saw them, and prints the operation of the first
// difference (print.cpp).
#include "tools/fuzz/difference.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "tools/fuzz/programs.hpp"

namespace warpfiber::tools::fuzz {
namespace {

bool is_same(const NodeEvent& a, const NodeEvent& b) {
  return a.value == b.value && a.node == b.node;
}

std::string seen(const char* where, const FuzzProgram& program, const std::optional<NodeEvent>& event, unsigned usual) {
  if (!event) return fmt::format("  {:<6} nothing more\n", where);
  const std::string other = event->node == usual ? "" : "  at " + line_of(program, unsigned(event->node));
  return fmt::format("  {:<6} 0x{:016x}{}\n", where, event->value, other);
}

/// Keeps the first `left` nodes, which it counts down. Groups that had a second part for themselves keep one: without
/// it they would do the first (Holder::part).
void keep(std::vector<Tree>& trees, unsigned& left) {
  for (std::size_t i = 0; i < trees.size(); ++i) {
    if (left == 0) return trees.resize(i);
    --left;
    const bool had_second = !trees[i].second.empty();
    keep(trees[i].first, left);
    keep(trees[i].second, left);
    if (had_second && trees[i].second.empty()) trees[i].second.push_back(Tree{});
  }
}

}  // namespace

std::optional<FirstDifference> first_difference(const Outcome& here, const Outcome& there) {
  std::optional<FirstDifference> found;
  std::size_t first = kMaxEvents;
  for (unsigned thread = 0; thread < std::min(here.threads.size(), there.threads.size()); ++thread) {
    const std::vector<NodeEvent>& ours = here.threads[thread];
    const std::vector<NodeEvent>& theirs = there.threads[thread];
    const auto [our, their] = std::ranges::mismatch(ours, theirs, is_same);
    const auto place = std::size_t(our - ours.begin());
    if ((our == ours.end() && their == theirs.end()) || place >= first) continue;
    first = place;
    found = FirstDifference{thread, {}, {}};
    if (our != ours.end()) found->here = *our;
    if (their != theirs.end()) found->there = *their;
  }
  return found;
}

std::optional<unsigned> first_node(const std::vector<std::uint16_t>& here, const std::vector<std::uint16_t>& there) {
  const auto [our, their] = std::ranges::mismatch(here, there);
  if (our == here.end() && their == there.end()) return std::nullopt;
  return unsigned(our - here.begin());
}

std::string describe(const FuzzProgram& program, const FirstDifference& difference) {
  const unsigned threads = program.shape.threads();
  const auto node = unsigned((difference.here ? difference.here : difference.there)->node);
  return fmt::format("  first in thread {} of the block of rank {}: {}\n", difference.thread % threads,
                     difference.thread / threads, line_of(program, node)) +
         seen("here", program, difference.here, node) + seen("there", program, difference.there, node);
}

FuzzProgram cut_behind(const FuzzProgram& program, unsigned index) {
  FuzzProgram cut = program;
  unsigned left = index + 1;
  keep(cut.body, left);
  return cut;
}

}  // namespace warpfiber::tools::fuzz
