// SPDX-License-Identifier: Apache-2.0
// Accesses to memory that no device has: stacks, the program's own data, the host's heap.
#include "check/watch.hpp"

namespace warpfiber::check {

void Watch::foreign_lane(std::uint64_t mask, unsigned source, bool named, const void* instruction) {
  here();
  const Hazard hazard = named ? Hazard::foreign_lane : Hazard::foreign_neighbour;
  Case* made = cases_.add(hazard, kUnknownSite, sites_.number(instruction));
  if (made == nullptr) return;
  made->now = side_now(Use{.read = true}, sites_.number(instruction));
  made->value = source;
  made->mask = mask;
}

void Watch::outside(const void* address, std::size_t bytes, const Use& use, const void* instruction) {
  here();
  const std::optional<unsigned> owner = stack_owner_(address);
  if (!owner.has_value() || *owner == segment_.rank) return;
  add_case(Hazard::local_of_another, nullptr, side_now(use, sites_.number(instruction)), address,
           static_cast<unsigned>(bytes));
}

}  // namespace warpfiber::check
