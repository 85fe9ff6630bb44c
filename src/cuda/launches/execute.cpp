// SPDX-License-Identifier: Apache-2.0
// Runs a launch, passes it on to all that learn from launches or look in them for findings, and logs what ended it and
// what was found on the way, in the order of their causes.
#include "launches/execute.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/run.hpp"
#include "engine/state/large_stack.hpp"
#include "launches/checking/conflicts.hpp"
#include "launches/checking/unwritten_rows.hpp"
#include "launches/host/host_threads.hpp"
#include "launches/kernels/kernel_attributes.hpp"
#include "launches/observing/timeout_report.hpp"
#include "launches/observing/tracing.hpp"
#include "launches/schedules.hpp"
#include "launches/state/launches_state.hpp"
#include "process/explain.hpp"
#include "process/exploring/determinism.hpp"
#include "process/findings/findings_log.hpp"
#include "process/findings/host_findings.hpp"
#include "process/findings/same_defect.hpp"
#include "process/host_thread.hpp"
#include "process/kernels.hpp"
#include "process/reporter.hpp"
#include "process/settings/waiting.hpp"
#include "report/catalogue/catalogue.hpp"

namespace warpfiber::launches {
namespace {

/// A launch that has run to its end, before anything of it is reported.
struct LaunchEnded {
  const PreparedLaunch& launch;
  const engine::GridOutcome& outcome;
  std::vector<record::Finding>& findings;  // those that did not end the launch
};

void record_run(const LaunchEnded& ended) {
  process::RunRecord* recording = ended.launch.recording;
  if (recording == nullptr) return;
  const engine::GridOutcome& outcome = ended.outcome;
  recording->launches.push_back(
      {process::kernel_name(ended.launch.address), outcome.decisions,
       outcome.finding.has_value() ? std::string(report::id_of(outcome.finding->verdict)) : "", outcome.barriers,
       outcome.ended_by_time});
}

void keep_decisions(const LaunchEnded& ended) {
  if (!keeps_schedules()) return;
  keep_schedule(ended.outcome.decisions, ended.launch.request.policy.launch, ended.outcome.ended_by_time);
}

void learn_attributes(const LaunchEnded& ended) {
  learn_static_shared(ended.launch.address, ended.outcome.static_shared);
  if (ended.outcome.grid_barriers) learn_grid_barriers(ended.launch.address);
  if (ended.outcome.is_empty) learn_empty(ended.launch.address);
}

void note_printed(const LaunchEnded& ended) {
  if (!ended.outcome.has_printed) return;
  const engine::GridRequest& request = ended.launch.request;
  std::string kernel = process::kernel_name(ended.launch.address);
  UnshownOutput& output = LaunchesState::of_process().unshown_output.get();
  const base::Lock lock(output.mutex);
  const auto same = std::ranges::find(output.launches, kernel, &UnshownOutput::Launch::kernel);
  UnshownOutput::Launch& launch = same != output.launches.end() ? *same : output.launches.emplace_back();
  launch = {std::move(kernel), base::to_triple(request.grid), base::to_triple(request.block), request.order};
}

void find_conflicts(const LaunchEnded& ended) {
  if (!process::host_is_checked()) return;
  const record::LaunchOrder& order = ended.launch.request.order;
  std::ranges::move(conflicts_of_launch(order), std::back_inserter(ended.findings));
  std::ranges::move(unset_constants_of(order), std::back_inserter(ended.findings));
}

void note_extent(const LaunchEnded& ended) {
  if (!process::host_is_checked()) return;
  const engine::GridRequest& request = ended.launch.request;
  launch_extents().add(process::kernel_name(ended.launch.address), std::size_t{request.grid.x} * request.block.x,
                       std::size_t{request.grid.y} * request.block.y);
}

constexpr void (*kSubscribers[])(const LaunchEnded&) = {record_run,   keep_decisions, learn_attributes,
                                                        note_printed, find_conflicts, note_extent};

engine::GridOutcome run_to_end(const PreparedLaunch& launch) {
  process::HostThreadState::of_caller().launch = &launch;
  engine::GridOutcome outcome = engine::run_grid(launch.request);
  process::HostThreadState::of_caller().launch = nullptr;
  return outcome;
}

/// Logs what was found in a launch. Returns the report of what ended it; empty where nothing did.
std::string log_all(std::vector<record::Finding> findings, const std::optional<record::Finding>& ending) {
  process::put_causes_first(findings);
  const bool first = ending.has_value() && process::ends_first(*ending, findings);
  // A race may be why threads wait for ever, and other accesses of an expression that leaves its array are in the array
  // behind: one defect.
  const bool explains =
      ending.has_value() && (ending->verdict == record::Verdict::deadlock || record::is_out_of_bounds(ending->verdict));
  if (!first && explains) {
    findings.push_back(*ending);
    return process::log_findings(std::move(findings));
  }
  std::string text = first ? process::log_finding(*ending) : std::string();
  process::log_findings(std::move(findings));
  if (ending.has_value() && !first) text = process::log_finding(*ending);
  return text;
}

}  // namespace

LaunchResult execute(PreparedLaunch& launch) {
  engine::GridRequest& request = launch.request;
  request.record_decisions = launch.recording != nullptr || keeps_schedules();
  process::count_launch();
  std::optional<ReportingLaunch> reporting;
  if (process::wait_settings().standing) reporting.emplace();
  const engine::GridOutcome outcome = run_to_end(launch);
  std::vector<record::Finding> findings = outcome.findings;
  for (const auto subscriber : kSubscribers) subscriber({launch, outcome, findings});
  std::optional<record::Finding> ending = outcome.finding;
  const auto complete = [&](record::Finding& finding) {
    process::complete_finding(finding, *launch.model, launch.attributes, request, launch.address);
  };
  std::ranges::for_each(findings, complete);
  if (ending.has_value()) complete(*ending);
  const std::string text = log_all(std::move(findings), ending);
  if (outcome.findings_dropped != 0) process::count_findings(outcome.findings_dropped);
  if (!ending.has_value()) return LaunchResult(outcome.barriers);
  write_after_failure();
  const bool too_large = request.automatic && !request.cooperative && ending->verdict == record::Verdict::cg_misuse;
  return LaunchResult(too_large ? Error::cooperative_launch_too_large : process::error_of(*ending),
                      report::id_of(ending->verdict).data(), text.c_str());
}

void report_before_exit() {
  const PreparedLaunch* const running = process::HostThreadState::of_caller().launch;
  if (running == nullptr || !ends_in_kernel()) return;
  const auto report = [found = engine::leave_for_exit(), launch = running] {
    std::vector<record::Finding> findings = found();
    process::put_causes_first(findings);
    for (record::Finding& finding : findings) {
      process::complete_finding(finding, *launch->model, launch->attributes, launch->request, launch->address);
    }
    process::log_findings(std::move(findings));
  };
  // The kernel's stack has no room for looking up lines.
  engine::run_on_large_stack(report);
}

}  // namespace warpfiber::launches
