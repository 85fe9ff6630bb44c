// SPDX-License-Identifier: Apache-2.0
// Runs the programs that hang, and their corrected twins. Setting::grid is the number of blocks that the hand-made grid
// barrier is tried with; the others have a fixed shape.
#include "defects.hpp"
#include "lock_order.hpp"
#include "lock_order_corrected.hpp"
#include "oversized_grid_barrier.hpp"
#include "oversized_grid_barrier_corrected.hpp"
#include "shuffle_against_barrier.hpp"
#include "shuffle_against_barrier_corrected.hpp"
#include "unequal_trip_counts.hpp"
#include "unequal_trip_counts_corrected.hpp"

#include <algorithm>
#include <numeric>

namespace gallery {

namespace {

constexpr unsigned kShare = 1024;                            // elements a block of the grid barrier sums up
constexpr std::size_t kStageBytes = std::size_t{160} << 10;  // so that a block has an SM of an H100 or H200 to itself

unsigned sum_of(const std::vector<unsigned>& in) {
  return std::accumulate(in.begin(), in.end(), 0U);
}

template <auto Kernel>
Record fold_warp(const Setting& setting) {
  constexpr unsigned kHalf = 16;
  const auto in = sample<int>(2 * kHalf, 1, 1000);
  std::vector<int> reference;
  for (unsigned i = 0; i < kHalf; ++i) reference.push_back(in[i] + in[i + kHalf]);
  const warpfiber::Buffer<int> device_in(in);
  warpfiber::Buffer<int> folds(kHalf);
  Trial trial(setting);
  trial.launch<Kernel>({.grid = 1, .block = 2 * kHalf}, device_in.data(), folds.data());
  return trial.compare(folds.download(), reference);
}

template <auto Kernel>
Record transfer(const Setting& setting) {
  warpfiber::Buffer<int> balances(std::vector<int>{700, 300});
  warpfiber::Buffer<unsigned> locks(2);
  locks.fill(0);
  Trial trial(setting);
  trial.launch<Kernel>({.grid = 2, .block = 1}, balances.data(), locks.data(), 100);
  return trial.compare(balances.download(), {700, 300});
}

template <auto Kernel>
Record mirror_sums(const Setting& setting) {
  constexpr unsigned kThreads = 64;
  // The loop of the wrong kernel divides a warp; the input of the right one is the recorded one.
  constexpr unsigned kExtra = Kernel == &unequal_trip_counts ? 20 : kThreads / 2;
  const auto in = sample<int>(kThreads + kExtra, 1, 1000);
  std::vector<int> reference(kThreads, 0);
  for (unsigned i = 0; i < in.size(); ++i) reference[kThreads - 1 - i % kThreads] += in[i];
  const warpfiber::Buffer<int> device_in(in);
  warpfiber::Buffer<int> mirrored(kThreads);
  Trial trial(setting);
  trial.launch<Kernel>({.grid = 1, .block = kThreads}, device_in.data(), static_cast<unsigned>(in.size()),
                       mirrored.data());
  return trial.compare(mirrored.download(), reference);
}

}  // namespace

Record run_oversized_grid_barrier(const Setting& setting) {
  const auto in = sample<unsigned>(std::size_t{setting.grid} * kShare, 1, 1000);
  const warpfiber::Buffer<unsigned> device_in(in);
  warpfiber::Buffer<unsigned> partial(setting.grid);
  warpfiber::Buffer<unsigned> arrived(1);
  arrived.fill(0);
  warpfiber::Buffer<unsigned> total(1);
  Trial trial(setting);
  trial.launch<oversized_grid_barrier>({.grid = setting.grid, .block = setting.block, .dynamic_shared = kStageBytes},
                                       device_in.data(), kShare, partial.data(), arrived.data(), total.data());
  return trial.compare(total.download(), {sum_of(in)});
}

Record run_oversized_grid_barrier_corrected(const Setting& setting) {
  const auto in = sample<unsigned>(std::size_t{setting.grid} * kShare, 1, 1000);
  const unsigned fitting = resident_blocks<fitting_grid_barrier>(setting, setting.block, kStageBytes);
  const unsigned grid = std::min(setting.grid, fitting);
  const warpfiber::Buffer<unsigned> device_in(in);
  warpfiber::Buffer<unsigned> partial(grid);
  warpfiber::Buffer<unsigned> total(1);
  Trial trial(setting);
  trial.launch<fitting_grid_barrier>(
      {.grid = grid, .block = setting.block, .dynamic_shared = kStageBytes, .cooperative = true}, device_in.data(),
      kShare, setting.grid, partial.data(), total.data());
  return trial.compare(total.download(), {sum_of(in)});
}

Record run_shuffle_against_barrier(const Setting& setting) {
  return fold_warp<shuffle_against_barrier>(setting);
}
Record run_shuffle_against_barrier_corrected(const Setting& setting) {
  return fold_warp<shuffle_before_branch>(setting);
}
Record run_lock_order(const Setting& setting) {
  // Whether each block gets its first lock before the other asks for it is luck where they run at the same time.
  Setting in_turns = setting;
  in_turns.engine.workers = 1;
  return transfer<lock_order>(in_turns);
}
Record run_lock_order_corrected(const Setting& setting) {
  return transfer<ordered_locks>(setting);
}
Record run_unequal_trip_counts(const Setting& setting) {
  return mirror_sums<unequal_trip_counts>(setting);
}
Record run_unequal_trip_counts_corrected(const Setting& setting) {
  return mirror_sums<equal_trip_counts>(setting);
}

}  // namespace gallery
