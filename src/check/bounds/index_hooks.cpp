// SPDX-License-Identifier: Apache-2.0
// What a launch notes of an index outside the bounds of its array, and of the accesses that follow.
#include "check/watch.hpp"

namespace warpfiber::check {

void Watch::index_outside(const record::OutsideIndex& bad, const void* instruction) {
  here();
  const unsigned site = reached(instruction, own_frame());
  if (IndexSite* made = bad_indices_.begin(site, segment_.thread())) made->bad = bad;
  if (Case* made = cases_.add(Hazard::index, kUnknownSite, site)) {
    made->now = side_now(Use{.read = true}, site);
    made->detail = "index " + number_of(bad) + " of " + bad.array;
  }
  // The next access comes to access_now().
  set_plain(false);
  new_time();
}

/// The access may be the one with the index; it is if its object is the array, or consists of such arrays.
void Watch::follow_bad_index(const void* address, std::size_t bytes, const Use& use, unsigned site) {
  const std::optional<unsigned> index_site = bad_indices_.follow(site, segment_.thread());
  if (!index_site.has_value()) return;
  Case* made = cases_.turn(Hazard::index, kUnknownSite, *index_site, Hazard::index);
  if (made == nullptr || made->place.space != Space::none || made->now.thread != segment_.thread()) return;
  Place place = place_of(address);
  if (!is_in_object(bad_indices_.at(*index_site).bad, place)) return;
  made->now.write = use.write;
  made->address = address;
  made->size = static_cast<unsigned>(bytes);
  made->place = std::move(place);
}

}  // namespace warpfiber::check
