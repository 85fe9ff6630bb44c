// SPDX-License-Identifier: Apache-2.0
// A numbered site, as the parties of a finding name places.
#pragma once

#include <cstdint>
#include <vector>

#include "record/finding.hpp"
#include "record/launch_order.hpp"

namespace warpfiber::check {

/// What names a call in a finding, of one that returns there; null of null.
inline const void* last_byte_of_call(const void* returns_to) {
  return returns_to == nullptr ? nullptr : static_cast<const char*>(returns_to) - 1;
}

/// Sets the party's place, and the calls that led to it.
void put_site(unsigned site, record::Party& party);

/// The call by which a stream waits for an event that had not been recorded.
record::Party party_of(const record::VainWait& wait);

/// Addresses in the function of the site and in its callers, innermost first, as the symboliser is asked for them.
std::vector<std::uintptr_t> code_of(unsigned site);

}  // namespace warpfiber::check
