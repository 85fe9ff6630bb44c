// SPDX-License-Identifier: Apache-2.0
// When accesses may be counted instead of told, and what they leave in the shadow.
#include "check/quick/series.hpp"

#include <algorithm>
#include <array>
#include <span>

#include "base/word_rows.hpp"
#include "check/watch.hpp"
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

/// Thread 0 has told its access to the word, which nobody had used before, or only itself. What is known of the word
/// is known of `alike` words from there.
void Watch::begin_series(std::size_t index, std::size_t alike, Notes notes, bool write, std::ptrdiff_t offset) {
  const bool at_one_time = warp_shift_ != 0 && block_->clocks.is_uniform();
  if (!plain_ || every_access_ || !at_one_time || shape_.block.x != threads_ || threads_ < kLeastThreads) return;
  if (!series_.tries()) return;
  std::uint64_t* const counter = counter_at(offset);
  const auto generation = static_cast<std::uint32_t>(memory::objects_generation());
  bool beside_another = false;  // at the same words, which has found out about them
  for (const Series& one : series_.all()) {
    if (one.generation != generation) return;
    beside_another |= one.first == index;
  }
  if (!beside_another) {
    if (alike < threads_) return;
    if (!are_unused(shadow.plane(0) + index + 1, threads_ - 1, launch_)) return;
    // For the end of the series, and for the next block's if it goes on from here.
    will_need(shadow.plane(1) + index);
    will_need(shadow.plane(0) + index + threads_);
  }
  const auto address = reinterpret_cast<std::uint64_t>(shadow.address_of(index));
  *counter = detail::counted_state(address, 0) + detail::counted_step;
  series_.add({counter, *counter, index, notes, generation, write}, threads_);
}

/// Of a thread's accesses to a word the first write leaves something, or else the first read.
void Watch::put_down_series() {
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
        put_down_anew(series, threads);
      } else if (write || !is_overwritten(all, series, threads)) {
        put_down(series, threads);
      }
    }
  }
}

void Watch::put_down(const Series& one, unsigned count) {
  const BlockClocks& clocks = block_->clocks;
  const Cell block = (clocks.block() << thread_bits_ & kThreadMask) << kThreadShift;
  const Cell rest = block | Cell{launch_} << kLaunchShift | kAllBytes | (one.write ? kWrite : 0);
  std::uint64_t* const cells = shadow.plane(0) + one.first;
  for (unsigned thread = 1; thread <= count;) {
    const std::uint32_t time = clocks.time_of(thread, thread >> warp_shift_);
    unsigned end = thread;
    do {
      end = std::min(count + 1, ((end >> warp_shift_) + 1) << warp_shift_);
    } while (end <= count && clocks.time_of(end, end >> warp_shift_) == time);
    base::fill_counting(cells + thread, end - thread, rest | time | Cell{thread} << kThreadShift,
                        Cell{1} << kThreadShift);
    thread = end;
  }
  std::uint64_t* const notes = shadow.plane(1) + one.first + 1;
  if (base::differences(notes, count, one.notes) != 0) std::fill_n(notes, count, one.notes);
}

/// Memory is not what it was when the series began, or launches run beside this one.
void Watch::put_down_anew(const Series& one, unsigned count) {
  const uint3 running = threadIdx;
  for (unsigned thread = 1; thread <= count; ++thread) {
    threadIdx = uint3{thread, 0, 0};
    access_at(shadow.address_of(one.first + thread), kWordBytes, Use{.read = !one.write, .write = one.write},
              site_of(one.notes, 0));
  }
  threadIdx = running;
}

}  // namespace warpfiber::check
