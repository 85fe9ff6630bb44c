// SPDX-License-Identifier: Apache-2.0
#include "runtime/memory/ordering.hpp"

namespace warpfiber::runtime {

Error in_stream(cudaStream_t, std::function<void()> work, Wait) {
  work();
  return Error::success;
}

Error wait_for_device() {
  return Error::success;
}

Error device_failure() {
  return Error::success;
}

}  // namespace warpfiber::runtime
