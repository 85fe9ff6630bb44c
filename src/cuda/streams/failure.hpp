// SPDX-License-Identifier: Apache-2.0
// What has gone wrong in one stream of the native API: the first launch that failed, until the program has got it.
// Work behind it is left out. Streams that only CUDA's functions use never fail by themselves; their device does. Any
// thread may call.
#pragma once

#include <warpfiber/launch.hpp>

#include <utility>

#include "base/locks/annotated_mutex.hpp"

namespace warpfiber::streams {

class StreamFailure {
 public:
  Error error() const {
    const base::Lock lock(mutex_);
    return first_.error();
  }

  void keep(LaunchResult result) {
    const base::Lock lock(mutex_);
    if (first_.ok()) first_ = std::move(result);
  }

  /// What has failed, or success; it is then forgotten.
  LaunchResult take() {
    const base::Lock lock(mutex_);
    return std::exchange(first_, LaunchResult());
  }

 private:
  mutable base::Mutex mutex_;
  LaunchResult first_ WARPFIBER_GUARDED_BY(mutex_);
};

}  // namespace warpfiber::streams
