// SPDX-License-Identifier: Apache-2.0
// What the device model says of a launch, and the request that the engine gets. Refusals are findings in a checked
// program, and lines in any other.
#include "runtime/launching/prepare.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "base/index.hpp"
#include "launches/kernels/kernel_attributes.hpp"
#include "launches/observing/observers.hpp"
#include "launches/observing/tracing.hpp"
#include "launches/schedules.hpp"
#include "process/errors.hpp"
#include "process/explain.hpp"
#include "process/exploring/determinism.hpp"
#include "process/findings/findings_log.hpp"
#include "process/findings/host_findings.hpp"
#include "process/host/asked.hpp"
#include "process/kernels.hpp"
#include "process/reporter.hpp"
#include "process/settings/checking.hpp"
#include "process/settings/devices.hpp"
#include "process/settings/exploring.hpp"
#include "process/settings/waiting.hpp"
#include "process/user_call.hpp"
#include "record/reason.hpp"
#include "report/catalogue/catalogue.hpp"
#include "report/reasons/reasons.hpp"
#include "runtime/checking/checking.hpp"
#include "runtime/checking/unwritten_copies.hpp"
#include "runtime/launching/launch_options.hpp"

namespace warpfiber::runtime {

using record::ReasonKind;

device::LaunchShape shape_of(const LaunchConfig& config) {
  device::LaunchShape shape{base::to_triple(config.grid),
                            base::to_triple(config.block),
                            {},
                            config.dynamic_shared,
                            config.cooperative.is_wanted()};
  // One block is no request for none: the kernel may have clusters of its own.
  if (base::checked_volume(config.cluster) != 1) shape.cluster = base::to_triple(config.cluster);
  return shape;
}

KernelAttributes attributes_on(const DeviceModel& model, const void* address) {
  KernelAttributes attributes = address == nullptr ? KernelAttributes{} : launches::attributes_of(address);
  // CUDA wants to be asked for more than 48 KiB (cudaFuncSetAttribute); asking for it in the launch is asking.
  attributes.max_dynamic_shared =
      model.shared_per_block_optin - std::min<std::size_t>(attributes.static_shared, model.shared_per_block_optin);
  return attributes;
}

namespace {

engine::GridRequest request_of(const LaunchConfig& config, const LaunchOptions& options, const DeviceModel& model) {
  const process::CheckSettings& checking = process::check_settings();
  engine::GridRequest request;
  request.grid = config.grid;
  request.block = config.block;
  request.cluster = config.cluster;
  request.dynamic_shared = config.dynamic_shared;
  request.automatic = config.cooperative.is_automatic();
  request.warp_size = options.warp_size;
  request.capability = {model.compute_major, model.compute_minor};
  request.stack_bytes = options.stack_bytes;
  request.workers = options.workers;
  request.repeatable = options.is_repeatable;
  request.static_shared_limit = model.shared_per_block;
  request.watchdog_seconds = process::wait_settings().watchdog_seconds;
  request.policy = options.policy;
  request.convergence = options.convergence;
  if (options.is_checked) request.checker = &launch_checkers();
  request.observers = launches::launch_observers();
  request.check.last_writes = process::explore_settings().copy_writer.number != 0;
  request.check.stop_at_first = checking.stop_at_first;
  request.check.asked = options.is_checked || (checking.check_is_asked && checking.check != process::Check::off);
  request.check.strict = checking.check == process::Check::strict;
  return request;
}

/// What is known of a launch before it is checked.
record::LaunchFacts asked_facts(const LaunchConfig& config, const DeviceModel& model) {
  record::LaunchFacts facts;
  facts.grid = base::to_triple(config.grid);
  facts.block = base::to_triple(config.block);
  facts.cluster = base::to_triple(config.cluster);
  facts.dynamic_shared = config.dynamic_shared;
  facts.cooperative = config.cooperative.is_wanted();
  facts.device = model.name;
  return facts;
}

record::LaunchFacts facts_of(const LaunchConfig& config, const engine::GridRequest& request, const DeviceModel& model,
                             std::size_t static_shared) {
  record::LaunchFacts facts = asked_facts(config, model);
  facts.cluster = base::to_triple(request.cluster);
  facts.static_shared = static_shared;
  facts.cooperative = request.cooperative;
  facts.warp_size = request.warp_size;
  return facts;
}

/// A launch that may have to be cooperative is if it can be, or if the kernel is known to need it.
bool can_or_must_cooperate(const launches::PreparedLaunch& launch, device::LaunchShape shape) {
  shape.cooperative = true;
  return launches::synchronises_grid(launch.address) ||
         device::check_launch(*launch.model, launch.attributes, shape).ok();
}

/// Whether a launch leaves no trace but what its kernel does.
bool leaves_nothing(const launches::PreparedLaunch& launch) {
  const process::WaitSettings& waiting = process::wait_settings();
  const engine::GridRequest& request = launch.request;
  return launch.recording == nullptr && !request.checked() && request.observers.empty() &&
         request.policy.kind == schedule::PolicyKind::in_order && !launches::keeps_schedules() && !waiting.late &&
         !waiting.standing;
}

}  // namespace

launches::PreparedLaunch prepare(const LaunchConfig& config, const void* address, const KernelAttributes& attributes) {
  launches::PreparedLaunch made;
  const auto refused = [&](Error error, record::Reason reason) {
    made.error = error;
    made.request.facts = asked_facts(config, *made.model);
    made.reason = std::move(reason);
    return std::move(made);
  };
  made.model = config.device != nullptr ? config.device : &process::model_settings().model;
  if (address == nullptr) return refused(Error::invalid_device_function, ReasonKind::kernel_null);
  const base::Result<LaunchOptions, record::Reason> options = parse_options(config, *made.model);
  if (!options.ok()) return refused(Error::invalid_value, options.error());

  made.address = address;
  made.attributes = attributes;
  if (config.registers != 0) made.attributes.registers_per_thread = config.registers;
  device::LaunchShape shape = shape_of(config);
  if (config.cooperative.is_automatic()) shape.cooperative = can_or_must_cooperate(made, shape);
  const device::LaunchCheck check = device::check_launch(*made.model, made.attributes, shape);
  if (!check.ok()) return refused(check.error, check.reason);

  const base::Triple cluster = device::effective_cluster(made.attributes, shape);
  const LaunchConfig smaller = made_smaller(config, cluster);
  launches::begin_profile();
  launches::begin_trace();
  launches::begin_steps();
  made.request = request_of(smaller, options.value(), *made.model);
  made.request.kernel = address;
  made.request.cooperative = shape.cooperative;
  made.request.cluster = dim3(cluster.x, cluster.y, cluster.z);
  // A device file may describe an SM that no block fits; the launch runs all the same.
  made.request.resident_blocks =
      std::max(device::resident_blocks(*made.model, made.attributes, shape), base::volume(made.request.cluster));
  made.request.facts = facts_of(smaller, made.request, *made.model, attributes.static_shared);
  made.recording = process::recording_in_progress();
  made.is_empty = leaves_nothing(made) && launches::is_empty_kernel(address);
  make_next_launch(made);
  return made;
}

void make_next_launch(launches::PreparedLaunch& launch) {
  launch.request.host_floats = base::float_mode();
  launch.request.policy.launch = launches::next_launch();
  // So far apart that hardly any launch takes as long, and with nothing in the low word.
  constexpr unsigned kBitsOfALaunch = 32;
  const std::uint64_t launches =
      launch.recording != nullptr ? launch.recording->launches.size() : launch.request.policy.launch;
  launch.request.clock_start = launches << kBitsOfALaunch;
}

namespace {

LaunchResult result_of_refusal(Error error, const std::string& why) {
  return {error, report::id_of(record::Verdict::launch_error).data(), why.c_str()};
}

}  // namespace

LaunchResult refuse(Error error, const record::Reason& reason, const void* address, const record::LaunchFacts& facts) {
  process::remember(error);
  const std::string name = address == nullptr ? "(null)" : process::kernel_name(address);
  record::LaunchFacts launch = facts;
  launch.kernel = name;
  if (process::host_is_checked()) {
    // kernel<<<>>> returns nothing; every other call returns its error.
    const process::UserCall& call = process::user_call();
    const bool returns_error = call.returns_to == nullptr || std::string_view(call.function).starts_with("cudaLaunch");
    const process::HandledError how{error, returns_error ? call.function : nullptr, false};
    process::log_unless_handled(process::refused_launch(error, reason, launch), how);
    if (returns_error && call.returns_to != nullptr) process::finding_is_made();
    return result_of_refusal(error, report::reason_text(reason));
  }
  expect_unwritten();
  process::report_refusal(error, reason, name);
  // A launch of the native interface returns its error.
  if (process::user_call().returns_to != nullptr) {
    process::report_at_exit([finding = process::unseen(process::refused_launch(error, reason, launch))] {
      process::report_host_finding(finding);
    });
  }
  return result_of_refusal(error, report::reason_text(reason));
}

LaunchResult refuse_inside_kernel() {
  const record::Reason reason = record::ReasonKind::launch_inside_kernel;
  process::remember(Error::not_supported);
  expect_unwritten();
  process::report_refusal(Error::not_supported, reason, "a kernel");
  return result_of_refusal(Error::not_supported, report::reason_text(reason));
}

}  // namespace warpfiber::runtime
