// SPDX-License-Identifier: Apache-2.0
// Runs both forms of the aggregated increment. The order in which elements are kept is free, so sorted results are
// compared; the masked form must also need exactly one atomic for each warp that keeps something.
// Setting::size counts elements, one a thread; blocks may have any size.
#include "aggregated_increment.hpp"

#include "warp.hpp"

#include <algorithm>

namespace gallery {

namespace {

struct Outcome {
  std::vector<int> kept;  // sorted
  unsigned atomics = 0;
};

/// About a third of the elements are positive.
std::vector<int> input(std::size_t count) {
  auto in = sample<int>(count, 1, 3000);
  for (int& value : in) value -= 2000;
  return in;
}

Outcome reference(const std::vector<int>& in, std::size_t block) {
  Outcome outcome;
  for (std::size_t start = 0; start < in.size(); start += block) {
    for (std::size_t warp = start; warp < start + block; warp += kWarp) {
      const std::size_t end = std::min({in.size(), start + block, warp + kWarp});
      const std::size_t before = outcome.kept.size();
      for (std::size_t i = warp; i < end; ++i) {
        if (in[i] > 0) outcome.kept.push_back(in[i]);
      }
      if (outcome.kept.size() != before) ++outcome.atomics;
    }
  }
  std::sort(outcome.kept.begin(), outcome.kept.end());
  return outcome;
}

template <auto Kernel>
Outcome keep(Trial& trial, const Setting& setting, const std::vector<int>& in) {
  const warpfiber::Buffer<int> device_in(in);
  warpfiber::Buffer<int> kept(in.size());
  kept.fill(0);  // all of it comes back
  warpfiber::Buffer<unsigned> counters(2);
  counters.fill(0);
  trial.launch<Kernel>({.grid = covering_blocks(in.size(), setting.block), .block = setting.block}, device_in.data(),
                       static_cast<unsigned>(in.size()), kept.data(), counters.data());
  Outcome outcome{kept.download(), counters.download()[1]};
  outcome.kept.resize(std::min<std::size_t>(outcome.kept.size(), counters.download()[0]));
  std::sort(outcome.kept.begin(), outcome.kept.end());
  return outcome;
}

std::string describe(const Outcome& outcome) {
  return grouped(outcome.kept.size()) + " kept, " + grouped(outcome.atomics) + " atomics";
}

}  // namespace

Record run_increment_opportunistic(const Setting& setting) {
  const auto in = input(setting.size);
  Trial trial(setting);
  const Outcome outcome = keep<keep_opportunistic>(trial, setting, in);
  const Outcome expected = reference(in, setting.block);
  return trial.conclude(describe(outcome), grouped(expected.kept.size()) + " kept", outcome.kept == expected.kept);
}

Record run_increment_masked(const Setting& setting) {
  const auto in = input(setting.size);
  Trial trial(setting);
  const Outcome outcome = keep<keep_masked>(trial, setting, in);
  const Outcome expected = reference(in, setting.block);
  const bool same = outcome.kept == expected.kept && outcome.atomics == expected.atomics;
  return trial.conclude(describe(outcome), describe(expected), same);
}

}  // namespace gallery
