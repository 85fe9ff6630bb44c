// SPDX-License-Identifier: Apache-2.0
// Accesses to memory that no device has: stacks, the program's own data, the host's heap.
#include "check/watch.hpp"

namespace warpfiber::check {

void Watch::outside(const void* address, std::size_t bytes, const Use& use, const void* instruction) {
  here();
  const std::optional<unsigned> owner = stack_owner_(address);
  if (!owner.has_value() || *owner == segment_.rank) return;
  add_case(Hazard::local_of_another, nullptr, side_now(use, sites_.number(instruction)), address,
           static_cast<unsigned>(bytes));
}

}  // namespace warpfiber::check
