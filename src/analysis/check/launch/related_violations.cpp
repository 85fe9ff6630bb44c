// SPDX-License-Identifier: Apache-2.0
// Violations are compared by their lines, whatever calls led there, and by the objects that they are about.
#include "check/launch/related_violations.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>

#include "check/cells/sites.hpp"

namespace warpfiber::check {
namespace {

/// Whether two sites are one in the source, whatever calls led there.
bool is_same(unsigned site, unsigned other) {
  return alone(site) == alone(other);
}

/// Where the object of the violation begins.
const char* base_of(const Violation& one) {
  return static_cast<const char*>(one.address) - one.place.offset;
}

/// Whether the object that the violation names is the one that the address was meant for, as far as distance says.
bool is_near(const Violation& outside) {
  constexpr std::int64_t kNear = 4096;
  const auto offset = static_cast<std::int64_t>(outside.place.offset);
  return offset >= -kNear && offset < static_cast<std::int64_t>(outside.place.extent) + kNear;
}

/// One wait that is missing, or too weak, leaves several copies to a variable on their way, and what follows meets each
/// of them. True for a violation and itself.
bool is_of_same_wait(const Violation& one, const Violation& other) {
  const bool same = is_same(one.earlier.site, other.earlier.site) || is_same(one.now.site, other.now.site) ||
                    is_same(one.earlier.site, other.now.site) || is_same(one.now.site, other.earlier.site);
  return other.kind == ViolationKind::async_destination && same && base_of(one) == base_of(other);
}

/// Memory that no device lets a kernel access.
bool is_out_of_reach(const Violation& one) {
  constexpr ViolationKind kOutOfReach[] = {ViolationKind::outside, ViolationKind::freed, ViolationKind::host_memory,
                                           ViolationKind::unmapped};
  return std::ranges::find(kOutOfReach, one.kind) != std::end(kOutOfReach);
}

/// Accesses of one size to one object, by addresses that are off by the same number of bytes. True for a violation and
/// itself.
bool is_of_one_misplacement(const Violation& one, const Violation& other) {
  const auto off = [](const Violation& of) { return reinterpret_cast<std::uintptr_t>(of.address) % of.size; };
  return other.kind == one.kind && other.size == one.size && base_of(one) == base_of(other) && off(one) == off(other);
}

bool is_of_wrong_mask(const Violation& one) {
  constexpr ViolationKind kWrong[] = {ViolationKind::foreign_lane, ViolationKind::foreign_used,
                                      ViolationKind::masks_differ};
  return std::ranges::find(kWrong, one.kind) != std::end(kWrong);
}

bool is_between_atomics(const Violation& one) {
  return one.kind == ViolationKind::race && one.earlier.strong && one.now.strong;
}

bool is_of_one_object(const MemoryPlace& one, const MemoryPlace& other) {
  return one.space == other.space && one.name == other.name && one.made_by == other.made_by &&
         one.extent == other.extent;
}

/// A write outside of the same object, or to shared memory where there is none: a read there gets what was stored by
/// that mistake.
const Violation* written_outside(const std::vector<Violation>& all, const MemoryPlace& place) {
  const auto found = std::ranges::find_if(all, [&place](const Violation& other) {
    return other.kind == ViolationKind::outside && other.now.write &&
           (place.extent != 0 || place.space == Space::shared) && other.place.space == place.space &&
           other.place.name == place.name && other.place.extent == place.extent;
  });
  return found == all.end() ? nullptr : &*found;
}

}  // namespace

const Violation* explaining_write(const std::vector<Violation>& all, const Violation& one) {
  if (one.now.write) return nullptr;
  const auto change = std::ranges::find_if(all, [&one](const Violation& other) {
    return is_out_of_reach(one) && other.kind == one.kind && other.now.write && other.address == one.address &&
           other.now.thread == one.now.thread && other.size == one.size;
  });
  if (change != all.end()) return &*change;
  return one.kind == ViolationKind::outside ? written_outside(all, one.place) : nullptr;
}

bool is_explained(const std::vector<Violation>& all, const Violation& uninitialised) {
  return std::ranges::any_of(all, [&uninitialised](const Violation& other) {
    if (other.kind == ViolationKind::peer_may_not_run) return true;
    return other.kind == ViolationKind::race &&
           (is_same(other.earlier.site, uninitialised.now.site) || is_same(other.now.site, uninitialised.now.site));
  });
}

bool is_part_of_copy_hazard(const std::vector<Violation>& all, const Violation& race) {
  return std::ranges::any_of(all, [&race](const Violation& other) {
    if (other.kind != ViolationKind::async_destination && other.kind != ViolationKind::async_source) return false;
    return (is_same(other.earlier.site, race.now.site) && is_same(other.now.site, race.earlier.site)) ||
           (is_same(other.earlier.site, race.earlier.site) && is_same(other.now.site, race.now.site));
  });
}

bool is_read_before_wait(const std::vector<Violation>& all, const Violation& pending) {
  return std::ranges::any_of(all, [&pending](const Violation& other) {
    return other.kind == ViolationKind::async_destination && is_same(other.earlier.site, pending.now.site);
  });
}

bool follows_from_outside(const std::vector<Violation>& all, const Violation& race) {
  return std::ranges::any_of(all, [&](const Violation& other) {
    const bool leads_there =
        other.kind == ViolationKind::other_object || (other.kind == ViolationKind::outside && is_near(other));
    if (!leads_there) return false;
    const bool leads = (is_same(other.now.site, race.now.site) && other.now.write == race.now.write) ||
                       (is_same(other.now.site, race.earlier.site) && other.now.write == race.earlier.write);
    return leads && base_of(other) != base_of(race);
  });
}

bool is_part_of_overrun(const std::vector<Violation>& all, const Violation& race, std::uint64_t threads) {
  return std::ranges::any_of(all, [&](const Violation& other) {
    const bool same_site = is_same(other.now.site, race.now.site) && is_same(other.now.site, race.earlier.site);
    const std::uint64_t words = (other.size + kWordBytes - 1) / kWordBytes;
    return other.begins_inside && other.now.write && race.now.write && race.earlier.write && same_site &&
           base_of(other) == base_of(race) && 1 + race.repeats <= words * threads;
  });
}

bool is_part_of_race(const std::vector<Violation>& all, const Violation& same_value) {
  return std::ranges::any_of(all, [&same_value](const Violation& other) {
    return other.kind == ViolationKind::race &&
           (is_same(other.earlier.site, same_value.now.site) || is_same(other.now.site, same_value.now.site));
  });
}

bool has_wrong_mask(const std::vector<Violation>& all, const Violation& active_lanes) {
  return std::ranges::any_of(all, [&active_lanes](const Violation& other) {
    return is_of_wrong_mask(other) && other.mask == active_lanes.mask;
  });
}

bool is_reverse(const Violation& one, const Violation& other) {
  return one.kind == ViolationKind::race && other.kind == ViolationKind::race &&
         is_same(one.earlier.site, other.now.site) && is_same(one.now.site, other.earlier.site) &&
         one.earlier.write == other.now.write && one.now.write == other.earlier.write;
}

const Violation& first_of_defect(const std::vector<Violation>& all, const Violation& one,
                                 const LaunchChecker& checker) {
  if (one.kind == ViolationKind::async_destination) {
    const auto copied = std::ranges::find_if(all, [&](const Violation& other) { return is_of_same_wait(one, other); });
    return &*copied == &one ? one : first_of_defect(all, *copied, checker);
  }
  // One address that is wrong shows at each access that is made by it.
  if (one.kind == ViolationKind::misaligned)
    return *std::ranges::find_if(all, [&](const Violation& other) { return is_of_one_misplacement(one, other); });
  // One mask goes through several calls.
  if (one.kind == ViolationKind::active_lanes)
    return *std::ranges::find_if(
        all, [&](const Violation& other) { return other.kind == one.kind && other.value == one.value; });
  if (one.kind == ViolationKind::needs_lock_step)
    return *std::ranges::find_if(all, [&](const Violation& other) {
      return other.kind == one.kind && is_of_one_object(other.place, one.place);
    });
  const auto earlier = std::ranges::find_if(all, [&](const Violation& other) { return is_reverse(one, other); });
  const Violation& first = earlier != all.end() && &*earlier < &one ? *earlier : one;
  const bool follows =
      one.kind == ViolationKind::unfenced || (one.kind == ViolationKind::race && !is_between_atomics(one));
  if (!follows) return first;
  const auto blocks = [&checker](const Violation& of) {
    return std::minmax({checker.numbering().block_of(of.earlier.thread), checker.numbering().block_of(of.now.thread)});
  };
  const auto atomics = std::ranges::find_if(
      all, [&](const Violation& other) { return is_between_atomics(other) && blocks(other) == blocks(one); });
  return atomics == all.end() ? first : *atomics;
}

bool is_also_stored(const std::vector<Violation>& all, const Violation& race) {
  return std::ranges::any_of(all, [&race](const Violation& other) {
    return other.kind == ViolationKind::same_value &&
           ((is_same(other.earlier.site, race.earlier.site) && is_same(other.now.site, race.now.site)) ||
            (is_same(other.earlier.site, race.now.site) && is_same(other.now.site, race.earlier.site)));
  });
}

}  // namespace warpfiber::check
