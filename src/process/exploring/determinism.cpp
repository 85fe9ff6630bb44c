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

#include "base/text.hpp"

namespace warpfiber {
namespace runtime {
namespace {

thread_local std::shared_ptr<RunRecord> in_progress;

std::string counts_differ(std::string_view what, std::size_t first, std::size_t second) {
  return fmt::format("{}: {} in the first run, {} in the second", what, base::thousands(first),
                     base::thousands(second));
}

std::string ended(const LaunchRecord& launch) {
  return launch.finding.empty() ? "without a finding" : "with " + launch.finding;
}

std::optional<std::string> difference_between(const LaunchRecord& first, const LaunchRecord& second) {
  if (first.kernel != second.kernel)
    return fmt::format("it is of {} and not of {} as in the first run", second.kernel, first.kernel);
  if (const auto step = schedule::first_difference(first.decisions, second.decisions)) {
    if (first.ended_by_time == 0 && second.ended_by_time == 0) return step->text;
    return step->text + "; turns of threads that ran for a second without an atomic or a barrier ended by time";
  }
  if (first.finding != second.finding)
    return fmt::format("it ended {}, and {} in the first run", ended(second), ended(first));
  if (first.barriers != second.barriers)
    return fmt::format("{} ended, {} in the first run", base::counted(second.barriers, "barrier"),
                       base::thousands(first.barriers));
  return std::nullopt;
}

std::optional<std::string> difference_between(const CopyRecord& first, const CopyRecord& second) {
  if (first.size != second.size)
    return fmt::format("it has {}, and {} in the first run", base::counted(second.size, "byte"),
                       base::thousands(first.size));
  const auto [a, b] = std::ranges::mismatch(first.first, second.first);
  if (a != first.first.end())
    return fmt::format("byte {} is 0x{:02x}, and 0x{:02x} in the first run",
                       base::thousands(static_cast<std::uint64_t>(a - first.first.begin())),
                       static_cast<unsigned char>(*b), static_cast<unsigned char>(*a));
  if (first.hash != second.hash)
    return fmt::format("bytes after the first {} differ from those of the first run",
                       base::thousands(first.first.size()));
  return std::nullopt;
}

std::string text_of(std::string_view what, std::size_t index, std::string_view kernel, const std::string& difference) {
  return fmt::format("{} {}{}: {}", what, base::thousands(index + 1),
                     kernel.empty() ? "" : fmt::format(" ({})", kernel), difference);
}

}  // namespace

std::size_t RunRecord::number_copy() {
  const std::lock_guard lock(mutex);
  copies.emplace_back().launches = launches.size();
  return copies.size() - 1;
}

void RunRecord::keep_copy(std::size_t number, const CopyPlace& place, const Box& box) {
  constexpr std::size_t kKept = std::size_t{64} << 10;
  const std::lock_guard lock(mutex);
  CopyRecord& copy = copies[number];
  copy.size = box.bytes();
  box.for_each_row([&](std::size_t y, std::size_t z) {
    const std::string_view row(place.row(y, z), box.width);
    copy.hash = copy.hash * 31 + std::hash<std::string_view>{}(row);
    copy.first.append(row.substr(0, kKept - std::min(kKept, copy.first.size())));
  });
}

RunRecord* recording_in_progress() {
  return in_progress.get();
}

std::shared_ptr<RunRecord> copies_in_progress() {
  return in_progress;
}

std::optional<std::string> difference_between(RunRecord& first, RunRecord& second) {
  const std::scoped_lock lock(first.mutex, second.mutex);
  // In the order of the program, so that what is told is the cause of what follows.
  std::size_t copy = 0;
  const auto copies_until = [&](std::size_t launch) -> std::optional<std::string> {
    for (; copy < std::min(first.copies.size(), second.copies.size()); ++copy) {
      if (first.copies[copy].launches > launch) return std::nullopt;
      if (const auto difference = difference_between(first.copies[copy], second.copies[copy]))
        return text_of("copy to the host", copy, "", *difference);
    }
    return std::nullopt;
  };
  const std::size_t common = std::min(first.launches.size(), second.launches.size());
  for (std::size_t i = 0; i < common; ++i) {
    if (auto difference = copies_until(i)) return difference;
    if (const auto difference = difference_between(first.launches[i], second.launches[i]))
      return text_of("launch", i, first.launches[i].kernel, *difference);
  }
  if (auto difference = copies_until(common)) return difference;
  if (first.launches.size() != second.launches.size())
    return counts_differ("launches", first.launches.size(), second.launches.size());
  if (first.copies.size() != second.copies.size())
    return counts_differ("copies to the host", first.copies.size(), second.copies.size());
  return std::nullopt;
}

namespace {

std::shared_ptr<RunRecord> record_of(void (*run)(void*), void* program) {
  struct InProgress {
    std::shared_ptr<RunRecord> outer = std::exchange(in_progress, std::make_shared<RunRecord>());
    ~InProgress() { in_progress = std::move(outer); }
  } const recording;
  run(program);
  return in_progress;
}

std::uint64_t decisions_of(const RunRecord& run) {
  std::uint64_t sum = 0;
  for (const LaunchRecord& launch : run.launches) sum += launch.decisions.size();
  return sum;
}

}  // namespace
}  // namespace runtime

namespace detail {

DeterminismCheck check_determinism(void (*run)(void*), void* program) {
  const std::shared_ptr<runtime::RunRecord> first = runtime::record_of(run, program);
  const std::shared_ptr<runtime::RunRecord> second = runtime::record_of(run, program);
  const auto difference = runtime::difference_between(*first, *second);
  return DeterminismCheck{!difference.has_value(), runtime::decisions_of(*first), difference.value_or("")};
}

}  // namespace detail
}  // namespace warpfiber
