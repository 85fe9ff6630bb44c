// SPDX-License-Identifier: Apache-2.0
// Source: CUDA Runtime API, cudaStreamWaitEvent: a wait for an event that was never recorded has no effect.
#include "streams/waits/vain_waits.hpp"

#include <algorithm>

namespace warpfiber::streams {

void VainWaits::add(std::uint64_t stream, const void* event, const void* returns_to) {
  settle(stream, event);
  if (all_.size() == kMost) all_.erase(all_.begin());
  all_.push_back({stream, event, {returns_to, 0}});
}

void VainWaits::settle(std::uint64_t stream, const void* event) {
  std::erase_if(all_, [=](const Wait& wait) { return wait.stream == stream && wait.event == event; });
}

void VainWaits::recorded(const void* event, std::uint64_t stream) {
  for (Wait& wait : all_) {
    if (wait.event == event) wait.facts.recorded_in = stream;
  }
}

record::VainWait VainWaits::of(std::uint64_t stream) const {
  const auto last = std::find_if(all_.rbegin(), all_.rend(), [=](const Wait& wait) { return wait.stream == stream; });
  return last == all_.rend() ? record::VainWait{} : last->facts;
}

}  // namespace warpfiber::streams
