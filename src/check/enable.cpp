// SPDX-License-Identifier: Apache-2.0
#include "check/enable.hpp"

#include "check/watch.hpp"
#include "memory/device_space.hpp"

namespace warpfiber::check {
namespace {

bool has_shadow = false;

}  // namespace

void enable() {
  if (!has_shadow) has_shadow = shadow.reserve(memory::device_space());
}

bool enabled() {
  return has_shadow;
}

}  // namespace warpfiber::check
