// SPDX-License-Identifier: Apache-2.0
// Runs vector_add on two samples; the reference adds them in a loop. Setting::size counts elements.
#include "vector_add.hpp"

#include "basics.hpp"

namespace gallery {

namespace {

std::vector<int> reference(const std::vector<int>& a, const std::vector<int>& b) {
  std::vector<int> sum(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) sum[i] = a[i] + b[i];
  return sum;
}

}  // namespace

Record run_vector_add(const Setting& setting) {
  const auto a = sample<int>(setting.size, 1, 1000);
  const auto b = sample<int>(setting.size, 2, 1000);
  const warpfiber::Buffer<int> device_a(a);
  const warpfiber::Buffer<int> device_b(b);
  warpfiber::Buffer<int> sum(setting.size);
  Trial trial(setting);
  trial.launch<vector_add>({.grid = covering_blocks(setting.size, setting.block), .block = setting.block},
                           device_a.data(), device_b.data(), sum.data(), static_cast<unsigned>(setting.size));
  return trial.compare(sum.download(), reference(a, b));
}

}  // namespace gallery
