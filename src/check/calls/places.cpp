// SPDX-License-Identifier: Apache-2.0
// From the number of a site to the place and stack of a party.
#include "check/calls/places.hpp"

#include "check/cells/sites.hpp"

namespace warpfiber::check {

void put_site(unsigned site, record::Party& party) {
  party.place = record::place_of(call_of_site(site));
  // What the cell has kept is where the call of the hook returns to.
  if (!party.place.known()) party.place.instruction = last_byte_of_call(instruction_of_site(site));
  party.returns = callers_of_site(site);
}

}  // namespace warpfiber::check
