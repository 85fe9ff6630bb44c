// SPDX-License-Identifier: Apache-2.0
// Who runs and who has met whom; what follows for the time and the knowledge of each.
#include "check/watch.hpp"

#include <warpfiber/detail/checked.hpp>

#include <algorithm>
#include <bit>

#include "base/index.hpp"
#include "check/launches.hpp"

namespace warpfiber::detail {

constinit thread_local unsigned checked_scope WARPFIBER_TLS_MODEL = checked_device_scope;

}  // namespace warpfiber::detail

namespace warpfiber::check {

constinit thread_local Watch* watching WARPFIBER_TLS_MODEL = nullptr;

constinit memory::Shadow shadow;

namespace {

// A block's times begin anew long before they reach that of pending copies.
constexpr std::uint32_t kRenewAt = kPendingClock - 4096;
// Whoever has arrived at a barrier and not waited yet goes on so much later that no thread of this phase comes near.
constexpr std::uint32_t kAfterArrival = 256;

}  // namespace

Watch::Watch(const Shape& shape, const record::LaunchOrder& order, StackOwner stack_owner)
    : shape_(shape),
      order_(order),
      stack_owner_(std::move(stack_owner)),
      threads_(static_cast<unsigned>(base::volume(shape.block))),
      warp_shift_(std::has_single_bit(shape.warp_size) ? static_cast<unsigned>(std::countr_zero(shape.warp_size)) : 0),
      thread_bits_(static_cast<unsigned>(std::bit_width(threads_ - 1))),
      clusters_(base::volume(shape.cluster) > 1),
      hand_overs_(thread_bits_) {
  alone_ = order.unordered.empty();
  const Cell ranks = ((Cell{1} << thread_bits_) - 1) << kThreadShift;
  of_block_ = ~(Cell{kPendingClock} | ranks);
  of_time_ = of_block_ | Cell{kPendingClock};
  of_warp_ = of_time_ | (ranks & ~(((Cell{1} << warp_shift_) - 1) << kThreadShift));
  plain_ = !clusters_;
  take_number();
}

void Watch::take_number() {
  const LaunchNumber taken = take_launch_number({.kernel = order_.call,
                                                 .launched = order_.returns_to,
                                                 .operation = order_.number,
                                                 .grid = shape_.grid,
                                                 .block = shape_.block,
                                                 .warp_size = shape_.warp_size,
                                                 .thread_bits = thread_bits_});
  launch_ = taken.number;
  begun_ = taken.begun;
  overtaken_ = taken.overtaken;
}

void Watch::start(WatchedBlock& block, std::uint64_t rank, const memory::SharedArena& arena) {
  put_down();
  block.clocks.start(rank & (kThreadMask >> thread_bits_), threads_, shape_.warp_size);
  block.arena = &arena;
  block.cluster = clusters_ ? cluster_of(rank) : rank;
  block.met_cluster = block.ended = false;
  block.visits.clear();
  block.meetings.assign((threads_ + shape_.warp_size - 1) / shape_.warp_size, {});
  if (std::ranges::find(resident_, &block) == resident_.end()) resident_.push_back(&block);
  words_.forget(arena.base(), arena.bytes());
  new_time();
}

void Watch::finish(WatchedBlock& block) {
  put_down();
  hold_visits_against_end(block);
  hold_copies_against_end(block);
  settle_store();
  const std::uint64_t first = block.clocks.block() << thread_bits_;
  const std::uint64_t last = first + (std::uint64_t{1} << thread_bits_) - 1;
  racing_stores_.finish(first, last, [this](const RacingStore& store) { judge(store); });
  undefined_.forget(first, last);
  block.ended = true;
  if (!clusters_) std::erase(resident_, &block);
  for (KnownObject& known : objects_) {
    if (block.arena->owns(known.begin)) known = KnownObject{};
  }
}

void Watch::run(WatchedBlock& block) {
  put_down();
  block_ = &block;
  new_time();
}

void Watch::begin_segment() {
  const BlockClocks& clocks = block_->clocks;
  Segment& now = segment_;
  now.index = threadIdx;
  const unsigned rank = threadIdx.x + shape_.block.x * (threadIdx.y + shape_.block.y * threadIdx.z);
  now.warp = warp_of_rank(rank);
  const std::uint64_t thread = (clocks.block() << thread_bits_ | rank) & kThreadMask;
  now.time = clocks.time_of(rank, now.warp);
  now.known = clocks.known();
  now.known_of_warp = clocks.known_of_warp(now.warp);
  now.known_of_grid = clocks.known_of_grid();
  known_of_others_ = clusters_ || clocks.has_learnt(rank) ? kPendingClock : now.known_of_grid;
  const bool alike = warp_shift_ != 0 && clocks.is_uniform(now.warp);
  now.lanes_left =
      alike ? std::min(shape_.block.x - 1 - threadIdx.x, shape_.warp_size - 1 - (rank & (shape_.warp_size - 1))) : 0;
  now.cell = Cell{now.time} | thread << kThreadShift | Cell{launch_} << kLaunchShift | kAllBytes;
  if (every_access_) {
    now.index.x = Segment::kNobody;  // for every access anew
    now.lanes_left = 0;
  } else if (plain_ && shape_.block.z == 1) {
    lanes_ = {.first = Lanes::number_of(now.index),
              .count = now.lanes_left + 1U,
              .cell = now.cell,
              .enough = now.cell ^ kEnough};
  } else {
    lanes_.count = 0;
  }
}

void Watch::meet_block(WatchedBlock& block) {
  put_down();
  block.clocks.meet_block();
  after_meeting(block);
}

void Watch::meet_lanes(WatchedBlock& block, unsigned warp, std::uint64_t lanes, std::uint64_t needed) {
  put_down();
  block.clocks.meet_lanes(warp, lanes, needed);
  after_meeting(block);
}

void Watch::note_mask(WatchedBlock& block, unsigned warp, const LaneMeeting& meeting, std::uint64_t live) {
  const auto other = block.meetings[warp].note(meeting.site, meeting.mask, meeting.lanes, live);
  if (!other.has_value()) return;
  const unsigned site = number_of_site(meeting.site);
  Case* made = cases_.add(Hazard::masks_differ, site, site);
  if (made == nullptr) return;
  const auto side = [&](std::uint64_t lanes) {
    const unsigned rank = warp * shape_.warp_size + static_cast<unsigned>(std::countr_zero(lanes));
    const std::uint64_t thread = (block.clocks.block() << thread_bits_ | rank) & kThreadMask;
    return Side{.thread = thread, .launch = launch_, .site = site};
  };
  made->two_sides = true;
  made->earlier = side(other->lanes & meeting.mask);
  made->now = side(meeting.lanes);
  made->mask = meeting.mask;
  made->value = other->mask;
}

void Watch::meet_threads(WatchedBlock& block, std::span<const unsigned> threads) {
  put_down();
  block.clocks.meet_threads(threads);
  after_meeting(block);
}

void Watch::meet_blocks(std::span<WatchedBlock* const> blocks, bool whole_grid) {
  put_down();
  std::vector<BlockClocks*> met;
  for (WatchedBlock* block : blocks) {
    met.push_back(&block->clocks);
    block->met_cluster = true;
  }
  BlockClocks::meet_wide(met, whole_grid);
  if (!blocks.empty()) after_meeting(*blocks.front());
}

void Watch::after_meeting(const WatchedBlock& block) {
  if (block.clocks.latest() >= kRenewAt) renew();
  new_time();
}

/// Times have become too long for cells. What came before is settled: a race with it goes unseen.
void Watch::renew() {
  const bool was_beside = !nobody_beside();
  take_number();
  overtaken_ |= was_beside;
  words_.forget_all();
  tokens_.forget_all();
  for (WatchedBlock* block : resident_) block->clocks.restart();
}

void Watch::arrive(const void* token) {
  put_down();
  here();
  tokens_.use(token, AtomicUse{.reads = true, .writes = true, .scope = Scope::device, .order = __ATOMIC_RELEASE},
              block_->clocks, rank_here());
  block_->clocks.tick(rank_here(), kAfterArrival);
  after_meeting(*block_);
}

void Watch::open_split(const void* token, std::span<const Waiter> waiting) {
  put_down();
  for (const Waiter& one : waiting) {
    tokens_.use(token, AtomicUse{.reads = true, .writes = true, .scope = Scope::device, .order = __ATOMIC_RELEASE},
                one.block->clocks, one.rank);
  }
  for (const Waiter& one : waiting) {
    tokens_.use(token, AtomicUse{.reads = true, .writes = false, .scope = Scope::device, .order = __ATOMIC_ACQUIRE},
                one.block->clocks, one.rank);
  }
  new_time();
}

void Watch::wait(const void* token) {
  put_down();
  here();
  tokens_.use(token, AtomicUse{.reads = true, .writes = false, .scope = Scope::device, .order = __ATOMIC_ACQUIRE},
              block_->clocks, rank_here());
  new_time();
}

void Watch::fresh(const void* from, std::size_t bytes) {
  if (watching != nullptr) watching->put_down();
  if (bytes != 0 && shadow.covers(from)) shadow.clear(from, bytes);
}

void Watch::atomic(const void* address, unsigned bytes, const AtomicUse& use, const void* instruction) {
  const Use does{.read = use.reads && !use.blind, .write = use.writes, .strong = true, .scope = use.scope};
  put_down();
  const unsigned site = reached(instruction, own_frame());
  if (bytes != kWordBytes || !does.read || !does.write || !repeat_atomic(address, does, instruction))
    access_at(address, bytes, does, site);
  if (use.is_volatile && (strict_ || lock_step_))
    hold_against_lanes(static_cast<const char*>(address), bytes, use.writes, site);
  hand_overs_.use(address, use, {here().thread(), segment_.time, site});
  if (words_.use(address, use, block_->clocks, rank_here())) after_meeting(*block_);
}

void Watch::fence(Scope scope) {
  put_down();
  hand_overs_.fence(scope, here().thread(), segment_.time);
  SyncWords::fence(scope, block_->clocks, rank_here());
  after_meeting(*block_);
}

/// Copies that the block's threads leave pending.
void Watch::hold_copies_against_end(const WatchedBlock& block) {
  for (unsigned rank = 0; rank < threads_ && !copies_.none(); ++rank) {
    const std::uint64_t number = (block.clocks.block() << thread_bits_ | rank) & kThreadMask;
    for (const PendingCopy& copy : copies_.leave(number)) {
      const Side now{.thread = number, .launch = launch_, .site = copy.site, .write = true};
      add_case(Hazard::async_pending, nullptr, now, copy.to, kWordBytes);
    }
  }
}

void Watch::copy_async(void* to, const void* from, std::size_t bytes, std::size_t room, const Site& call) {
  put_down();
  const unsigned site = reached(call, own_frame());
  if (bytes != 0 && shadow.covers(from)) access_at(from, bytes, Use{.read = true}, site);
  if (room != 0 && shadow.covers(to)) access_at(to, room, Use{.write = true}, site);
  const PendingCopy copy{static_cast<const char*>(to), static_cast<const char*>(from), bytes, room, site};
  here();
  mark(copy, {segment_.thread(), segment_.time, kPendingClock});
  copies_.start(segment_.thread(), copy);
  new_time();
}

void Watch::commit_copies() {
  copies_.commit(here().thread());
}

void Watch::bind_copies(const void* word, bool committed) {
  if (copies_.none()) return;
  here();
  copies_.bind(segment_.thread(), segment_.time, word, committed);
}

void Watch::end_phase(const void* word) {
  if (copies_.none()) return;
  put_down();
  for (const BoundCopy& one : copies_.end(word)) mark(one.copy, {one.thread, kPendingClock, one.time});
  new_time();
}

void Watch::see_phase(const void* word) {
  if (!copies_.none()) copies_.see(word);
}

void Watch::wait_for_copies(std::size_t but) {
  if (copies_.none()) return;
  put_down();
  for (const PendingCopy& copy : copies_.wait(here().thread(), but))
    mark(copy, {segment_.thread(), kPendingClock, segment_.time});
  new_time();
}

/// Sets the time of the cells that belong to a copy: pending, or done.
void Watch::mark(const PendingCopy& copy, const NewTime& time) {
  mark(copy.from, copy.bytes, time, false);
  mark(copy.to, copy.room, time, true);
}

void Watch::mark(const char* from, std::size_t bytes, const NewTime& time, bool write) {
  if (bytes == 0 || !shadow.covers(from) || !shadow.covers(from + bytes - 1)) return;
  const std::size_t last = shadow.index_of(from + bytes - 1);
  for (std::size_t index = shadow.index_of(from); index <= last; ++index) {
    const bool more = (shadow.plane(0)[index] & kMore) != 0;
    for (unsigned i = 0; i < (more ? kCellsOfWord : 1); ++i) {
      Cell& cell = shadow.plane(i == 0 ? 0 : i + 1)[index];
      if (i != 0) cell &= ~kEnough;
      const bool concerned = thread_of(cell) == time.thread && launch_of(cell) == launch_ && is_write(cell) == write;
      if (concerned && clock_of(cell) == time.before) cell = (cell & ~Cell{kPendingClock}) | time.now;
    }
  }
}

}  // namespace warpfiber::check
