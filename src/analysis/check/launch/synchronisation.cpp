// SPDX-License-Identifier: Apache-2.0
// Who has met whom, and what follows for the time and the knowledge of each.
#include "check/launch/synchronisation.hpp"

#include <vector>

#include "check/calls/places.hpp"

namespace warpfiber::check {
namespace {

// A block's times begin anew long before they reach that of pending copies.
constexpr std::uint32_t kRenewAt = kPendingClock - 4096;
// Whoever has arrived at a barrier and not waited yet goes on so much later that no thread of this phase comes near.
constexpr std::uint32_t kAfterArrival = 256;

constexpr AtomicUse kRelease{.reads = true, .writes = true, .scope = Scope::device, .order = __ATOMIC_RELEASE};
constexpr AtomicUse kAcquire{.reads = true, .writes = false, .scope = Scope::device, .order = __ATOMIC_ACQUIRE};

record::Place place_of_site(unsigned site) {
  record::Party party;
  put_site(site, party);
  return party.place;
}

}  // namespace

void Synchronisation::begin_block(BlockShadow& block, std::uint64_t rank, const memory::SharedArena& arena) {
  const unsigned threads = numbering_.threads_of_block();
  const unsigned warp_size = numbering_.shape().warp_size;
  block.clocks.start(rank & (kThreadMask >> numbering_.thread_bits()), threads, warp_size);
  block.arena = &arena;
  block.cluster = numbering_.has_clusters() ? numbering_.cluster_of(rank) : rank;
  block.met_cluster = block.ended = false;
  block.peer_accesses.clear();
  block.meetings.assign((threads + warp_size - 1) / warp_size, {});
  words_.forget(arena.base(), arena.bytes());
  running_.end_segment();
}

void Synchronisation::on_block_barrier(BlockShadow& block) {
  block.clocks.meet_block();
  note_progress(block);
}

void Synchronisation::on_lanes(BlockShadow& block, unsigned warp, std::uint64_t lanes, std::uint64_t needed) {
  if (!block.clocks.meet_lanes(warp, lanes, needed)) note_some_meet();
  note_progress(block);
}

void Synchronisation::on_threads(BlockShadow& block, std::span<const unsigned> threads) {
  note_some_meet();
  block.clocks.meet_threads(threads);
  note_progress(block);
}

void Synchronisation::on_blocks(std::span<BlockShadow* const> blocks, bool whole_grid) {
  std::vector<BlockClocks*> met;
  for (BlockShadow* block : blocks) {
    met.push_back(&block->clocks);
    block->met_cluster = true;
  }
  BlockClocks::meet_wide(met, whole_grid);
  if (!blocks.empty()) note_progress(*blocks.front());
}

/// The launch keeps all accesses from here on. Where the program's compiled code says that it may come to this, the
/// launch has done so from its beginning (warpfiber/detail/checked.hpp).
void Synchronisation::note_some_meet() {
  if (!running_.keeps_all()) running_.keep_all();
}

void Synchronisation::note_progress(const BlockShadow& block) {
  if (block.clocks.latest() >= kRenewAt) renew();
  running_.end_segment();
}

/// Times have become too long for cells. What came before is settled: a race with it goes unseen.
void Synchronisation::renew() {
  launch_.renew();
  words_.forget_all();
  phases_.forget_all();
  for (BlockShadow* block : resident_.all()) block->clocks.restart();
}

void Synchronisation::arrive(const void* phase) {
  note_some_meet();
  running_.here();
  BlockClocks& clocks = running_.block().clocks;
  phases_.use(phase, kRelease, clocks, running_.rank());
  clocks.tick(running_.rank(), kAfterArrival);
  note_progress(running_.block());
}

void Synchronisation::end_phase(const void* phase, std::span<const Waiter> waiting) {
  note_some_meet();
  for (const Waiter& one : waiting) phases_.use(phase, kRelease, one.block->clocks, one.rank);
  phases_.end_phase(phase);
  for (const Waiter& one : waiting) phases_.use(phase, kAcquire, one.block->clocks, one.rank);
  running_.end_segment();
}

void Synchronisation::end_phase_of_word(const void* word) {
  note_some_meet();
  words_.end_phase(word);
}

void Synchronisation::wait(const void* phase) {
  running_.here();
  phases_.use(phase, kAcquire, running_.block().clocks, running_.rank());
  running_.end_segment();
}

void Synchronisation::atomic(const void* address, const AtomicUse& use, unsigned site) {
  if (use.writes && releases(use.order)) note_some_meet();
  hand_overs_.use(address, use, {running_.here().thread(), running_.segment().time, site});
  if (words_.use(address, use, running_.block().clocks, running_.rank())) note_progress(running_.block());
}

void Synchronisation::uses_found(const void* address) {
  hand_overs_.uses_found(address, running_.thread());
}

void Synchronisation::fence(Scope scope) {
  note_some_meet();
  hand_overs_.fence(scope, running_.here().thread(), running_.segment().time);
  SyncWords::fence(scope, running_.block().clocks, running_.rank());
  note_progress(running_.block());
}

record::MissingOrder Synchronisation::missing_order(const Violation& race) const {
  record::MissingOrder order;
  order.width = numbering_.width_between(race.earlier.thread, race.now.thread);
  order.both_write = race.earlier.write && race.now.write;
  order.one_atomic = race.earlier.strong || race.now.strong;
  for (const PassedBarriers::Call& call : passed_.all())
    order.barriers.push_back({call.width, record::place_of(call.site)});
  order.pointers_apart = race.pointers_apart;
  if (!race.hand_over.has_value()) return order;
  record::HandOver& word = order.hand_over.emplace();
  word.set = place_of_site(race.hand_over->set_site);
  word.seen = place_of_site(race.hand_over->seen_site);
  word.is_lock = race.hand_over->is_lock;
  word.fenced_before_set = race.hand_over->fenced_before_set;
  word.fenced_after_seen = race.hand_over->fenced_after_seen;
  word.narrow_before_set = race.hand_over->narrow_before_set;
  word.narrow_after_seen = race.hand_over->narrow_after_seen;
  const std::uint64_t others = race.hand_over->far.value_or(race.earlier.thread);
  if (race.hand_over->set_by != others) word.set_by_other = numbering_.width_between(others, race.hand_over->set_by);
  word.is_guess = race.hand_over->is_guess;
  return order;
}

}  // namespace warpfiber::check
