// SPDX-License-Identifier: Apache-2.0
// Shared arrays were noted with the violation; the rest is where pointers lead that the kernel can name.
#include "check/objects/named_places.hpp"

#include <algorithm>
#include <utility>

#include "check/objects/argument_names.hpp"
#include "check/objects/objects.hpp"
#include "memory/objects.hpp"

namespace warpfiber::check {

std::vector<MemoryPlace> named_places(const Violation& outside, const ReachableMemory& reach) {
  std::vector<MemoryPlace> places = outside.shared;
  // Other kernels have shared variables, too: a name that is a parameter's means the parameter.
  for (const ArgumentPart& parameter : parameters_of(reach)) {
    std::erase_if(places, [&parameter](const MemoryPlace& place) { return place.name == parameter.name; });
  }
  std::vector<const char*> within = named_pointers(reach);
  for (const memory::ObjectKind kind :
       {memory::ObjectKind::variable, memory::ObjectKind::constant, memory::ObjectKind::managed}) {
    for (const memory::Object& variable : memory::live_objects(kind)) within.push_back(variable.base);
  }
  std::vector<std::uint64_t> offsets;
  for (const char* pointer : within) {
    MemoryPlace place = place_within(outside.address, pointer);
    const bool is_new = place.space == Space::global && std::ranges::find(offsets, place.offset) == offsets.end();
    if (!is_new) continue;
    offsets.push_back(place.offset);
    places.push_back(std::move(place));
  }
  return places;
}

}  // namespace warpfiber::check
