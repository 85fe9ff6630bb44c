// SPDX-License-Identifier: Apache-2.0
// The trace belongs to the process. A process without one pays one load and one test a launch.
#include "launches/observing/tracing.hpp"

#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "base/files.hpp"
#include "launches/kernels/kernel_attributes.hpp"
#include "launches/observing/observers.hpp"
#include "launches/state/launches_state.hpp"
#include "process/findings/findings_log.hpp"
#include "process/kernels.hpp"
#include "process/reporter.hpp"
#include "process/settings/observing.hpp"
#include "process/settings/reporting.hpp"
#include "report/source_text.hpp"
#include "symbols/symboliser.hpp"
#include "symbols/user_code.hpp"
#include "trace/page/page.hpp"
#include "trace/perfetto.hpp"
#include "trace/recorder.hpp"
#include "trace/trace.hpp"
#include "trace/trace_json.hpp"

namespace warpfiber::launches {
namespace {

record::Place place_before(const void* instruction) {
  if (instruction == nullptr) return {};
  const symbols::Frames frames =
      symbols::Symboliser::of_process().frames(reinterpret_cast<std::uintptr_t>(instruction) - 1);
  return symbols::user_place({frames.begin(), frames.size()});
}

trace::Watches watches_of_environment() {
  const process::ObserveSettings& settings = process::observe_settings();
  if (settings.report.empty()) return {};
  return {settings.watch, process::kernel_name, shared_tag_of};
}

/// Of each expression that no launch could read: why not the first.
void complain_about_watches(const trace::Trace& trace) {
  const base::Lock lock(trace.mutex());
  for (const trace::WatchExpression& expression : process::observe_settings().watch) {
    const std::string* why = nullptr;
    bool is_read = trace.launches().empty();
    for (const trace::LaunchTrace& launch : trace.launches()) {
      const auto watched = std::ranges::find(launch.watched, expression.text, &trace::WatchedExpression::text);
      if (watched == launch.watched.end()) continue;
      is_read = is_read || watched->error.empty();
      if (why == nullptr) why = &watched->error;
    }
    if (!is_read && why != nullptr) process::print_line({record::ReasonKind::watch_not_read, expression.text, *why});
  }
}

bool is_wanted() {
  return !process::observe_settings().trace.empty() || !process::observe_settings().report.empty();
}

}  // namespace

struct ProcessTrace {
  ProcessTrace() {
    if (is_wanted()) process::open_findings_log();  // whose end writes the trace
  }

  trace::Trace trace;
  trace::TraceFactory factory{trace, watches_of_environment()};
  const pid_t owner = ::getpid();
  std::once_flag observes_launches;
  std::atomic<bool> has_failed{false};
  std::atomic<bool> has_complained{false};  // about watched expressions
};

namespace {

ProcessTrace& process_trace() {
  return LaunchesState::of_process().trace.get();
}

}  // namespace

void begin_trace() {
  ProcessTrace& made = process_trace();
  if (is_wanted()) std::call_once(made.observes_launches, [&made] { add_launch_observer(made.factory); });
}

void write_trace() {
  ProcessTrace& made = process_trace();
  const std::string path = process::file_of_process(process::observe_settings().trace, made.owner);
  if (path.empty() || ::getpid() != made.owner) return;
  base::OutputFile file(path);
  std::unique_ptr<trace::TrackWriter> writer;
  if (path.ends_with(".json")) {
    writer = std::make_unique<trace::TraceJsonWriter>(file.stream());
  } else {
    writer = std::make_unique<trace::PerfettoWriter>(file.stream());
  }
  trace::write_tracks(made.trace, {process::full_kernel_name, place_before}, *writer);
  const std::string why = file.commit();
  if (!why.empty()) process::print_line({record::ReasonKind::file_not_written, "WARPFIBER_TRACE", path, why});
}

void write_report() {
  ProcessTrace& made = process_trace();
  const std::string path = process::file_of_process(process::observe_settings().report, made.owner);
  if (path.empty() || ::getpid() != made.owner) return;
  const trace::PageFacts facts{.command = process::report_settings().command.empty()
                                              ? process::report_settings().again
                                              : process::report_settings().command,
                               .findings = process::findings_document(),
                               .profile = profile_document(),
                               .short_kernel = process::kernel_name};
  base::OutputFile file(path);
  report::SourceFiles sources;
  trace::write_page(made.trace, {process::full_kernel_name, place_before}, facts, sources, file.stream());
  const std::string why = file.commit();
  if (!why.empty()) process::print_line({record::ReasonKind::file_not_written, "WARPFIBER_REPORT", path, why});
  if (!made.has_complained.exchange(true)) complain_about_watches(made.trace);
}

void write_after_failure() {
  if (!is_wanted() || process_trace().has_failed.exchange(true)) return;
  write_trace();
  write_report();
}

std::vector<record::StreamObserver*> stream_observers_of_environment() {
  if (!is_wanted()) return {};
  return {&process_trace().trace};
}

}  // namespace warpfiber::launches
