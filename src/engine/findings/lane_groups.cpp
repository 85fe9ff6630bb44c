// SPDX-License-Identifier: Apache-2.0
#include "engine/findings/lane_groups.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <utility>

#include "engine/findings/standstill.hpp"
#include "engine/grid.hpp"

namespace warpfiber::engine {

using record::Party;
using record::Role;

namespace {

constexpr const char* kNotTheOnly = "the last of several places that make tiles of this size";

/// The places of groups whose objects hold nothing are kept by the block.
std::pair<Site, bool> resolved(const detail::Block& block, std::uint64_t mask, const Site& origin) {
  if (origin.line != 0) return {origin, false};
  const auto size = static_cast<unsigned>(std::popcount(mask));
  if (!std::has_single_bit(size) || size > 1U << (detail::kTileSizes - 1)) return {};
  const detail::TilesMade& made = block.tiles_made[std::countr_zero(size)];
  return {made.site, made.elsewhere};
}

bool same_group_at_other_call(const OpenGather& a, const OpenGather& b) {
  return a.warp == b.warp && &a != &b && a.mask == b.mask;
}

bool overlap(const OpenGather& a, const OpenGather& b) {
  return a.warp == b.warp && a.mask != b.mask && (a.mask & b.mask) != 0;
}

template <class Relation>
bool any_pair(const std::vector<OpenGather>& gathers, Relation relation) {
  return std::any_of(gathers.begin(), gathers.end(), [&](const OpenGather& a) {
    return a.collective->group &&
           std::any_of(gathers.begin(), gathers.end(), [&](const OpenGather& b) { return relation(a, b); });
  });
}

}  // namespace

Site origin_of(const detail::Collective& collective, const detail::LaneArgument* argument) {
  if (!collective.group) return {};
  const Site* origin = static_cast<const detail::GroupArgument*>(argument)->origin;
  return origin != nullptr ? *origin : Site{};
}

void append_origin(const detail::Block& block, std::uint64_t mask, const Site& origin, record::Members makers,
                   std::vector<Party>& parties) {
  const auto [site, elsewhere] = resolved(block, mask, origin);
  if (site.line == 0) return;
  parties.push_back(
      Party{Role::make, std::move(makers), record::place_of(site), "their group", elsewhere ? kNotTheOnly : "", {}});
}

void append_origins(const Standstill& still, std::vector<Party>& parties) {
  struct Made {
    const OpenGather* first;
    std::vector<base::FiberId> by;
  };
  std::map<std::pair<unsigned, unsigned>, Made> made;  // by line and column
  const unsigned size = still.grid.request.warp_size;
  for (const OpenGather& gather : still.gathers) {
    if (!gather.collective->group) continue;
    const Site site = resolved(*gather.block, gather.mask, gather.origin).first;
    Made& here = made.try_emplace({site.line, site.column}, Made{&gather, {}}).first->second;
    base::lane_mask::for_each(gather.arrived, [&](unsigned lane) {
      here.by.push_back(base::fiber_id(gather.block->rank, gather.warp->index * size + lane, still.grid.threads));
    });
  }
  for (auto& [place, here] : made) {
    std::sort(here.by.begin(), here.by.end());
    append_origin(*here.first->block, here.first->mask, here.first->origin,
                  record::members_of_threads(still.grid.request.facts, here.by), parties);
  }
}

bool any_group(const Standstill& still) {
  return std::any_of(still.gathers.begin(), still.gathers.end(),
                     [](const OpenGather& gather) { return gather.collective->group; });
}

GroupStory group_story(const Standstill& still) {
  if (any_pair(still.gathers, same_group_at_other_call)) {
    return {"Threads of one group make different calls, and each of them waits for all threads of the group.",
            "the same sequence of calls in every thread of the group"};
  }
  if (any_pair(still.gathers, overlap)) {
    return {"Groups that share threads wait for each other: a thread cannot be at the calls of both.",
            "groups made by one call that all their threads make together, with equal arguments"};
  }
  return {
      "Only some of the threads of a group make this call, and it waits for all of them. Threads that have taken "
      "another branch since the group was made are still its members.",
      "a group of those threads that come here, made where they are: cg::coalesced_threads(), or a partition "
      "before the branch"};
}

}  // namespace warpfiber::engine
