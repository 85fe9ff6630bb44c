// SPDX-License-Identifier: Apache-2.0
// Runs saxpy on small whole numbers, so that every order of rounding gives the same floats. Setting::size counts
// elements; Setting::grid may be any.
#include "saxpy.hpp"

#include "basics.hpp"

namespace gallery {

namespace {

constexpr float kFactor = 3;

std::vector<float> reference(const std::vector<float>& x, std::vector<float> y) {
  for (std::size_t i = 0; i < x.size(); ++i) y[i] += kFactor * x[i];
  return y;
}

}  // namespace

Record run_saxpy(const Setting& setting) {
  const auto x = sample<float>(setting.size, 1, 1000);
  const auto y = sample<float>(setting.size, 2, 1000);
  const unsigned grid = setting.grid != 0 ? setting.grid : covering_blocks(setting.size, setting.block);
  const warpfiber::Buffer<float> device_x(x);
  warpfiber::Buffer<float> device_y(y);
  Trial trial(setting);
  trial.launch<saxpy>({.grid = grid, .block = setting.block}, kFactor, device_x.data(), device_y.data(),
                      static_cast<unsigned>(setting.size));
  return trial.compare(device_y.download(), reference(x, y));
}

}  // namespace gallery
