// SPDX-License-Identifier: Apache-2.0
//
// Wraps an operation on memory as a task of a stream, and waits for it where CUDA's call would.
#include "device_memory/ordering.hpp"

#include <memory>
#include <utility>

#include "device_memory/accesses.hpp"
#include "process/current_device.hpp"
#include "streams/enter_call.hpp"
#include "streams/streams.hpp"

namespace warpfiber::device_memory {

namespace {

class StreamTask final : public streams::Task {
 public:
  explicit StreamTask(StreamWork&& work) : work_(std::move(work)) {}

  Error run(Error device) override {
    if (device != Error::success) return Error::success;
    record::LaunchOrder order;
    order.call = request.call.function;
    order.returns_to = request.call.returns_to;
    work_(access_watcher() != nullptr ? streams::order_of(*this) : order);
    return Error::success;
  }

 private:
  StreamWork work_;
};

}  // namespace

Error in_stream(cudaStream_t stream, StreamWork work, Wait wait) {
  auto task = std::make_unique<StreamTask>(std::move(work));
  if (wait == Wait::yes) return streams::submit_and_wait(stream, streams::Work::transfer, std::move(task));
  streams::StreamPos mark;
  const Error error = streams::submit(stream, streams::Work::transfer, std::move(task), {}, &mark);
  if (wait == Wait::unpromised && error == Error::success) streams::wait_for(mark);
  return error;
}

Error wait_for_device() {
  return streams::synchronize_device(process::current_device());
}

Error device_failure() {
  return streams::enter_call();
}

}  // namespace warpfiber::device_memory
