// SPDX-License-Identifier: Apache-2.0
//
// Prints each report as a whole, under a mutex, and completes findings with the kernel's name and the command that
// repeats the run. A table gives the error that a launch with a finding returns.
#include "process/reporter.hpp"

#include <errno.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iterator>
#include <map>
#include <mutex>
#include <string_view>
#include <vector>

#include "base/environment.hpp"
#include "base/index.hpp"
#include "base/locks/annotated_mutex.hpp"
#include "device/launch_check.hpp"
#include "engine/request/grid_request.hpp"
#include "process/kernels.hpp"
#include "process/process_state.hpp"
#include "process/settings/reporting.hpp"
#include "report/reasons/reasons.hpp"

namespace warpfiber::process {
namespace {

using record::ReasonKind;

struct FindingError {
  record::Verdict verdict;
  Error error;
};

// What a device says about a kernel that went wrong this way; a hang is what its watchdog says.
constexpr FindingError kFindingErrors[] = {
    {record::Verdict::assert, Error::assert},
    {record::Verdict::deadlock, Error::launch_timeout},
    {record::Verdict::livelock, Error::launch_timeout},
    {record::Verdict::time_limit, Error::launch_timeout},
    {record::Verdict::misaligned, Error::misaligned_address},
    {record::Verdict::oob_dsmem, Error::illegal_address},
    {record::Verdict::oob_global, Error::illegal_address},
    {record::Verdict::oob_shared, Error::illegal_address},
    {record::Verdict::stack_overflow, Error::hardware_stack_error},
    {record::Verdict::use_after_free, Error::illegal_address},
};

/// How this process was started.
std::string command_line() {
  std::ifstream file("/proc/self/cmdline", std::ios::binary);
  std::string all((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  if (all.empty()) all = program_invocation_name;  // without /proc its arguments are not known
  std::string line;
  for (std::size_t at = 0; at < all.size();) {
    const std::string word = all.c_str() + at;
    at += word.size() + 1;
    line += (line.empty() ? "" : " ") + base::shell_quoted(word);
  }
  return line;
}

std::string repeat_command(const engine::GridRequest& request) {
  if (!report_settings().again.empty()) return report_settings().again;
  char seed[32];
  std::snprintf(seed, sizeof seed, "0x%llx", static_cast<unsigned long long>(request.policy.seed));
  std::string command = base::run_variables(false) + "WARPFIBER_SEED=" + seed;
  if (request.policy.kind != schedule::PolicyKind::in_order) {
    command += " WARPFIBER_POLICY=" + schedule::policy_text(request.policy);
  }
  if (request.workers > 1) command += " WARPFIBER_WORKERS=1";
  return command + " " + (report_settings().command.empty() ? command_line() : report_settings().command);
}

std::string bracketed(const std::vector<record::Run>& runs) {
  const base::Triple at = runs.empty() ? base::Triple{0, 0, 0} : runs.front().first;
  return "[" + std::to_string(at.x) + "," + std::to_string(at.y) + "," + std::to_string(at.z) + "]";
}

}  // namespace

struct PrintedRefusals {
  base::Mutex mutex;
  std::map<std::string, unsigned> times WARPFIBER_GUARDED_BY(mutex);  // by line
};

namespace {

constexpr unsigned kMostReports = 10;        // of a refusal
constexpr std::size_t kMostRefusals = 1000;  // different ones

}  // namespace

void complete_finding(record::Finding& finding, const DeviceModel& model, const KernelAttributes& attributes,
                      const engine::GridRequest& request, const void* kernel) {
  finding.launch.kernel = kernel_name(kernel);
  finding.again = repeat_command(request);
  const auto threads = static_cast<unsigned>(base::volume(request.block));
  for (record::Party& party : finding.parties) {
    if (party.role != record::Role::not_started || !party.detail.empty()) continue;
    party.detail = report::reason_text(device::limit_of(model, attributes, threads, request.dynamic_shared));
  }
}

Error error_of(const record::Finding& finding) {
  // Either the kernel asks for what no device has, or the host has no memory to run it.
  if (finding.verdict == record::Verdict::launch_error)
    return finding.parties.empty() ? Error::memory_allocation : Error::invalid_value;
  const auto found = std::find_if(std::begin(kFindingErrors), std::end(kFindingErrors),
                                  [&](const FindingError& outcome) { return outcome.verdict == finding.verdict; });
  return found == std::end(kFindingErrors) ? Error::launch_failure : found->error;
}

std::string device_assertion(const record::Party& party) {
  return party.place.file + ":" + std::to_string(party.place.line) + ": " + party.place.function +
         ": block: " + bracketed(party.who.blocks) + ", thread: " + bracketed(party.who.threads) + " Assertion `" +
         party.what + "` failed.\n";
}

void print_report(const std::string& text) {
  if (report_settings().quiet) return;
  const base::Lock lock(ProcessState::of_process().standard_error);
  std::fflush(stdout);
  std::fwrite(text.data(), 1, text.size(), stderr);
  std::fflush(stderr);
}

void print_line(const record::Reason& reason) {
  print_report(report::reason_text(reason) + "\n");
}

void print_without_memory(record::ReasonKind kind) {
  std::fprintf(stderr, "%s\n", report::fixed_text(kind));
}

void report_refusal(Error error, const record::Reason& reason, const std::string& kernel) {
  PrintedRefusals& printed = ProcessState::of_process().printed_refusals.get();
  const std::string line = report::reason_text({ReasonKind::launch_refused, kernel, reason, error_name(error)});
  // A thread of a kernel may be interrupted here, and another one of its OS thread come.
  if (!printed.mutex.try_lock()) return;
  const base::Lock lock(printed.mutex, std::adopt_lock);
  auto& reported = printed.times;
  const auto seen = reported.find(line);
  if (seen == reported.end() && reported.size() == kMostRefusals) return;
  unsigned& times = seen == reported.end() ? reported[line] : seen->second;
  // A loop, or every thread of a kernel, may ask for the same.
  if (++times < kMostReports) print_report(line + "\n");
  if (times == kMostReports) print_line({ReasonKind::repeats_not_printed, line});
}

}  // namespace warpfiber::process
