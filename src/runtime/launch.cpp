// SPDX-License-Identifier: Apache-2.0
// A launch from the caller's config to the result: checks it against the device model, runs it, reports what was found.
#include <warpfiber/launch.hpp>
#include <warpfiber/occupancy.hpp>

#include <algorithm>
#include <cstring>
#include <string>

#include "base/contract.hpp"
#include "base/index.hpp"
#include "device/launch_check.hpp"
#include "engine/run.hpp"
#include "runtime/determinism.hpp"
#include "runtime/kernels.hpp"
#include "runtime/reporter.hpp"
#include "runtime/session.hpp"

namespace warpfiber {
namespace {

constinit thread_local Error last = Error::success;

char* copy_of(const char* text) {
  if (text == nullptr || *text == '\0') return nullptr;
  const std::size_t size = std::strlen(text) + 1;
  return static_cast<char*>(std::memcpy(new char[size], text, size));
}

}  // namespace

LaunchResult::LaunchResult(Error error, const char* finding, const char* message)
    : error_(error), finding_(copy_of(finding)), message_(copy_of(message)) {}
LaunchResult::LaunchResult(const LaunchResult& other) : LaunchResult(other.error_, other.finding_, other.message_) {
  barriers_ = other.barriers_;
}
LaunchResult::LaunchResult(LaunchResult&& other) noexcept
    : error_(other.error_),
      finding_(std::exchange(other.finding_, nullptr)),
      message_(std::exchange(other.message_, nullptr)) {}
LaunchResult& LaunchResult::operator=(LaunchResult other) noexcept {
  std::swap(error_, other.error_);
  std::swap(barriers_, other.barriers_);
  std::swap(finding_, other.finding_);
  std::swap(message_, other.message_);
  return *this;
}
LaunchResult::~LaunchResult() {
  delete[] finding_;
  delete[] message_;
}

Error last_error() {
  return std::exchange(last, Error::success);
}

namespace runtime {
namespace {

/// A launch that was refused: nothing ran.
LaunchResult refuse(Error error, const std::string& message, const std::string& kernel) {
  last = error;
  report_refusal(error, message, kernel);
  return LaunchResult(error, "launch-error", message.c_str());
}

device::LaunchShape shape_of(const LaunchConfig& config) {
  device::LaunchShape shape{
      base::to_triple(config.grid), base::to_triple(config.block), {}, config.dynamic_shared, config.cooperative};
  if (base::volume(config.cluster) != 1) shape.cluster = base::to_triple(config.cluster);
  return shape;
}

/// What is wrong with the options that only a simulator has; empty if nothing is.
std::string complaint_about(const LaunchConfig& config) {
  if (config.warp_size > detail::kMaxWarpSize) {
    return "a warp of " + std::to_string(config.warp_size) + " lanes; 1 to 64 can be modelled";
  }
  if (config.policy != nullptr) {
    const auto parsed = schedule::parse_policy(config.policy);
    if (!parsed.ok()) return parsed.error();
  }
  engine::Convergence convergence{};
  if (config.convergence != nullptr && !parse_convergence(config.convergence, convergence)) {
    return std::string("convergence \"") + config.convergence + "\"; it is full, random or none";
  }
  return {};
}

engine::GridRequest request_of(const LaunchConfig& config, const Session& session, const DeviceModel& model) {
  engine::GridRequest request;
  request.grid = config.grid;
  request.block = config.block;
  request.cluster = config.cluster;
  request.dynamic_shared = config.dynamic_shared;
  request.cooperative = config.cooperative;
  request.warp_size = config.warp_size != 0 ? config.warp_size : model.warp_size;
  request.stack_bytes = config.stack_bytes != 0 ? config.stack_bytes : session.stack_bytes;
  request.workers = config.workers != 0 ? config.workers : session.workers;
  request.static_shared_limit = model.shared_per_block;
  request.watchdog_seconds = session.watchdog_seconds;
  request.policy = session.policy;
  if (config.policy != nullptr) request.policy = schedule::parse_policy(config.policy).value();
  request.policy.seed = config.seed != 0 ? config.seed : session.policy.seed;
  request.convergence = session.convergence;
  if (config.convergence != nullptr) parse_convergence(config.convergence, request.convergence);
  return request;
}

record::LaunchFacts facts_of(const LaunchConfig& config, const engine::GridRequest& request, const DeviceModel& model,
                             std::size_t static_shared) {
  record::LaunchFacts facts;
  facts.grid = base::to_triple(config.grid);
  facts.block = base::to_triple(config.block);
  facts.cluster = base::to_triple(config.cluster);
  facts.static_shared = static_shared;
  facts.dynamic_shared = config.dynamic_shared;
  facts.cooperative = config.cooperative;
  facts.warp_size = request.warp_size;
  facts.device = model.name;
  return facts;
}

LaunchResult run(const LaunchConfig& config, const detail::KernelCall& call) {
  const Session& of_process = session();
  const DeviceModel& model = config.device != nullptr ? *config.device : of_process.device;
  if (call.address == nullptr) {
    return refuse(Error::invalid_device_function, "the kernel is a null pointer", "(null)");
  }
  if (engine::inside_kernel()) {
    // Without the name: looking it up takes more stack than a thread of a kernel has.
    return refuse(Error::not_supported, "launches from inside a kernel are not supported", "a kernel");
  }
  const std::string complaint = complaint_about(config);
  if (!complaint.empty()) return refuse(Error::invalid_value, complaint, kernel_name(call.address));

  KernelAttributes attributes = attributes_of(call.address);
  if (config.registers != 0) attributes.registers_per_thread = config.registers;
  // CUDA wants to be asked for more than 48 KiB (cudaFuncSetAttribute); asking for it in the launch is asking.
  attributes.max_dynamic_shared =
      model.shared_per_block_optin - std::min<std::size_t>(attributes.static_shared, model.shared_per_block_optin);
  const device::LaunchShape shape = shape_of(config);
  const device::LaunchCheck check = device::check_launch(model, attributes, shape);
  if (!check.ok()) return refuse(check.error, check.message, kernel_name(call.address));

  engine::GridRequest request = request_of(config, of_process, model);
  request.run_threads = call.run_threads;
  request.closure = call.closure;
  // A device file may describe an SM that no block fits; the launch runs all the same.
  request.resident_blocks = std::max(device::resident_blocks(model, attributes, shape), base::volume(config.cluster));
  request.facts = facts_of(config, request, model, attributes.static_shared);

  schedule::Recording* recording = recording_in_progress();
  if (recording != nullptr) {
    request.record_decisions = true;
    request.workers = 1;
  }
  const engine::GridOutcome outcome = engine::run_grid(request);
  if (recording != nullptr) recording->insert(recording->end(), outcome.decisions.begin(), outcome.decisions.end());
  learn_static_shared(call.address, outcome.static_shared);
  if (!outcome.finding.has_value()) return LaunchResult(outcome.barriers);
  record::Finding finding = *outcome.finding;
  complete_finding(finding, model, attributes, request, call.address);
  last = error_of(finding);
  const std::string text = report_finding(finding);
  return LaunchResult(last, finding.id.c_str(), text.c_str());
}

}  // namespace
}  // namespace runtime

namespace detail {

LaunchResult launch(const LaunchConfig& config, const KernelCall& call) {
  return runtime::run(config, call);
}

}  // namespace detail
}  // namespace warpfiber
