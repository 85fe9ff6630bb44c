// SPDX-License-Identifier: Apache-2.0
// Cases are found again by their hazard and sites; many ways to one pair of sites share the first case.
#include "check/cases/cases.hpp"

#include "check/cells/sites.hpp"

namespace warpfiber::check {

Case* Cases::add(Hazard hazard, unsigned earlier_site, unsigned site) {
  const auto [found, fresh] = places_.try_emplace(key(hazard, earlier_site, site), cases_.size());
  if (fresh) found->second = place_in_group(key(hazard, alone(earlier_site), alone(site)));
  last_ = found->second;
  const bool known = last_ < cases_.size();
  if (known) ++cases_[last_].repeats;
  if (!known && fresh && cases_.size() < kMost) {
    Case& made = cases_.emplace_back();
    made.hazard = hazard;
    announce_case(hazard);
    return &made;
  }
  if (!known && fresh) ++dropped_;
  // Bounded as well; beyond, a kind that comes twice counts twice.
  if (fresh && places_.size() > kMostCounted) places_.erase(found);
  return nullptr;
}

/// Where a new kind goes: to the end, or to one that it differs from by the calls that led there, if there are many.
std::size_t Cases::place_in_group(std::uint64_t kind) {
  if (cases_.size() == kMost) return kMost;
  SiteGroup& group = groups_.try_emplace(kind, SiteGroup{cases_.size()}).first->second;
  return group.ways++ < kMostWays ? cases_.size() : group.first;
}

Case* Cases::turn(Hazard hazard, unsigned earlier_site, unsigned site, Hazard into) {
  const auto found = places_.find(key(hazard, earlier_site, site));
  if (found == places_.end() || found->second >= cases_.size()) return nullptr;
  last_ = found->second;
  Case& turned = cases_[found->second];
  if (turned.hazard != into) announce_case(into);
  turned.hazard = into;
  return &turned;
}

void Cases::clear() {
  places_.clear();
  groups_.clear();
  cases_.clear();
  dropped_ = 0;
}

}  // namespace warpfiber::check
