// SPDX-License-Identifier: Apache-2.0
// The subscribers to the end of a launch, as a list.
#include "runtime/launching/launch_ended.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <string>

#include "device_memory/contents/unwritten_rows.hpp"
#include "process/exploring/determinism.hpp"
#include "process/findings/host_findings.hpp"
#include "process/kernels.hpp"
#include "report/catalogue/catalogue.hpp"
#include "runtime/checking/conflicts.hpp"
#include "runtime/checking/constant_copies.hpp"
#include "runtime/exploring/schedules.hpp"
#include "runtime/kernels/kernel_attributes.hpp"
#include "streams/launched_work.hpp"

namespace warpfiber::runtime {
namespace {

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
  if (ended.outcome.has_printed) streams::note_output(process::kernel_name(ended.launch.address), ended.launch.request);
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
  device_memory::launch_extents().add(process::kernel_name(ended.launch.address),
                                      std::size_t{request.grid.x} * request.block.x,
                                      std::size_t{request.grid.y} * request.block.y);
}

constexpr void (*kSubscribers[])(const LaunchEnded&) = {record_run,   keep_decisions, learn_attributes,
                                                        note_printed, find_conflicts, note_extent};

}  // namespace

void notify_subscribers(const LaunchEnded& ended) {
  for (const auto subscriber : kSubscribers) subscriber(ended);
}

}  // namespace warpfiber::runtime
