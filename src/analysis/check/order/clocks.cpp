// SPDX-License-Identifier: Apache-2.0
// Clocks that all threads of a block or warp share are kept once; only threads that synchronise alone have their own.
#include "check/order/clocks.hpp"

#include <algorithm>

#include "base/lane_mask.hpp"

namespace warpfiber::check {

void BlockClocks::start(std::uint64_t block, unsigned threads, unsigned warp_size) {
  clear_personal();
  if (threads != threads_) personal_.clear();
  block_ = block;
  threads_ = threads;
  warp_size_ = warp_size;
  known_ = cluster_known_ = grid_known_ = 0;
  cluster_ = {};
  latest_ = 1;
  warps_.assign((threads + warp_size - 1) / warp_size, 0);
  apart_of_warp_.assign(warps_.size(), 0);
  shared_ = {};
}

ThreadClock& BlockClocks::own(unsigned thread) {
  if (personal_.empty()) personal_.resize(threads_);
  ThreadClock& mine = personal_[thread];
  if (!mine.in_use) {
    mine.in_use = true;
    apart_.push_back(thread);
    ++apart_of_warp_[warp_of(thread)];
  }
  return mine;
}

void BlockClocks::clear_personal() {
  for (const unsigned thread : apart_) {
    personal_[thread] = {};
    apart_of_warp_[warp_of(thread)] = 0;
  }
  apart_.clear();
}

std::uint64_t BlockClocks::lanes_of(unsigned warp) const {
  return base::lane_mask::full(std::min(warp_size_, threads_ - warp * warp_size_));
}

void SharedClocks::join_with(const SharedClocks& other) {
  known = join(known, other.known);
  fenced = join(fenced, other.fenced);
  fenced_block = join(fenced_block, other.fenced_block);
}

void BlockClocks::meet_block() {
  known_ = latest_;
  latest_ = known_ + 1;
  if (!apart_.empty()) spread(all_shared());
}

SharedClocks BlockClocks::all_shared() const {
  SharedClocks all = shared_;
  for (const unsigned thread : apart_) gather(thread, all);
  return all;
}

/// What a thread releases at a barrier. What its atomics have read counts as known from there on, fence or not:
/// programs in which one thread reads for all are written that way, NVIDIA's own among them.
void BlockClocks::gather(unsigned thread, SharedClocks& all) const {
  all.join_with(personal_[thread].shared);
  all.known = join(all.known, personal_[thread].read);
  all.known = join(all.known, personal_[thread].read_block);
}

/// Every thread has acquired `all`.
void BlockClocks::spread(const SharedClocks& all) {
  shared_ = SharedClocks{without(all.known, block_, known_), all.fenced, all.fenced_block};
  clear_personal();
}

bool BlockClocks::meet_lanes(unsigned warp, std::uint64_t lanes, std::uint64_t needed) {
  const unsigned first = warp * warp_size_;
  std::uint32_t time = std::max(known_, warps_[warp]) + 1;
  SharedClocks all;
  if (!is_uniform(warp)) {
    base::lane_mask::for_each(lanes, [&](unsigned lane) {
      time = std::max(time, personal_[first + lane].own);
      gather(first + lane, all);
    });
  }
  const bool whole = (needed & lanes_of(warp) & ~lanes) == 0;
  if (whole) {
    warps_[warp] = time;
    latest_ = std::max(latest_, time + 1);
    if (all.empty()) return true;
  } else {
    const Entry entry{BlockPart{block_, warp, lanes}, time};
    all.known = join(without(all.known, block_, known_), std::span(&entry, 1));
  }
  base::lane_mask::for_each(lanes, [&](unsigned lane) {
    own(first + lane).shared = all;
    own(first + lane).read = own(first + lane).read_block = {};
    advance(first + lane, time + 1);
  });
  return whole;
}

void BlockClocks::meet_threads(std::span<const unsigned> threads) {
  std::uint32_t time = 0;
  SharedClocks all;
  std::vector<Entry> met;
  for (const unsigned thread : threads) {
    time = std::max(time, time_of(thread));
    if (personal(thread) != nullptr) gather(thread, all);
    const unsigned warp = warp_of(thread);
    if (met.empty() || met.back().members.warp != warp) met.push_back({BlockPart{block_, warp, 0}, 0});
    met.back().members.lanes |= base::lane_mask::only(thread % warp_size_);
  }
  for (std::size_t i = met.size(); i-- > 0;) {
    met[i].clock = time;
    const unsigned warp = met[i].members.warp;  // what it knows of itself, the other warps learn here
    if (warps_[warp] > known_) met.push_back({BlockPart{block_, warp, lanes_of(warp)}, warps_[warp]});
  }
  all.known = join(without(all.known, block_, known_), met);
  for (const unsigned thread : threads) {
    own(thread).shared = all;
    own(thread).read = own(thread).read_block = {};
    advance(thread, time + 1);
  }
}

void BlockClocks::meet_wide(std::span<BlockClocks* const> blocks, bool whole_grid) {
  std::uint32_t time = 0;
  SharedClocks all;
  for (const BlockClocks* block : blocks) {
    time = std::max(time, block->latest_);
    all.join_with(block->all_shared());
  }
  VectorClockRef cluster;  // after a barrier of the whole grid no thread remains to acquire it
  if (!whole_grid) {
    std::vector<Entry> entries;
    for (const BlockClocks* block : blocks) entries.push_back({BlockPart{block->block_}, time});
    cluster = join(VectorClockRef(), entries);
  }
  for (BlockClocks* block : blocks) {
    block->known_ = block->cluster_known_ = time;
    if (whole_grid) block->grid_known_ = time;
    block->cluster_ = cluster;
    block->latest_ = time + 1;
    block->spread(all);
  }
}

VectorClockRef BlockClocks::snapshot(unsigned thread) const {
  const unsigned warp = warp_of(thread);
  std::vector<Entry> mine;
  if (known_ != 0) mine.push_back({BlockPart{block_}, known_});
  if (warps_[warp] > known_) mine.push_back({BlockPart{block_, warp, lanes_of(warp)}, warps_[warp]});
  mine.push_back({BlockPart{block_, warp, base::lane_mask::only(thread % warp_size_)}, time_of(thread)});
  const VectorClockRef all = join(cluster_, shared_.known);
  const ThreadClock* own = personal(thread);
  return join(own == nullptr ? all : join(all, own->shared.known), mine);
}

void BlockClocks::tick(unsigned thread, std::uint32_t by) {
  advance(thread, time_of(thread) + by);
}

void BlockClocks::advance(unsigned thread, std::uint32_t time) {
  ThreadClock& mine = own(thread);
  mine.own = std::max(mine.own, time);
  latest_ = std::max(latest_, mine.own);
}

bool BlockClocks::acquire(unsigned thread, const VectorClockRef& known, const VectorClockRef& near) {
  const bool learns = acquire(thread, known, &ThreadClock::acquired);
  return acquire(thread, near, &ThreadClock::acquired_near) || learns;
}

bool BlockClocks::acquire(unsigned thread, const VectorClockRef& known, VectorClockRef ThreadClock::*last) {
  if (!known || shared_.known == known) return false;
  ThreadClock& mine = own(thread);
  if (mine.*last == known || mine.shared.known == known) return false;
  mine.*last = known;
  mine.shared.known = join(mine.shared.known, known);
  advance(thread, known->latest() + 1);
  return true;
}

bool BlockClocks::covers(unsigned thread, const Who& who, std::uint32_t clock) const {
  if (shared_.known && shared_.known->covers(who, clock)) return true;
  const ThreadClock* mine = personal(thread);
  return mine != nullptr && mine->shared.known && mine->shared.known->covers(who, clock);
}

bool BlockClocks::covers_any_of(unsigned thread, std::uint64_t block) const {
  if (shared_.known && shared_.known->names(block)) return true;
  const ThreadClock* mine = personal(thread);
  return mine != nullptr && mine->shared.known && mine->shared.known->names(block);
}

/// A thread's own fence, and that of whoever it has met since, comes after the block's meeting.
const VectorClockRef& BlockClocks::fenced(unsigned thread) const {
  const ThreadClock* mine = personal(thread);
  return mine != nullptr && mine->shared.fenced ? mine->shared.fenced : shared_.fenced;
}

const VectorClockRef& BlockClocks::fenced_block(unsigned thread) const {
  const ThreadClock* mine = personal(thread);
  return mine != nullptr && mine->shared.fenced_block ? mine->shared.fenced_block : shared_.fenced_block;
}

}  // namespace warpfiber::check
