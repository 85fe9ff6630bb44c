// SPDX-License-Identifier: Apache-2.0
// When accesses may be counted instead of reported, and what they leave in the shadow.
#include "check/counted/counted_accesses.hpp"

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "base/word_rows.hpp"
#include "memory/objects.hpp"

namespace warpfiber::check {

namespace {

/// Fewer threads cost less one by one.
constexpr unsigned kLeastThreads = 16;

/// Whether the launch has used none of the words. As a rule all of them were last used by the same one.
bool are_unused(const std::uint64_t* cells, unsigned count, unsigned launch) {
  if (launch_of(base::differences(cells, count, cells[0])) == 0) return launch_of(cells[0]) != launch;
  return std::none_of(cells, cells + count, [launch](Cell cell) { return launch_of(cell) == launch; });
}

void will_need(const std::uint64_t* words) {
  detail::WordsToCome& all = detail::words_to_come;
  if (all.count == 0) std::ranges::fill(all.rows, words);
  if (all.count < detail::WordsToCome::kMost) all.rows[all.count++] = words;
}

struct Ended {
  Series series;
  unsigned threads;  // behind thread 0
};

/// Whether all threads that read have written as well.
bool is_overwritten(std::span<const Ended> all, const Series& read, unsigned threads) {
  return std::ranges::any_of(all, [&](const Ended& other) {
    return other.series.write && other.series.first == read.first && other.threads >= threads;
  });
}

}  // namespace

void CountedAccesses::begin(std::size_t index, std::size_t known, Notes notes, bool write, std::ptrdiff_t offset) {
  const unsigned threads = threads_;
  const bool at_one_time = numbering_.warp_shift() != 0 && running_.block().clocks.is_uniform();
  if (!running_.is_plain() || running_.sees_every_access() || !at_one_time) return;
  if (numbering_.shape().block.x != threads || threads < kLeastThreads) return;
  if (std::exchange(tried_at_, running_.ended_segments()) != running_.ended_segments()) series_.may_begin();
  if (!series_.tries()) return;
  std::uint64_t* const counter = counter_at(offset);
  const auto generation = static_cast<std::uint32_t>(memory::objects_generation());
  bool joins_another = false;  // at the same words, which has found out about them
  for (const Series& one : series_.all()) {
    if (one.generation != generation) return;
    joins_another |= one.first == index;
  }
  if (!joins_another) {
    if (known < threads) return;
    if (!are_unused(shadow.plane(0) + index + 1, threads - 1, launch_.number())) return;
    // For the end of the series, and for the next block's if it goes on from here.
    will_need(shadow.plane(1) + index);
    will_need(shadow.plane(0) + index + threads);
  }
  const auto address = reinterpret_cast<std::uint64_t>(shadow.address_of(index));
  *counter = detail::counted_state(address, 0) + detail::counted_step;
  series_.add({counter, *counter, index, notes, generation, write}, threads);
}

/// Of a thread's accesses to a word the first write leaves something, or else the first read.
void CountedAccesses::flush_all() {
  std::array<Ended, SeriesList::kMost> ended;  // left as it is but for those there are
  std::size_t count = 0;
  for (const Series& one : series_.all()) {
    if (one.count() != 0) ended[count++] = {one, one.count()};
    *one.counter = detail::counted_nothing;
  }
  series_.clear();
  detail::words_to_come.count = 0;
  const std::span<const Ended> all(ended.data(), count);
  for (const bool write : {false, true}) {
    for (std::size_t left = count; left-- > 0;) {  // clang 14 cannot compile libstdc++ 12's views::reverse
      const auto& [series, threads] = all[left];
      if (series.write != write) continue;
      if (series.generation != static_cast<std::uint32_t>(memory::objects_generation())) {
        report_again(series, threads);
      } else if (write || !is_overwritten(all, series, threads)) {
        flush(series, threads);
      }
    }
  }
}

void CountedAccesses::flush(const Series& one, unsigned count) const {
  const unsigned warp_shift = numbering_.warp_shift();
  const BlockClocks& clocks = running_.block().clocks;
  const Cell block = numbering_.number_of(clocks.block(), 0) << kThreadShift;
  const Cell rest = block | Cell{launch_.number()} << kLaunchShift | kAllBytes | (one.write ? kWrite : 0);
  std::uint64_t* const cells = shadow.plane(0) + one.first;
  for (unsigned thread = 1; thread <= count;) {
    const std::uint32_t time = clocks.time_of(thread, thread >> warp_shift);
    unsigned end = thread;
    do {
      end = std::min(count + 1, ((end >> warp_shift) + 1) << warp_shift);
    } while (end <= count && clocks.time_of(end, end >> warp_shift) == time);
    base::fill_counting(cells + thread, end - thread, rest | time | Cell{thread} << kThreadShift,
                        Cell{1} << kThreadShift);
    thread = end;
  }
  std::uint64_t* const notes = shadow.plane(1) + one.first + 1;
  if (base::differences(notes, count, one.notes) != 0) std::fill_n(notes, count, one.notes);
}

/// Memory is not what it was when the series began, or other launches run at the same time.
void CountedAccesses::report_again(const Series& one, unsigned count) {
  const uint3 running = threadIdx;
  for (unsigned thread = 1; thread <= count; ++thread) {
    threadIdx = uint3{thread, 0, 0};
    slow_.access_word(shadow.address_of(one.first + thread), one.write, site_of(one.notes, 0));
  }
  threadIdx = running;
}

}  // namespace warpfiber::check
