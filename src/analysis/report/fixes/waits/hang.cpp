// SPDX-License-Identifier: Apache-2.0
//
// The lines where threads wait, and the functions that these lines are in.
#include "report/fixes/fix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "record/diagnosis.hpp"
#include "report/fixes/finding_lines.hpp"
#include "report/fixes/source/barrier_calls.hpp"
#include "report/fixes/source/source_words.hpp"
#include "report/fixes/source/statements.hpp"

namespace warpfiber::report {
namespace {

using record::Finding;
using record::Party;
using record::Place;
using record::Role;

const Statement& function_around(const Statement& all, unsigned line) {
  const std::vector<const Statement*> around = statements_around(all, line, line);
  return *around[around.size() > 1 ? 1 : 0];
}

/// The last statement of the pass, or block, behind the call that waits for the stage.
unsigned last_use(const Statement& function, unsigned wait) {
  const std::vector<const Statement*> around = statements_around(function, wait, wait);
  for (auto block = around.rbegin(); block != around.rend(); ++block) {
    if ((*block)->control == Statement::Control::block && !(*block)->parts.empty()) return (*block)->parts.back().last;
  }
  return 0;
}

class StuckExplanation {
 public:
  StuckExplanation(Finding& finding, SourceText& sources)
      : finding_(finding), sources_(sources), lines_(finding, sources) {}

  void write() {
    const auto* const mistake = std::get_if<record::Mistake>(finding_.diagnosis.get());
    if (mistake != nullptr && *mistake == record::Mistake::locks_in_circle) return explain_one_lock();
    const auto* const phase = std::get_if<record::PhaseIncomplete>(finding_.diagnosis.get());
    if (phase == nullptr || phase->number >= 0) return;
    for (const Party& party : finding_.parties) {
      if (party.role != Role::wait || !party.place.known()) continue;
      if (explain_pipeline(party, *phase) || explain_drop(party)) return;
    }
    for (const Party& party : finding_.parties) {
      if (party.role != Role::wait || phase->arrived != 0 || !phase->threads_returned) continue;
      if (explain_surplus(party, *phase)) return;
    }
  }

 private:
  /// Who holds the lock waits at a barrier for those that wait for the lock.
  void explain_one_lock() {
    const Party* spinning = nullptr;
    const Party* waiting = nullptr;
    for (const record::CycleStep& step : finding_.cycle) {
      const Party& party = finding_.parties[step.party];
      const Party*& of_role = party.role == Role::spin ? spinning : waiting;
      if ((party.role != Role::spin && party.role != Role::wait) || of_role != nullptr) return;
      of_role = &party;
    }
    if (spinning == nullptr || waiting == nullptr || !spinning->object.has_value()) return;
    if (waiting->object.has_value() || !waiting->place.known()) return;
    const std::string barrier = lines_.at(waiting->place);
    const std::string lock = spinning->object->name.empty() ? "the lock" : spinning->object->name;
    const std::string what = barrier_at(*waiting);
    finding_.why = fmt::format("A thread holds {} while it waits for others at {} at {}, and these wait for {}.", lock,
                               what, barrier, lock);
    finding_.fix = fmt::format(
        "release {} before {} at {}, in the branch of the thread that has taken it, so that it waits for no other "
        "thread while it holds the lock",
        lock, what, barrier);
  }

  std::string barrier_at(const Party& party) const {
    const std::string text = lines_.text_of(party.place);
    for (const std::string_view name : {"__syncwarp", "__syncthreads", "cluster.sync", "grid.sync", ".sync"}) {
      if (text.find(name) != std::string::npos) return fmt::format("{}()", name.front() == '.' ? "sync" : name);
    }
    return party.what.empty() ? "the barrier" : party.what;
  }

  bool explain_pipeline(const Party& party, const record::PhaseIncomplete& phase) {
    const std::string text = lines_.text_of(party.place);
    if (text.find("producer_acquire") == std::string::npos) return false;
    const std::string release = missing_release(party.place, sources_);
    if (!release.empty()) {
      finding_.why =
          "producer_acquire() waits until the consumers have released the stage that it is to fill, and no thread "
          "calls consumer_release().";
      finding_.fix = release;
      return true;
    }
    finding_.why =
        fmt::format("producer_acquire() waits until all consumers have released the stage that it is to fill, and {}.",
                    phase.arrived == 0 ? "none has" : "not all have");
    const Statement all = statements_of(sources_, party.place.file);
    const unsigned line = line_of_call(function_around(all, party.place.line), "consumer_release");
    finding_.fix = fmt::format("let each consumer call consumer_release(){} once for each stage, in each iteration",
                               line == 0 ? "" : " at " + lines_.at({.file = party.place.file, .line = line}));
    return true;
  }

  /// Threads that have dropped out have arrived in place of others.
  bool explain_drop(const Party& party) {
    const Statement all = statements_of(sources_, party.place.file);
    for (const BarrierCall& call : barrier_calls_in(function_around(all, party.place.line))) {
      if (call.line != party.place.line || !call.waits()) continue;
      const unsigned line = drop_before(all, call);
      if (line == 0) continue;
      const std::string dropped = lines_.at({.file = party.place.file, .line = line});
      finding_.why += fmt::format(
          " Threads that have called arrive_and_drop() at {} are not expected any more, but arrive again.", dropped);
      finding_.fix = fmt::format(
          "let threads that call {}.arrive_and_drop() at {} return, or skip all further calls on {}; threads that go "
          "on call arrive_and_wait() only",
          call.barrier, dropped, call.barrier);
      return true;
    }
    return false;
  }

  /// All arrivals that were made have ended phases, and more phases than these threads wait for.
  bool explain_surplus(const Party& party, const record::PhaseIncomplete& phase) {
    if (!party.object.has_value() || !party.object->last_write.has_value()) return false;
    const Place& arrival = party.object->last_write->place;
    if (lines_.text_of(arrival).find("arrive") == std::string::npos) return false;
    const std::string name = party.object->name.empty() ? "the barrier" : party.object->name;
    finding_.why = fmt::format(
        "A phase of {} ends with {}, so the arrivals at {} have ended phases that these threads did not wait for; the "
        "phase that they wait for began after the last arrival.",
        name, phase.expected == 1 ? "each arrival" : base_text(phase.expected), lines_.at(arrival));
    finding_.fix = fmt::format(
        "init() {} with the number of threads that arrive in one phase at {}, or let as many arrive there as it was "
        "made for",
        name, lines_.at(arrival));
    return true;
  }
  static std::string base_text(std::uint64_t count) { return fmt::format("{} arrivals", count); }

  Finding& finding_;
  SourceText& sources_;
  const FindingLines lines_;
};

}  // namespace

std::string missing_release(const Place& line, SourceText& sources) {
  if (!line.known()) return {};
  const Statement all = statements_of(sources, line.file);
  const Statement& function = function_around(all, line.line);
  const unsigned wait = line_of_call(function, "consumer_wait");
  if (wait == 0 || line_of_call(all, "consumer_release") != 0) return {};
  const unsigned last = last_use(function, wait);
  return fmt::format(
      "call consumer_release() behind the last use of the stage that consumer_wait() at line {} waits "
      "for{}",
      wait, last > wait ? fmt::format(", after line {}", last) : std::string());
}

void explain_hang(Finding& finding, SourceText& sources) {
  if (finding.verdict == record::Verdict::deadlock) StuckExplanation(finding, sources).write();
}

}  // namespace warpfiber::report
