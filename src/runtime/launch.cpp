// SPDX-License-Identifier: Apache-2.0
// A launch from the caller's config to the result: checks it against the device model, runs it, reports what was found.
#include <warpfiber/launch.hpp>
#include <warpfiber/occupancy.hpp>

#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <vector>

#include "base/contract.hpp"
#include "base/float_mode.hpp"
#include "base/forking.hpp"
#include "base/index.hpp"
#include "check/enable.hpp"
#include "device/launch_check.hpp"
#include "device_memory/contents/unwritten_rows.hpp"
#include "engine/run.hpp"
#include "engine/state/large_stack.hpp"
#include "process/explain.hpp"
#include "process/exploring/determinism.hpp"
#include "process/findings/findings_log.hpp"
#include "process/findings/host_findings.hpp"
#include "process/findings/same_defect.hpp"
#include "process/host/asked.hpp"
#include "process/host/forked_child.hpp"
#include "process/host_thread.hpp"
#include "process/kernels.hpp"
#include "process/last_error.hpp"
#include "process/reporter.hpp"
#include "process/session.hpp"
#include "process/user_call.hpp"
#include "report/catalogue/catalogue.hpp"
#include "report/reasons/reasons.hpp"
#include "runtime/checking/conflicts.hpp"
#include "runtime/checking/constant_copies.hpp"
#include "runtime/checking/launch_checker.hpp"
#include "runtime/checking/unwritten_copies.hpp"
#include "runtime/exploring/schedules.hpp"
#include "runtime/exploring/smaller.hpp"
#include "runtime/kernels/kernel_attributes.hpp"
#include "runtime/launching.hpp"
#include "runtime/native.hpp"
#include "runtime/observing/observers.hpp"
#include "runtime/observing/profiling.hpp"
#include "runtime/observing/stepping.hpp"
#include "runtime/observing/tracing.hpp"
#include "runtime/timeout_report.hpp"
#include "streams/launched_work.hpp"
#include "streams/streams.hpp"

namespace warpfiber {

Error last_error() {
  return process::take_last_error();
}

namespace runtime {

using record::ReasonKind;

namespace {

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

/// Whether the hooks of the program report each access of a thread.
bool has_access_hooks() {
  return check::enabled() && process::session().check != process::Check::off;
}

schedule::PolicyOptions policy_of(const LaunchConfig& config) {
  schedule::PolicyOptions policy = process::session().policy;
  if (config.policy != nullptr) policy = schedule::parse_policy(config.policy).value();
  policy.seed = config.seed != 0 ? config.seed : process::session().policy.seed;
  return policy;
}

/// What is wrong with the options that only a simulator has; empty if nothing is.
record::Reason complaint_about(const LaunchConfig& config) {
  if (config.warp_size > detail::kMaxWarpSize) {
    return {ReasonKind::warp_size_not_supported, config.warp_size};
  }
  schedule::PolicyKind kind = process::session().policy.kind;
  if (config.policy != nullptr) {
    const auto parsed = schedule::parse_policy(config.policy);
    if (!parsed.ok()) return parsed.error();
    kind = parsed.value().kind;
  }
  if (kind == schedule::PolicyKind::lock_step && !has_access_hooks()) {
    return ReasonKind::lock_step_without_hooks;
  }
  engine::Convergence convergence{};
  if (config.convergence != nullptr && !process::parse_convergence(config.convergence, convergence)) {
    return {ReasonKind::convergence_unknown, config.convergence};
  }
  return {};
}

/// How many workers were asked for; nothing where there are as many as processors. A schedule that was asked for is to
/// be the same in each run, which it is on one worker.
std::optional<unsigned> asked_workers(const LaunchConfig& config, const process::Session& session) {
  if (has_access_hooks() || keeps_schedules() || process::recording_in_progress() != nullptr) return 1;
  if (config.workers != 0) return config.workers;
  if (session.workers_asked) return session.workers;
  if (session.schedule_asked || config.seed != 0 || config.policy != nullptr) return 1;
  return std::nullopt;
}

engine::GridRequest request_of(const LaunchConfig& config, const process::Session& session, const DeviceModel& model) {
  engine::GridRequest request;
  request.grid = config.grid;
  request.block = config.block;
  request.cluster = config.cluster;
  request.dynamic_shared = config.dynamic_shared;
  request.automatic = config.cooperative.is_automatic();
  request.warp_size = config.warp_size != 0 ? config.warp_size : model.warp_size;
  request.stack_bytes = config.stack_bytes != 0 ? config.stack_bytes : session.stack_bytes;
  const std::optional<unsigned> workers = asked_workers(config, session);
  request.workers = workers.value_or(session.workers);
  request.repeatable = workers == 1U;
  request.static_shared_limit = model.shared_per_block;
  request.watchdog_seconds = session.watchdog_seconds;
  request.policy = policy_of(config);
  request.convergence = session.convergence;
  if (has_access_hooks()) request.checker = &launch_checkers();
  begin_profile();
  begin_trace();
  begin_steps();
  request.observers = launch_observers();
  request.check.last_writes = session.copy_writer.number != 0;
  request.check.stop_at_first = session.stop_at_first;
  request.check.strict = session.check == process::Check::strict;
  if (config.convergence != nullptr) process::parse_convergence(config.convergence, request.convergence);
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
bool can_or_must_cooperate(const streams::PreparedLaunch& launch, device::LaunchShape shape) {
  shape.cooperative = true;
  return synchronises_grid(launch.address) || device::check_launch(*launch.model, launch.attributes, shape).ok();
}

/// What is known of the kernel, for launches that need not ask for much dynamic shared memory first.
KernelAttributes attributes_on(const DeviceModel& model, const void* address) {
  KernelAttributes attributes =
      address == nullptr || engine::inside_kernel() ? KernelAttributes{} : attributes_of(address);
  // CUDA wants to be asked for more than 48 KiB (cudaFuncSetAttribute); asking for it in the launch is asking.
  attributes.max_dynamic_shared =
      model.shared_per_block_optin - std::min<std::size_t>(attributes.static_shared, model.shared_per_block_optin);
  return attributes;
}

/// Whether a launch leaves no trace but what its kernel does.
bool leaves_nothing(const streams::PreparedLaunch& launch, const process::Session& of_process) {
  const engine::GridRequest& request = launch.request;
  return launch.recording == nullptr && !request.checked() && request.observers.empty() &&
         request.policy.kind == schedule::PolicyKind::in_order && !keeps_schedules() && !of_process.late &&
         !of_process.standing;
}

}  // namespace

/// A launch that was refused: nothing ran.
LaunchResult refuse(Error error, const record::Reason& reason, const void* address, const record::LaunchFacts& facts) {
  process::remember(error);
  // Looking up a name takes more stack than a thread of a kernel has.
  const std::string name = address == nullptr        ? "(null)"
                           : engine::inside_kernel() ? "a kernel"
                                                     : process::kernel_name(address);
  record::LaunchFacts launch = facts;
  launch.kernel = name;
  if (process::host_is_checked() && !engine::inside_kernel()) {
    // kernel<<<>>> returns nothing; every other call returns its error.
    const process::UserCall& call = process::user_call();
    const bool returns_error = call.returns_to == nullptr || std::string_view(call.function).starts_with("cudaLaunch");
    const process::HandledError how{error, returns_error ? call.function : nullptr, false};
    process::log_unless_handled(process::refused_launch(error, reason, launch), how);
    if (returns_error && call.returns_to != nullptr) process::finding_is_made();
    return LaunchResult(error, report::id_of(record::Verdict::launch_error).data(),
                        report::reason_text(reason).c_str());
  }
  expect_unwritten();
  process::report_refusal(error, reason, name);
  // A launch of the native interface returns its error.
  if (process::user_call().returns_to != nullptr) {
    process::report_at_exit([finding = process::unseen(process::refused_launch(error, reason, launch))] {
      process::report_host_finding(finding);
    });
  }
  return LaunchResult(error, report::id_of(record::Verdict::launch_error).data(), report::reason_text(reason).c_str());
}

streams::PreparedLaunch prepare(const LaunchConfig& config, const void* address, const KernelAttributes& attributes) {
  streams::PreparedLaunch made;
  const auto refused = [&](Error error, record::Reason reason) {
    made.error = error;
    made.request.facts = asked_facts(config, *made.model);
    made.reason = std::move(reason);
    return std::move(made);
  };
  const process::Session& of_process = process::session();
  made.model = config.device != nullptr ? config.device : &of_process.device;
  if (address == nullptr) return refused(Error::invalid_device_function, ReasonKind::kernel_null);
  if (engine::inside_kernel()) {
    return refused(Error::not_supported, ReasonKind::launch_inside_kernel);
  }
  record::Reason complaint = complaint_about(config);
  if (!complaint.empty()) return refused(Error::invalid_value, std::move(complaint));

  made.address = address;
  made.attributes = attributes;
  if (config.registers != 0) made.attributes.registers_per_thread = config.registers;
  device::LaunchShape shape = shape_of(config);
  if (config.cooperative.is_automatic()) shape.cooperative = can_or_must_cooperate(made, shape);
  const device::LaunchCheck check = device::check_launch(*made.model, made.attributes, shape);
  if (!check.ok()) return refused(check.error, check.reason);

  const base::Triple cluster = device::effective_cluster(made.attributes, shape);
  const LaunchConfig smaller = made_smaller(config, cluster);
  made.request = request_of(smaller, of_process, *made.model);
  made.request.kernel = address;
  made.request.cooperative = shape.cooperative;
  made.request.cluster = dim3(cluster.x, cluster.y, cluster.z);
  // A device file may describe an SM that no block fits; the launch runs all the same.
  made.request.resident_blocks =
      std::max(device::resident_blocks(*made.model, made.attributes, shape), base::volume(made.request.cluster));
  made.request.facts = facts_of(smaller, made.request, *made.model, attributes.static_shared);
  made.recording = process::recording_in_progress();
  made.is_empty = leaves_nothing(made, of_process) && is_empty_kernel(address);
  make_next_launch(made);
  return made;
}

void make_next_launch(streams::PreparedLaunch& launch) {
  launch.request.host_floats = base::float_mode();
  launch.request.policy.launch = next_launch();
  // So far apart that hardly any launch takes as long, and with nothing in the low word.
  constexpr unsigned kBitsOfALaunch = 32;
  const std::uint64_t launches =
      launch.recording != nullptr ? launch.recording->launches.size() : launch.request.policy.launch;
  launch.request.clock_start = launches << kBitsOfALaunch;
}

namespace {

engine::GridOutcome run_to_end(const streams::PreparedLaunch& launch) {
  process::HostThreadState::of_caller().launch = &launch;
  engine::GridOutcome outcome = engine::run_grid(launch.request);
  process::HostThreadState::of_caller().launch = nullptr;
  return outcome;
}

}  // namespace

void report_before_exit() {
  const streams::PreparedLaunch* const running = process::HostThreadState::of_caller().launch;
  if (running == nullptr || !engine::inside_kernel()) return;
  const auto report = [found = engine::leave_for_exit(), launch = running] {
    std::vector<record::Finding> hazards = found();
    process::put_causes_first(hazards);
    for (record::Finding& hazard : hazards) {
      process::complete_finding(hazard, *launch->model, launch->attributes, launch->request, launch->address);
    }
    process::log_findings(std::move(hazards));
  };
  // The kernel's stack has no room for looking up lines.
  engine::run_on_large_stack(report);
}

namespace {

/// Logs what was found in a launch. Returns the report of what ended it; empty where nothing did.
std::string log_all(std::vector<record::Finding> hazards, const std::optional<record::Finding>& ending) {
  process::put_causes_first(hazards);
  const bool first = ending.has_value() && process::ends_first(*ending, hazards);
  // A race may be why threads wait for ever, and other accesses of an expression that leaves its array are in the array
  // behind: one defect.
  const bool explains =
      ending.has_value() && (ending->verdict == record::Verdict::deadlock || record::is_out_of_bounds(ending->verdict));
  if (!first && explains) {
    hazards.push_back(*ending);
    return process::log_findings(std::move(hazards));
  }
  std::string text = first ? process::log_finding(*ending) : std::string();
  process::log_findings(std::move(hazards));
  if (ending.has_value() && !first) text = process::log_finding(*ending);
  return text;
}

}  // namespace

LaunchResult execute(streams::PreparedLaunch& launch) {
  engine::GridRequest& request = launch.request;
  request.record_decisions = launch.recording != nullptr || keeps_schedules();
  process::count_launch();
  std::optional<ReportingLaunch> reporting;
  if (process::session().standing) reporting.emplace();
  const engine::GridOutcome outcome = run_to_end(launch);
  if (launch.recording != nullptr)
    launch.recording->launches.push_back(
        {process::kernel_name(launch.address), outcome.decisions,
         outcome.finding.has_value() ? std::string(report::id_of(outcome.finding->verdict)) : "", outcome.barriers,
         outcome.ended_by_time});
  if (keeps_schedules()) keep_schedule(outcome.decisions, request.policy.launch, outcome.ended_by_time);
  learn_static_shared(launch.address, outcome.static_shared);
  if (outcome.grid_barriers) learn_grid_barriers(launch.address);
  if (outcome.is_empty) learn_empty(launch.address);
  if (outcome.has_printed) streams::note_output(process::kernel_name(launch.address), request);
  std::vector<record::Finding> hazards = outcome.hazards;
  if (process::host_is_checked()) {
    std::ranges::move(conflicts_of_launch(request.order), std::back_inserter(hazards));
    std::ranges::move(unset_constants_of(request.order), std::back_inserter(hazards));
    device_memory::launch_extents().add(process::kernel_name(launch.address),
                                        std::size_t{request.grid.x} * request.block.x,
                                        std::size_t{request.grid.y} * request.block.y);
  }
  std::optional<record::Finding> ending = outcome.finding;
  const auto complete = [&](record::Finding& finding) {
    process::complete_finding(finding, *launch.model, launch.attributes, request, launch.address);
  };
  std::ranges::for_each(hazards, complete);
  if (ending.has_value()) complete(*ending);
  const std::string text = log_all(std::move(hazards), ending);
  if (outcome.hazards_dropped != 0) process::count_findings(outcome.hazards_dropped);
  if (!ending.has_value()) return LaunchResult(outcome.barriers);
  write_after_failure();
  const bool too_large = request.automatic && !request.cooperative && ending->verdict == record::Verdict::cg_misuse;
  return LaunchResult(too_large ? Error::cooperative_launch_too_large : process::error_of(*ending),
                      report::id_of(ending->verdict).data(), text.c_str());
}

namespace {

LaunchResult run(const LaunchConfig& config, const detail::KernelCall& call) {
  if (!engine::inside_kernel() && !base::begin_use())
    return LaunchResult(process::refuse_in_forked_child("launch"), report::id_of(record::Verdict::launch_error).data(),
                        report::fixed_text(ReasonKind::forked_child));
  const DeviceModel& model = config.device != nullptr ? *config.device : process::session().device;
  if (process::find_kernel(call.address) != nullptr && !engine::inside_kernel()) {
    return refuse(Error::invalid_device_function, ReasonKind::launch_without_brackets, call.address);
  }
  streams::PreparedLaunch launch = prepare(config, call.address, attributes_on(model, call.address));
  if (!launch.ok()) return refuse(launch.error, launch.reason, call.address, launch.request.facts);
  if (config.stream.is_given() || streams_in_use()) return launch_in_stream(std::move(launch), call, config.stream);
  launch.request.run_threads = call.run_threads;
  launch.request.closure = call.closure;
  launch.request.order = streams::order_of_host_launch();
  LaunchResult result = execute(launch);
  process::remember(result.error());
  return result;
}

std::uint64_t most_cooperative_blocks(const void* address, dim3 block, std::size_t dynamic_shared,
                                      const DeviceModel* device) {
  const DeviceModel& model = device != nullptr ? *device : process::session().device;
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
