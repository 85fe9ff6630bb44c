// SPDX-License-Identifier: Apache-2.0
//
// Naming members.
#include "report/who.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "base/text.hpp"

namespace warpfiber::report {
namespace {

using record::LaunchFacts;
using record::Members;
using record::Run;

constexpr std::size_t kMostRuns = 3;

std::uint64_t length(const Run& run, const base::Triple& extent) {
  return base::linear_index(run.last, extent) - base::linear_index(run.first, extent) + 1;
}

bool one_dimensional(const base::Triple& extent) {
  return extent.y == 1 && extent.z == 1;
}

std::string coordinates(const Run& run) {
  return base::range_text(run.first, run.last);
}

/// "0", "1-255": threads of a one-dimensional block.
std::string numbers(const Run& run) {
  if (run.first == run.last) return fmt::format("{}", run.first.x);
  return fmt::format("{}-{}", run.first.x, run.last.x);
}

/// "(0,0,0) … (3,0,0), (5,0,0), (7,0,0) and 12 more".
template <class Spell>
std::string list(std::span<const Run> runs, const base::Triple& extent, Spell spell) {
  std::string text;
  for (const Run& run : runs.first(std::min(runs.size(), kMostRuns))) text += (text.empty() ? "" : ", ") + spell(run);
  if (runs.size() <= kMostRuns) return text;
  std::uint64_t others = 0;
  for (const Run& run : runs.subspan(kMostRuns)) others += length(run, extent);
  return fmt::format("{} and {} more", text, base::thousands(others));
}

bool single(std::span<const Run> runs) {
  return runs.size() == 1 && runs[0].first == runs[0].last;
}

/// "thread 0", "threads 1-255, 300", "thread (0,1,0)".
std::string threads_text(const Members& members, const LaunchFacts& launch) {
  const std::string noun = single(members.threads) ? "thread " : "threads ";
  if (one_dimensional(launch.block)) return noun + list(members.threads, launch.block, numbers);
  return noun + list(members.threads, launch.block, coordinates);
}

bool part_of_a_warp(const Members& members, const LaunchFacts& launch) {
  return members.lanes && members.lanes->mask != base::lane_mask::full(launch.warp_size);
}

/// The threads within their one block, or an empty text where they are not known.
std::string inside_block(const Members& members, const LaunchFacts& launch) {
  if (members.whole_blocks) return "all threads";
  if (members.threads.empty()) return {};
  if (single(members.threads)) return "thread " + base::triple_text(members.threads[0].first);
  if (part_of_a_warp(members, launch))
    return fmt::format("{} of warp {}", base::lanes_text(members.lanes->mask), members.lanes->warp);
  const std::string warp = members.lanes ? fmt::format(" (warp {})", members.lanes->warp) : std::string();
  return threads_text(members, launch) + warp;
}

}  // namespace

std::string count_text(const Members& members) {
  if (members.unit == record::Unit::host) return "the host";
  if (members.count == 0) return "threads";  // nobody has counted them
  const bool one_each = members.count > 1 && single(members.threads);
  return base::counted(members.count, members.unit == record::Unit::block || one_each ? "block" : "thread");
}

std::string who_text(const Members& members, const LaunchFacts& launch) {
  if (members.blocks.empty()) return {};
  std::string blocks = "block " + list(members.blocks, launch.grid, coordinates);
  if (members.unit == record::Unit::block) return blocks;
  std::string inside = inside_block(members, launch);
  if (inside.empty()) return "in " + blocks;
  if (base::volume(launch.grid) == 1) return inside;
  if (single(members.blocks)) return inside + " of " + blocks;
  if (members.whole_blocks) return "all of " + blocks;
  return fmt::format("{}, {} of each", blocks, threads_text(members, launch));
}

}  // namespace warpfiber::report
