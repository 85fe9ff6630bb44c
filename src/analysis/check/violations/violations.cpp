// SPDX-License-Identifier: Apache-2.0
// Violations are found again by their kind and sites; many ways to one pair of sites share the first violation.
#include "check/violations/violations.hpp"

#include "base/arch/processor.hpp"
#include "base/system/held_ticks.hpp"
#include "check/cells/sites.hpp"

namespace warpfiber::check {

Violation* Violations::add(ViolationKind kind, unsigned earlier_site, unsigned site) {
  const auto [found, fresh] = places_.try_emplace(key(kind, earlier_site, site), violations_.size());
  if (fresh) found->second = place_in_group(key(kind, alone(earlier_site), alone(site)));
  last_ = found->second;
  const bool known = last_ < violations_.size();
  if (known) ++violations_[last_].repeats;
  if (!known && fresh && violations_.size() < kMost) {
    Violation& made = violations_.emplace_back();
    made.kind = kind;
    announce_violation(kind);
    return &made;
  }
  if (!known && fresh) ++dropped_;
  // Bounded as well; beyond, a kind that comes twice counts twice.
  if (fresh && places_.size() > kMostCounted) places_.erase(found);
  return nullptr;
}

/// Where a new kind goes: to the end, or to one that it differs from by the calls that led there, if there are many.
std::size_t Violations::place_in_group(std::uint64_t kind) {
  if (violations_.size() == kMost) return kMost;
  SiteGroup& group = groups_.try_emplace(kind, SiteGroup{violations_.size()}).first->second;
  return group.ways++ < kMostWays ? violations_.size() : group.first;
}

Violation* Violations::turn(ViolationKind kind, unsigned earlier_site, unsigned site, ViolationKind into) {
  const auto found = places_.find(key(kind, earlier_site, site));
  if (found == places_.end() || found->second >= violations_.size()) return nullptr;
  last_ = found->second;
  Violation& turned = violations_[found->second];
  if (turned.kind != into) announce_violation(into);
  turned.kind = into;
  return &turned;
}

void Violations::clear() {
  places_.clear();
  groups_.clear();
  violations_.clear();
  dropped_ = 0;
}

}  // namespace warpfiber::check

/// A debugger has its breakpoint here. Without the assembly compilers would take out calls of a function that does
/// nothing.
extern "C" __attribute__((visibility("default"), noinline)) void warpfiber_case_found(
    warpfiber::check::ViolationKind kind) {
  warpfiber::base::use(kind);
}

namespace warpfiber::check {

void announce_violation(ViolationKind kind) {
  const base::HeldTicks held;
  warpfiber_case_found(kind);
}

}  // namespace warpfiber::check
