// SPDX-License-Identifier: Apache-2.0
#include "runtime/streams/kernel_launch.hpp"

#include <new>
#include <utility>

#include "runtime/current_device.hpp"
#include "runtime/launching.hpp"
#include "runtime/streams/device.hpp"
#include "runtime/streams/neighbourhood.hpp"
#include "runtime/streams/streams.hpp"

namespace warpfiber::runtime {
namespace {

/// A kernel with copies of its arguments.
class Closure {
 public:
  Closure(const KernelRecord& kernel, void* const* arguments)
      : kernel_(kernel), memory_(::operator new (kernel.closure_bytes, std::align_val_t{kernel.closure_alignment})) {
    kernel.construct(memory_, arguments);
  }
  ~Closure() {
    kernel_.destroy(memory_);
    ::operator delete (memory_, std::align_val_t{kernel_.closure_alignment});
  }
  Closure(const Closure&) = delete;
  Closure& operator=(const Closure&) = delete;

  const void* get() const { return memory_; }

 private:
  const KernelRecord& kernel_;
  void* memory_;
};

class KernelTask final : public Task {
 public:
  KernelTask(PreparedLaunch&& launch, const KernelRecord& kernel, void* const* arguments, int priority)
      : launch_(std::move(launch)), closure_(kernel, arguments), priority_(priority) {
    launch_.request.run_threads = kernel.run_threads;
    launch_.request.closure = closure_.get();
  }

  Error run(Error device) override {
    if (device != Error::success) return Error::success;
    Neighbour among_others(launch_, priority_);
    return among_others.cancelled() ? Error::success : execute(launch_).error();
  }

 private:
  PreparedLaunch launch_;
  Closure closure_;
  int priority_;
};

LaunchConfig config_of(const StreamLaunch& how) {
  LaunchConfig config;
  config.grid = how.grid;
  config.block = how.block;
  config.dynamic_shared = how.dynamic_shared;
  config.cluster = how.cluster;
  config.cooperative = how.cooperative;
  config.device = &model_of(current_device());
  return config;
}

}  // namespace

Error launch_kernel(const KernelRecord& kernel, const StreamLaunch& how, void* const* arguments) {
  const void* address = kernel.stub();
  PreparedLaunch launch = prepare(config_of(how), address, attributes_of(address));
  const std::shared_ptr<Stream> stream = launch.ok() ? find_stream(how.stream) : nullptr;
  if (launch.ok() && (stream == nullptr || stream->device != current_device())) {
    launch.error = Error::invalid_resource_handle;
    launch.message = stream == nullptr ? "the stream does not exist" : "the stream belongs to another device";
  }
  if (!launch.ok()) return refuse(launch.error, launch.message, address).error();
  launch.request.device = stream->device;
  const bool at_once = launch.recording != nullptr;
  auto task = std::make_unique<KernelTask>(std::move(launch), kernel, arguments, stream->priority);
  // A determinism check records what it starts, and no longer than it runs.
  return at_once ? submit_and_wait(how.stream, Work::kernel, std::move(task))
                 : submit(how.stream, Work::kernel, std::move(task));
}

Error launch_kernel(const void* function, const StreamLaunch& how, void* const* arguments) {
  const KernelRecord* kernel = function == nullptr ? nullptr : find_kernel(function);
  if (kernel != nullptr) return launch_kernel(*kernel, how, arguments);
  return refuse(Error::invalid_device_function, "it is not the address of a kernel", function).error();
}

Error submit_host_function(Stream* stream, std::function<void(Error)> function, bool always) {
  if (!function) return Error::invalid_value;
  return submit(stream, Work::host_function, make_task([call = std::move(function), always](Error device) {
                  if (always || device == Error::success) call(device);
                  return Error::success;
                }));
}

}  // namespace warpfiber::runtime
