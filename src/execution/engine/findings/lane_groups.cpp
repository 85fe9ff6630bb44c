// SPDX-License-Identifier: Apache-2.0
// Which groups overlap or wait at different calls, and where each of them was made.
#include "engine/findings/lane_groups.hpp"

#include <algorithm>
#include <bit>
#include <map>
#include <utility>

#include "engine/findings/stall_snapshot.hpp"
#include "engine/state/grid.hpp"
#include "record/diagnosis.hpp"

namespace warpfiber::engine {

using record::Party;
using record::Role;

namespace {

/// Threads whose groups were made at one place.
struct GroupMaker {
  TilePlace made;
  std::vector<base::FiberId> threads;
};

struct GroupMakers {
  std::map<std::pair<unsigned, unsigned>, GroupMaker> by_place;  // line and column

  GroupMaker& at(const TilePlace& made) {
    GroupMaker& maker = by_place.try_emplace({made.site.line, made.site.column}, GroupMaker{made, {}}).first->second;
    maker.made.elsewhere = maker.made.elsewhere || made.elsewhere;
    return maker;
  }
};

void append_party(const TilePlace& made, record::Members makers, std::vector<Party>& parties) {
  if (made.site.line == 0) return;
  parties.push_back(Party{Role::make, std::move(makers), record::place_of(made.site), "their group"});
  if (made.elsewhere) parties.back().note = record::FixedNote::makes_tiles_elsewhere;
}

/// Where a member of the group of `mask`, the thread of rank `rank` in `block`, has made it. The places of groups whose
/// objects hold nothing are kept by the block.
TilePlace resolved(const ResidentBlock& block, std::uint64_t mask, const Site& origin, unsigned rank) {
  if (origin.line != 0) return {origin, false};
  const auto size = static_cast<unsigned>(std::popcount(mask));
  if (!std::has_single_bit(size) || size > 1U << (detail::kTileSizes - 1)) return {};
  return place_of_tile(block, static_cast<unsigned>(std::countr_zero(size)), rank);
}

bool same_group_at_other_call(const OpenLanes& a, const OpenLanes& b) {
  return a.warp == b.warp && &a != &b && a.mask == b.mask;
}

bool overlap(const OpenLanes& a, const OpenLanes& b) {
  return a.warp == b.warp && a.mask != b.mask && (a.mask & b.mask) != 0;
}

/// Whether two groups' lanes stand so to each other; an intrinsic's are of no group.
template <class Relation>
bool any_pair(const std::vector<OpenLanes>& lanes, Relation relation) {
  return std::any_of(lanes.begin(), lanes.end(), [&](const OpenLanes& a) {
    return a.collective->group && std::any_of(lanes.begin(), lanes.end(), [&](const OpenLanes& b) {
             return b.collective->group && relation(a, b);
           });
  });
}

}  // namespace

Site origin_of(const detail::Collective& collective, const detail::LaneArgument* argument) {
  if (!collective.group || &collective == &detail::kCollectiveOf<detail::Operation::tile_sync>) return {};
  const Site* origin = static_cast<const detail::GroupArgument*>(argument)->origin;
  return origin != nullptr ? *origin : Site{};
}

void append_origin(const ResidentBlock& block, std::uint64_t mask, const Site& origin, unsigned first,
                   record::Members makers, std::vector<Party>& parties) {
  append_party(resolved(block, mask, origin, first), std::move(makers), parties);
}

void append_origins(const StallSnapshot& still, std::vector<Party>& parties) {
  GroupMakers makers;
  const unsigned size = still.grid.request.warp_size;
  for (const OpenLanes& open : still.open_lanes) {
    if (!open.collective->group) continue;
    base::lane_mask::for_each(open.arrived, [&](unsigned lane) {
      const unsigned rank = open.warp->index * size + lane;
      GroupMaker& here = makers.at(resolved(*open.block, open.mask, open.origin, rank));
      here.threads.push_back(base::fiber_id(open.block->rank, rank, still.grid.threads));
    });
  }
  for (const OpenGroup& group : still.groups) {
    GroupMaker& here = makers.at({group.origin, false});
    here.threads.insert(here.threads.end(), group.arrived.begin(), group.arrived.end());
  }
  for (auto& [place, maker] : makers.by_place) {
    std::sort(maker.threads.begin(), maker.threads.end());
    append_party(maker.made, record::members_of_threads(still.grid.request.facts, maker.threads), parties);
  }
}

bool any_group(const StallSnapshot& still) {
  return !still.groups.empty() || still.any(WaitState::at_group_phase) ||
         std::any_of(still.open_lanes.begin(), still.open_lanes.end(),
                     [](const OpenLanes& open) { return open.collective->group; });
}

record::Mistake diagnose_groups(const StallSnapshot& still) {
  if (any_pair(still.open_lanes, same_group_at_other_call)) return record::Mistake::calls_of_group_differ;
  if (any_pair(still.open_lanes, overlap)) return record::Mistake::groups_overlap;
  return still.any(WaitState::at_group_phase) ? record::Mistake::wide_group_incomplete
                                              : record::Mistake::group_incomplete;
}

}  // namespace warpfiber::engine
