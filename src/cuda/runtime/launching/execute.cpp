// SPDX-License-Identifier: Apache-2.0
// Runs a launch, and logs what ended it and what was found on the way, in the order of their causes.
#include "runtime/launching/execute.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "engine/run.hpp"
#include "engine/state/large_stack.hpp"
#include "process/explain.hpp"
#include "process/findings/findings_log.hpp"
#include "process/findings/same_defect.hpp"
#include "process/host_thread.hpp"
#include "process/reporter.hpp"
#include "process/settings/waiting.hpp"
#include "report/catalogue/catalogue.hpp"
#include "runtime/exploring/schedules.hpp"
#include "runtime/launching/launch_ended.hpp"
#include "runtime/observing/timeout_report.hpp"
#include "runtime/observing/tracing.hpp"
#include "streams/launched_work.hpp"

namespace warpfiber::runtime {
namespace {

engine::GridOutcome run_to_end(const streams::PreparedLaunch& launch) {
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

LaunchResult execute(streams::PreparedLaunch& launch) {
  engine::GridRequest& request = launch.request;
  request.record_decisions = launch.recording != nullptr || keeps_schedules();
  process::count_launch();
  std::optional<ReportingLaunch> reporting;
  if (process::wait_settings().standing) reporting.emplace();
  const engine::GridOutcome outcome = run_to_end(launch);
  std::vector<record::Finding> findings = outcome.findings;
  notify_subscribers({launch, outcome, findings});
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
  const streams::PreparedLaunch* const running = process::HostThreadState::of_caller().launch;
  if (running == nullptr || !streams::ends_in_kernel()) return;
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

}  // namespace warpfiber::runtime
