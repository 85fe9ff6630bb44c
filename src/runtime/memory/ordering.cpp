// SPDX-License-Identifier: Apache-2.0
#include "runtime/memory/ordering.hpp"

#include <utility>

#include "runtime/current_device.hpp"
#include "runtime/streams/device.hpp"
#include "runtime/streams/streams.hpp"

namespace warpfiber::runtime {

Error in_stream(cudaStream_t stream, std::function<void()> work, Wait wait) {
  auto task = make_task([call = std::move(work)](Error device) {
    if (device == Error::success) call();
    return Error::success;
  });
  if (wait == Wait::yes) return submit_and_wait(stream, Work::transfer, std::move(task));
  Mark mark;
  const Error error = submit(stream, Work::transfer, std::move(task), {}, &mark);
  if (wait == Wait::unpromised && error == Error::success) wait_for(mark);
  return error;
}

Error wait_for_device() {
  return synchronize_device(current_device());
}

Error device_failure() {
  return enter_call();
}

}  // namespace warpfiber::runtime
