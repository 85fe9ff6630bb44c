// SPDX-License-Identifier: Apache-2.0
// From the number of a site to the place and stack of a party.
#include "check/calls/places.hpp"

#include "check/cells/sites.hpp"
#include "record/stack_depot.hpp"

namespace warpfiber::check {

void put_site(unsigned site, record::Party& party) {
  party.place = record::place_of(call_of_site(site));
  // What the cell has kept is where the call of the hook returns to.
  if (!party.place.known()) party.place.instruction = last_byte_of_call(instruction_of_site(site));
  party.returns = callers_of_site(site);
}

record::Party party_of(const record::VainWait& wait) {
  record::Party party;
  party.role = record::Role::call;
  party.who.unit = record::Unit::host;
  party.who.count = 1;
  party.place.instruction = last_byte_of_call(wait.returns_to);
  party.what = "cudaStreamWaitEvent()";
  party.note = record::FixedNote::event_not_recorded;
  return party;
}

std::vector<std::uintptr_t> code_of(unsigned site) {
  std::vector<std::uintptr_t> code;
  const auto instruction = reinterpret_cast<std::uintptr_t>(instruction_of_site(site));
  if (instruction != 0) code.push_back(instruction - 1);
  for (const std::uintptr_t returns_to : record::StackDepot::of_process().at(callers_of_site(site)))
    code.push_back(returns_to - 1);
  return code;
}

}  // namespace warpfiber::check
