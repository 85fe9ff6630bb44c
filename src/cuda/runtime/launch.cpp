// SPDX-License-Identifier: Apache-2.0
// A launch of the native interface: options are parsed, the launch is prepared, and it runs (runtime/launching).
#include <warpfiber/launch.hpp>
#include <warpfiber/occupancy.hpp>

#include <utility>

#include "base/index.hpp"
#include "launches/execute.hpp"
#include "process/errors.hpp"
#include "process/kernels.hpp"
#include "process/settings/devices.hpp"
#include "report/catalogue/catalogue.hpp"
#include "report/reasons/reasons.hpp"
#include "runtime/door.hpp"
#include "runtime/launching/prepare.hpp"
#include "runtime/native.hpp"
#include "streams/streams.hpp"

namespace warpfiber {

Error last_error() {
  return process::take_last_error();
}

namespace runtime {

using record::ReasonKind;

namespace {

LaunchResult run(const LaunchConfig& config, const detail::KernelCall& call) {
  const Caller who = caller();
  if (who == Caller::kernel) return refuse_inside_kernel();
  if (who == Caller::forked_child)
    return LaunchResult(process::refuse_in_forked_child("launch"), report::id_of(record::Verdict::launch_error).data(),
                        report::fixed_text(ReasonKind::forked_child));
  const DeviceModel& model = config.device != nullptr ? *config.device : process::model_settings().model;
  if (process::find_kernel(call.address) != nullptr) {
    return refuse(Error::invalid_device_function, ReasonKind::launch_without_brackets, call.address);
  }
  launches::PreparedLaunch launch = prepare(config, call.address, attributes_on(model, call.address));
  if (!launch.ok()) return refuse(launch.error, launch.reason, call.address, launch.request.facts);
  if (config.stream.is_given() || streams_in_use()) return launch_in_stream(std::move(launch), call, config.stream);
  launch.request.run_threads = call.run_threads;
  launch.request.closure = call.closure;
  launch.request.order = streams::order_of_host_launch();
  LaunchResult result = launches::execute(launch);
  process::remember(result.error());
  return result;
}

std::uint64_t most_cooperative_blocks(const void* address, dim3 block, std::size_t dynamic_shared,
                                      const DeviceModel* device) {
  const DeviceModel& model = device != nullptr ? *device : process::model_settings().model;
  const auto threads = base::checked_volume(block);
  if (!model.cooperative_launch || !threads.has_value() || *threads > model.max_threads_per_block) return 0;
  const KernelAttributes attributes = attributes_on(model, address);
  LaunchConfig one;
  one.block = block;
  one.dynamic_shared = dynamic_shared;
  if (!device::check_launch(model, attributes, shape_of(one)).ok()) return 0;
  return max_cooperative_blocks(model, attributes, static_cast<unsigned>(*threads), dynamic_shared);
}

}  // namespace
}  // namespace runtime

namespace detail {

LaunchResult launch(const LaunchConfig& config, const KernelCall& call) {
  return runtime::run(config, call);
}

std::uint64_t max_cooperative_grid_blocks(const void* address, dim3 block, std::size_t dynamic_shared,
                                          const DeviceModel* device) {
  return runtime::most_cooperative_blocks(address, block, dynamic_shared, device);
}

}  // namespace detail
}  // namespace warpfiber
