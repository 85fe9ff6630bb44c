// SPDX-License-Identifier: Apache-2.0
// A numbered site, as the parties of a finding name places.
#pragma once

#include "record/finding.hpp"

namespace warpfiber::check {

/// What names a call in a finding, of one that returns there; null of null.
inline const void* last_byte_of_call(const void* returns_to) {
  return returns_to == nullptr ? nullptr : static_cast<const char*>(returns_to) - 1;
}

/// Sets the party's place, and the calls that led to it.
void put_site(unsigned site, record::Party& party);

}  // namespace warpfiber::check
