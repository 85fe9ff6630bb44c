// SPDX-License-Identifier: Apache-2.0
// Whether a block whose shared memory is used has begun is known at once, whether it has ended too early at its end.
#include "check/bounds/peer_accesses.hpp"

#include "check/cells/sites.hpp"

namespace warpfiber::check {

void PeerAccesses::check(const char* address, const Use& use, unsigned site) {
  const BlockShadow& running = running_.block();
  if (running.arena->owns(address)) return;
  BlockShadow* owner = resident_.owner_of(address, running);
  if (owner == nullptr) return;
  const Side now = running_.side(use, site);
  if (owner->ended) {
    log_.add(ViolationKind::peer_may_be_gone, nullptr, now, address, kWordBytes);
    return;
  }
  if (!running.met_cluster && !has_heard_of(*owner)) {
    log_.add(ViolationKind::peer_may_not_run, nullptr, now, address, kWordBytes);
    return;
  }
  for (PeerAccess& one : owner->peer_accesses) {
    if (one.side.thread == now.thread && one.side.site == site) {
      one.time = now.time;
      return;
    }
  }
  owner->peer_accesses.push_back(PeerAccess{now, now.time, address, log_.place_of(address)});
}

/// Whether anything of the block happens before what the running thread does.
bool PeerAccesses::has_heard_of(const BlockShadow& other) const {
  return running_.block().clocks.covers_any_of(running_.rank(),
                                               other.clocks.block() & (kThreadMask >> numbering_.thread_bits()));
}

void PeerAccesses::check_end(const BlockShadow& block) {
  for (const PeerAccess& access : block.peer_accesses) {
    if (access.time <= block.clocks.known_of_cluster()) continue;
    const Who who = numbering_.who_of(access.side.thread);
    bool ordered = false;
    for (unsigned thread = 0; thread < numbering_.threads_of_block() && !ordered; ++thread) {
      ordered = block.clocks.covers(thread, who, access.time);
    }
    if (ordered) continue;
    Violation* made = log_.violations().add(ViolationKind::peer_may_be_gone, kUnknownSite, access.side.site);
    if (made == nullptr) continue;
    made->now = access.side;
    made->address = access.address;
    made->size = kWordBytes;
    made->place = access.place;
  }
}

}  // namespace warpfiber::check
