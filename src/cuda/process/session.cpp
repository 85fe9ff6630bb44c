// SPDX-License-Identifier: Apache-2.0
//
// What the environment says, read once by a table of variables, each with the function that reads it; this is the only
// place that reads it, and docs/options.md describes every variable. A value that cannot be read is ignored with a
// message that says what was expected. Each file includes only the settings that it uses.
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string_view>
#include <utility>

#include "base/environment.hpp"
#include "base/system/processors.hpp"
#include "base/text.hpp"
#include "device/file.hpp"
#include "process/process_state.hpp"
#include "process/settings/checking.hpp"
#include "process/settings/devices.hpp"
#include "process/settings/exploring.hpp"
#include "process/settings/launching.hpp"
#include "process/settings/libraries.hpp"
#include "process/settings/observing.hpp"
#include "process/settings/reporting.hpp"
#include "process/settings/waiting.hpp"
#include "record/reason.hpp"
#include "report/reasons/reasons.hpp"

namespace warpfiber::process {

/// What holds for every launch of the process unless the launch says otherwise.
struct Session {
  ModelSettings devices;
  LaunchSettings launching;
  WaitSettings waiting;
  CheckSettings checking;
  ReportSettings reporting;
  ObserveSettings observing;
  ExploreSettings exploring;
  LibrarySettings libraries;
};

namespace {

using record::ReasonKind;

using VariableReader = bool (*)(Session&, const char* text, record::Reason& complaint);

bool read_number(const char* text, std::uint64_t low, std::uint64_t high, std::uint64_t& to,
                 record::Reason& complaint) {
  const auto number = base::parse_number(text);
  if (number.has_value() && *number >= low && *number <= high) {
    to = *number;
    return true;
  }
  complaint = {ReasonKind::number_in_range, low, high};
  return false;
}

bool read_device(Session& session, const char* text, record::Reason& complaint) {
  const device::DeviceFile read = device::find_or_read(text);
  if (read.error == Error::success) {
    session.devices.model = read.model;
    return true;
  }
  complaint = read.reason;
  return false;
}

bool read_devices(Session& session, const char* text, record::Reason& complaint) {
  std::uint64_t number = 0;
  if (!read_number(text, 1, 64, number, complaint)) return false;
  session.devices.count = static_cast<unsigned>(number);
  session.devices.visible = all_devices(session.devices.count);
  return true;
}

// As with CUDA, any text is a list, which ends at the first entry that is no device.
bool read_visible_devices(Session& session, const char* text, record::Reason&) {
  session.devices.visible = visible_devices(text, session.devices.count);
  session.devices.visible_text = text;
  return true;
}

bool read_workers(Session& session, const char* text, record::Reason& complaint) {
  std::uint64_t number = 0;
  if (!read_number(text, 1, 1024, number, complaint)) return false;
  session.launching.workers = static_cast<unsigned>(number);
  session.launching.workers_asked = true;
  return true;
}

bool read_stack(Session& session, const char* text, record::Reason& complaint) {
  std::uint64_t number = 0;
  if (!read_number(text, 8192, std::uint64_t{1} << 30, number, complaint)) return false;
  session.launching.stack_bytes = number;
  return true;
}

bool read_most(std::uint64_t& to, const char* text, record::Reason& complaint) {
  return read_number(text, 1, std::uint64_t{1} << 40, to, complaint);
}

bool read_most_blocks(Session& session, const char* text, record::Reason& complaint) {
  return read_most(session.launching.most_blocks, text, complaint);
}

bool read_most_threads(Session& session, const char* text, record::Reason& complaint) {
  return read_most(session.launching.most_threads, text, complaint);
}

bool read_watchdog(Session& session, const char* text, record::Reason& complaint) {
  std::uint64_t number = 0;
  if (!read_number(text, 0, 1000000, number, complaint)) return false;
  session.waiting.watchdog_seconds = static_cast<unsigned>(number);
  return true;
}

bool read_policy(Session& session, const char* text, record::Reason& complaint) {
  auto parsed = schedule::parse_policy(text);
  if (!parsed.ok()) {
    complaint = parsed.error();
    return false;
  }
  const std::uint64_t seed = session.launching.policy.seed;
  session.launching.policy = parsed.value();
  session.launching.policy.seed = seed;
  session.launching.schedule_asked = true;
  return true;
}

bool read_seed(Session& session, const char* text, record::Reason& complaint) {
  const auto parsed = schedule::parse_seed(text);
  if (!parsed.ok()) {
    complaint = parsed.error();
    return false;
  }
  session.launching.policy.seed = parsed.value();
  session.launching.schedule_asked = true;
  return true;
}

bool read_convergence(Session& session, const char* text, record::Reason& complaint) {
  if (parse_convergence(text, session.launching.convergence)) return true;
  complaint = ReasonKind::convergence_words;
  return false;
}

bool read_async(Session& session, const char* text, record::Reason& complaint) {
  session.waiting.late = std::strcmp(text, "late") == 0;
  if (session.waiting.late || std::strcmp(text, "soon") == 0) return true;
  complaint = ReasonKind::async_words;
  return false;
}

bool read_regions(Session& session, const char* text, record::Reason& complaint) {
  const std::string_view value = text;
  session.launching.regions = value != "off";
  if (!session.launching.regions || value == "on") return true;
  if (value == "v2" || value == "v3" || value == "v4") {
    session.launching.regions_level = static_cast<unsigned>(value[1] - '0');
    return true;
  }
  complaint = ReasonKind::regions_words;
  return false;
}

bool read_quiet(Session& session, const char* text, record::Reason&) {
  session.reporting.quiet = std::strcmp(text, "0") != 0;
  return true;
}

bool read_colour(Session& session, const char* text, record::Reason&) {
  session.reporting.colour = std::strcmp(text, "0") != 0;
  return true;
}

bool read_standing(Session& session, const char* text, record::Reason&) {
  session.waiting.standing = std::strcmp(text, "0") != 0;
  return true;
}

bool read_verbose(Session& session, const char* text, record::Reason&) {
  session.reporting.verbose = std::strcmp(text, "0") != 0;
  return true;
}

bool read_leak_check(Session& session, const char* text, record::Reason&) {
  session.checking.leak_check = std::strcmp(text, "0") != 0;
  return true;
}

bool read_stop_at_first(Session& session, const char* text, record::Reason&) {
  session.checking.stop_at_first = std::strcmp(text, "0") != 0;
  return true;
}

bool read_check(Session& session, const char* text, record::Reason& complaint) {
  const std::string_view word = text;
  session.checking.check_is_asked = true;
  session.checking.check = word == "0" ? Check::off : word == "strict" ? Check::strict : Check::on;
  if (word == "0" || word == "1" || word == "strict") return true;
  complaint = ReasonKind::check_words;
  return false;
}

bool read_blas(Session& session, const char* text, record::Reason& complaint) {
  const std::string_view word = text;
  complaint = ReasonKind::blas_words;
  session.libraries.blas = word == "off" ? BlasUse::off : word == "always" ? BlasUse::always : BlasUse::large;
  return word == "off" || word == "large" || word == "always";
}

bool read_findings(Session& session, const char* text, record::Reason&) {
  session.reporting.findings = text;
  return true;
}

bool read_profile(Session& session, const char* text, record::Reason&) {
  session.observing.profile = text;
  return true;
}

bool read_trace(Session& session, const char* text, record::Reason& complaint) {
  const std::string_view file = text;
  if (!file.ends_with(".json") && !file.ends_with(".pftrace")) {
    complaint = ReasonKind::trace_suffixes;
    return false;
  }
  session.observing.trace = file;
  return true;
}

bool read_report(Session& session, const char* text, record::Reason&) {
  session.observing.report = text;
  return true;
}

bool read_step(Session& session, const char* text, record::Reason& complaint) {
  std::uint64_t number = 0;
  if (!read_number(text, 0, ~std::uint64_t{0}, number, complaint)) return false;
  session.observing.step = number;
  return true;
}

bool read_watch(Session& session, const char* text, record::Reason& complaint) {
  auto read = trace::parse_watches(text);
  complaint = read.error();
  if (!read.ok()) return false;
  complaint = ReasonKind::watch_without_report;
  session.observing.watch = std::move(read.value());
  return session.observing.watch.empty() || !session.observing.report.empty();
}

bool read_results(Session& session, const char* text, record::Reason&) {
  session.exploring.results = text;
  return true;
}

bool read_schedule(Session& session, const char* text, record::Reason&) {
  session.exploring.schedule = text;
  return true;
}

bool read_exit_code(Session& session, const char* text, record::Reason& complaint) {
  constexpr std::uint64_t kMost = 255;
  std::uint64_t number = 0;
  if (!read_number(text, 0, kMost, number, complaint)) return false;
  session.reporting.exit_code = static_cast<int>(number);
  return true;
}

bool read_command(Session& session, const char* text, record::Reason&) {
  session.reporting.command = text;
  return true;
}

bool read_again(Session& session, const char* text, record::Reason&) {
  session.reporting.again = text;
  return true;
}

bool read_suppressions(Session& session, const char* text, record::Reason& complaint) {
  auto read = report::read_suppressions(text);
  complaint = record::stated(read.error());
  if (read.ok()) session.reporting.suppressions = std::move(read.value());
  return read.ok();
}

bool read_copies(Session& session, const char* text, record::Reason&) {
  session.exploring.copies = text;
  return true;
}

bool read_copy_writer(Session& session, const char* text, record::Reason& complaint) {
  constexpr std::string_view kManaged = "managed:";
  std::string_view both = text;
  const bool managed = both.starts_with(kManaged);
  if (managed) both.remove_prefix(kManaged.size());
  const std::size_t colon = std::min(both.find(':'), both.size());
  const auto copy = base::parse_number(both.substr(0, colon));
  const auto byte = base::parse_number(both.substr(std::min(colon + 1, both.size())));
  complaint = ReasonKind::copy_writer_form;
  if (copy.has_value() && byte.has_value()) session.exploring.copy_writer = {managed, *copy, *byte};
  return copy.has_value() && byte.has_value();
}

struct SessionVariable {
  const char* name;
  VariableReader read;
};

constexpr SessionVariable kVariables[] = {
    {"WARPFIBER_DEVICE", read_device},
    {"WARPFIBER_DEVICES", read_devices},
    {"CUDA_VISIBLE_DEVICES", read_visible_devices},  // of those
    {"WARPFIBER_WORKERS", read_workers},
    {"WARPFIBER_STACK", read_stack},
    {"WARPFIBER_WATCHDOG", read_watchdog},
    {"WARPFIBER_SEED", read_seed},
    {"WARPFIBER_POLICY", read_policy},
    {"WARPFIBER_ASYNC", read_async},
    {"WARPFIBER_CONVERGENCE", read_convergence},
    {"WARPFIBER_MOST_BLOCKS", read_most_blocks},
    {"WARPFIBER_MOST_THREADS", read_most_threads},
    {"WARPFIBER_REGIONS", read_regions},
    {"WARPFIBER_QUIET", read_quiet},
    {"WARPFIBER_COLOUR", read_colour},
    {"WARPFIBER_STANDING", read_standing},
    {"WARPFIBER_VERBOSE", read_verbose},
    {"WARPFIBER_BLAS", read_blas},
    {"WARPFIBER_CHECK", read_check},
    {"WARPFIBER_LEAK_CHECK", read_leak_check},
    {"WARPFIBER_STOP_AT_FIRST", read_stop_at_first},
    {"WARPFIBER_FINDINGS", read_findings},
    {"WARPFIBER_PROFILE", read_profile},
    {"WARPFIBER_TRACE", read_trace},
    {"WARPFIBER_REPORT", read_report},
    {"WARPFIBER_STEP", read_step},
    {"WARPFIBER_WATCH", read_watch},
    {"WARPFIBER_RESULTS", read_results},
    {"WARPFIBER_SCHEDULE", read_schedule},
    {"WARPFIBER_COPIES", read_copies},
    {"WARPFIBER_COPY_WRITER", read_copy_writer},
    {"WARPFIBER_AGAIN", read_again},
    {"WARPFIBER_COMMAND", read_command},
    {"WARPFIBER_EXITCODE", read_exit_code},
    {"WARPFIBER_SUPPRESSIONS", read_suppressions},
};

Session read_environment() {
  Session session;
  session.devices.model = default_device();
  session.launching.workers = base::usable_processors();
  session.reporting.colour = base::wants_colour(STDERR_FILENO);
  for (const SessionVariable& variable : kVariables) {
    const char* text = std::getenv(variable.name);
    record::Reason complaint;
    if (text == nullptr || variable.read(session, text, complaint)) continue;
    const std::string line = report::reason_text({ReasonKind::variable_ignored, variable.name, text, complaint});
    std::fprintf(stderr, "%s\n", line.c_str());
  }
  return session;
}

const Session& session() {
  return ProcessState::of_process().session.get([] { return std::make_unique<Session>(read_environment()); });
}

}  // namespace

bool parse_convergence(const char* word, engine::Convergence& to) {
  if (std::strcmp(word, "full") == 0) {
    to = engine::Convergence::full;
  } else if (std::strcmp(word, "random") == 0) {
    to = engine::Convergence::random;
  } else if (std::strcmp(word, "random-masks") == 0) {
    to = engine::Convergence::random_masks;
  } else if (std::strcmp(word, "none") == 0) {
    to = engine::Convergence::none;
  } else {
    return false;
  }
  return true;
}

std::string file_of_process(std::string pattern, pid_t process) {
  const std::size_t at = pattern.find("%p");
  if (at != std::string::npos) pattern.replace(at, 2, std::to_string(process));
  return pattern;
}

const ModelSettings& model_settings() {
  return session().devices;
}

const LaunchSettings& launch_settings() {
  return session().launching;
}

const WaitSettings& wait_settings() {
  return session().waiting;
}

const CheckSettings& check_settings() {
  return session().checking;
}

const ReportSettings& report_settings() {
  return session().reporting;
}

const ObserveSettings& observe_settings() {
  return session().observing;
}

const ExploreSettings& explore_settings() {
  return session().exploring;
}

const LibrarySettings& library_settings() {
  return session().libraries;
}

}  // namespace warpfiber::process
