// SPDX-License-Identifier: Apache-2.0
#include "check/cases.hpp"

namespace warpfiber::check {

Case* Cases::add(Hazard hazard, unsigned earlier_site, unsigned site) {
  const auto [found, fresh] = places_.try_emplace(key(hazard, earlier_site, site), cases_.size());
  last_ = found->second;
  if (!fresh) {
    if (found->second < cases_.size()) ++cases_[found->second].repeats;
    return nullptr;
  }
  if (cases_.size() == kMost) {
    ++dropped_;
    // Bounded as well; beyond, a kind that comes twice counts twice.
    if (places_.size() > kMostCounted) places_.erase(found);
    return nullptr;
  }
  Case& made = cases_.emplace_back();
  made.hazard = hazard;
  return &made;
}

Case* Cases::turn(Hazard hazard, unsigned earlier_site, unsigned site, Hazard into) {
  const auto found = places_.find(key(hazard, earlier_site, site));
  if (found == places_.end() || found->second >= cases_.size()) return nullptr;
  last_ = found->second;
  Case& turned = cases_[found->second];
  turned.hazard = into;
  return &turned;
}

void Cases::clear() {
  places_.clear();
  cases_.clear();
  dropped_ = 0;
}

}  // namespace warpfiber::check
