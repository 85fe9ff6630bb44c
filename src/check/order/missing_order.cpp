// SPDX-License-Identifier: Apache-2.0
// What would have ordered the two accesses of a race: how wide a barrier, or which flag or lock with which fence. Noted
// when the race is seen, because words and arguments are others later.
#include "check/calls/places.hpp"
#include "check/watch.hpp"

namespace warpfiber::check {
namespace {

record::Place place_of_site(unsigned site) {
  record::Party at;
  put_site(site, at);
  return at.place;
}

}  // namespace

void Watch::note_order(Case& race) const {
  if (race.earlier.launch != race.now.launch) return;
  race.hand_over = hand_overs_.find(race.earlier.thread, race.earlier.time, race.now.thread, race.address);
  race.hand_over_name = race.hand_over.has_value() ? place_of(race.hand_over->word).name : "";
  race.pointers_apart.reset();
  const auto* const at = static_cast<const char*>(race.address);
  if (race.place.space == Space::global && race.place.extent != 0)
    race.pointers_apart = reach_.pointers_apart(at - race.place.offset, at);
}

record::Width Watch::width_between(std::uint64_t one, std::uint64_t other) const {
  const Who a = who_of(one);
  const Who b = who_of(other);
  if (a.block == b.block) return a.warp == b.warp ? record::Width::warp : record::Width::block;
  return clusters_ && cluster_of(a.block) == cluster_of(b.block) ? record::Width::cluster : record::Width::grid;
}

record::MissingOrder Watch::missing_order(const Case& race) const {
  record::MissingOrder order;
  order.width = width_between(race.earlier.thread, race.now.thread);
  order.both_write = race.earlier.write && race.now.write;
  order.one_atomic = race.earlier.strong || race.now.strong;
  for (const PassedBarriers::Call& call : passed_.all())
    order.barriers.push_back({call.width, record::place_of(call.site)});
  order.pointers_apart = race.pointers_apart;
  if (!race.hand_over.has_value()) return order;
  record::HandOver& word = order.hand_over.emplace();
  word.name = race.hand_over_name;
  word.set = place_of_site(race.hand_over->set_site);
  word.seen = place_of_site(race.hand_over->seen_site);
  word.is_lock = race.hand_over->is_lock;
  word.fenced_before_set = race.hand_over->fenced_before_set;
  word.fenced_after_seen = race.hand_over->fenced_after_seen;
  word.narrow_before_set = race.hand_over->narrow_before_set;
  word.narrow_after_seen = race.hand_over->narrow_after_seen;
  return order;
}

}  // namespace warpfiber::check
