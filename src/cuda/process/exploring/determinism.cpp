// SPDX-License-Identifier: Apache-2.0
//
// Runs the program twice, records the decisions of launches and the bytes of copies, and compares them in the order
// of the program. The first difference is the cause of those that follow.
#include "process/exploring/determinism.hpp"

#include <warpfiber/determinism.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <string_view>
#include <utility>

#include "base/locks/annotated_mutex.hpp"
#include "process/host_thread.hpp"
#include "report/reasons/reasons.hpp"

namespace warpfiber {
namespace process {
namespace {

using record::ReasonKind;

record::Reason ended(const LaunchRecord& launch) {
  if (launch.finding.empty()) return ReasonKind::without_finding;
  return {ReasonKind::with_finding, launch.finding};
}

record::Reason difference_between(const LaunchRecord& first, const LaunchRecord& second) {
  if (first.kernel != second.kernel) return {ReasonKind::kernels_of_runs_differ, second.kernel, first.kernel};
  if (const auto step = schedule::first_difference(first.decisions, second.decisions)) {
    if (first.ended_by_time == 0 && second.ended_by_time == 0) return step->reason;
    return {ReasonKind::turns_ended_by_time, step->reason};
  }
  if (first.finding != second.finding) return {ReasonKind::endings_differ, ended(second), ended(first)};
  if (first.barriers != second.barriers) {
    return {ReasonKind::numbers_of_barriers_differ, record::Quantity{second.barriers, "barrier"},
            record::Thousands{first.barriers}};
  }
  return {};
}

std::string hexadecimal(char byte) {
  return fmt::format("{:02x}", static_cast<unsigned char>(byte));
}

record::Reason difference_between(const CopyRecord& first, const CopyRecord& second) {
  if (first.size != second.size) {
    return {ReasonKind::copy_sizes_of_runs_differ, record::Quantity{second.size, "byte"},
            record::Thousands{first.size}};
  }
  const auto [a, b] = std::ranges::mismatch(first.first, second.first);
  if (a != first.first.end()) {
    return {ReasonKind::bytes_differ, record::Thousands{static_cast<std::uint64_t>(a - first.first.begin())},
            hexadecimal(*b), hexadecimal(*a)};
  }
  if (first.hash != second.hash) return {ReasonKind::later_bytes_differ, record::Thousands{first.first.size()}};
  return {};
}

}  // namespace

std::size_t RunRecord::number_copy() {
  const base::Lock lock(mutex);
  copies.emplace_back().launches = launches.size();
  return copies.size() - 1;
}

void RunRecord::keep_copy(std::size_t number, const CopyPlace& place, const Box& box) {
  constexpr std::size_t kKept = std::size_t{64} << 10;
  const base::Lock lock(mutex);
  CopyRecord& copy = copies[number];
  copy.size = box.bytes();
  box.for_each_row([&](std::size_t y, std::size_t z) {
    const std::string_view row(place.row(y, z), box.width);
    copy.hash = copy.hash * 31 + std::hash<std::string_view>{}(row);
    copy.first.append(row.substr(0, kKept - std::min(kKept, copy.first.size())));
  });
}

RunRecord* recording_in_progress() {
  const std::shared_ptr<RunRecord>* const record = HostThreadState::of_caller().recording;
  return record == nullptr ? nullptr : record->get();
}

std::shared_ptr<RunRecord> copies_in_progress() {
  const std::shared_ptr<RunRecord>* const record = HostThreadState::of_caller().recording;
  return record == nullptr ? nullptr : *record;
}

record::Reason difference_between(RunRecord& first, RunRecord& second) {
  // Both are one check's, whose thread is the only one that takes two.
  const base::Lock of_first(first.mutex);
  const base::Lock of_second(second.mutex);
  // In the order of the program, so that what is reported is the cause of what follows.
  std::size_t copy = 0;
  const auto copies_until = [&](std::size_t launch) WARPFIBER_REQUIRES(first.mutex, second.mutex) -> record::Reason {
    for (; copy < std::min(first.copies.size(), second.copies.size()); ++copy) {
      if (first.copies[copy].launches > launch) return {};
      const record::Reason difference = difference_between(first.copies[copy], second.copies[copy]);
      if (!difference.empty()) return {ReasonKind::run_copy_differs, record::Thousands{copy + 1}, difference};
    }
    return {};
  };
  const std::size_t common = std::min(first.launches.size(), second.launches.size());
  for (std::size_t i = 0; i < common; ++i) {
    if (record::Reason difference = copies_until(i); !difference.empty()) return difference;
    const record::Reason difference = difference_between(first.launches[i], second.launches[i]);
    if (!difference.empty())
      return {ReasonKind::run_launch_differs, record::Thousands{i + 1}, first.launches[i].kernel, difference};
  }
  if (record::Reason difference = copies_until(common); !difference.empty()) return difference;
  const auto numbers_differ = [](ReasonKind kind, std::size_t one, std::size_t other) {
    return record::Reason(kind, record::Thousands{one}, record::Thousands{other});
  };
  if (first.launches.size() != second.launches.size())
    return numbers_differ(ReasonKind::numbers_of_launches_differ, first.launches.size(), second.launches.size());
  if (first.copies.size() != second.copies.size())
    return numbers_differ(ReasonKind::numbers_of_copies_differ, first.copies.size(), second.copies.size());
  return {};
}

namespace {

std::shared_ptr<RunRecord> record_of(void (*run)(void*), void* program) {
  struct InProgress {
    std::shared_ptr<RunRecord> own = std::make_shared<RunRecord>();
    const std::shared_ptr<RunRecord>* outer = std::exchange(HostThreadState::of_caller().recording, &own);
    ~InProgress() { HostThreadState::of_caller().recording = outer; }
  } const recording;
  run(program);
  return recording.own;
}

std::uint64_t decisions_of(const RunRecord& run) {
  std::uint64_t sum = 0;
  for (const LaunchRecord& launch : run.launches) sum += launch.decisions.size();
  return sum;
}

}  // namespace
}  // namespace process

namespace detail {

DeterminismCheck check_determinism(void (*run)(void*), void* program) {
  const std::shared_ptr<process::RunRecord> first = process::record_of(run, program);
  const std::shared_ptr<process::RunRecord> second = process::record_of(run, program);
  const record::Reason difference = process::difference_between(*first, *second);
  return DeterminismCheck{difference.empty(), process::decisions_of(*first), report::reason_text(difference)};
}

}  // namespace detail
}  // namespace warpfiber
