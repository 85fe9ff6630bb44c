// SPDX-License-Identifier: Apache-2.0
//
// A race on the variable that a loop or a branch depends on lets threads take different paths, and then some of them
// miss a barrier. The race is the defect.
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "report/fixes/finding_lines.hpp"
#include "report/fixes/fix.hpp"
#include "report/fixes/placement.hpp"
#include "report/fixes/race_parts.hpp"
#include "report/fixes/source/source_words.hpp"
#include "report/fixes/source/statements.hpp"

namespace warpfiber::report {
namespace {

using record::Finding;

bool leaves_early(const Statement& statement) {
  return has_word(statement.words, "break") || has_word(statement.words, "return") ||
         std::ranges::any_of(statement.parts, leaves_early);
}

/// The loop or branch around a barrier whose condition reads `variable`, also that of a break in the loop.
const Statement* decided_by(std::string_view variable, const std::vector<const Statement*>& around) {
  const auto reads = [variable](const Statement& one) { return has_word(one.words, variable); };
  const auto breaks = [&reads](const Statement& one) {
    return one.control == Statement::Control::branch && reads(one) && leaves_early(one);
  };
  for (const Statement* one : around) {
    const bool loop = one->control == Statement::Control::loop;
    if (!loop && one->control != Statement::Control::branch) continue;
    if (reads(*one)) return one;
    if (!loop || one->parts.empty()) continue;
    if (std::ranges::any_of(one->parts.front().parts, breaks)) return one;
  }
  return nullptr;
}

/// Whether the race is why some threads have not reached the barrier. Then it says so.
bool explains(Finding& race, const Finding& divergence, SourceText& sources) {
  const std::string_view variable = race.object ? variable_of(race.object->name) : std::string_view();
  const record::Place& barrier = divergence.parties.front().place;
  if (!race.order.has_value() || variable.empty() || !barrier.known()) return false;
  const Statement all = statements_of(sources, barrier.file);
  const Statement* decided = decided_by(variable, statements_around(all, barrier.line, barrier.line));
  if (decided == nullptr) return false;
  constexpr std::string_view kFollows = " Threads may then ";
  if (race.why.find(kFollows) != std::string::npos) return true;
  const bool loop = decided->control == Statement::Control::loop;
  race.why += fmt::format("{}{} at line {}{}: some did not reach the {} at line {}, where others waited.", kFollows,
                          loop ? "leave the loop" : "take different branches", decided->first,
                          loop ? " at different times" : "", divergence.parties.front().what, barrier.line);
  return true;
}

/// Whether threads wait for ever at the barrier in memory that has ordered too few in the race: one defect.
bool explains_wait(Finding& race, const Finding& hang, SourceText& sources) {
  // One change mends both: a stage of a pipeline is released.
  if (race.verdict == record::Verdict::async_hazard && race.fix == hang.fix) return true;
  if (!race.order.has_value()) return false;
  const std::optional<Gap> gap = gap_of(race, sources);
  const unsigned line = gap.has_value() ? phase_between(race, *gap, sources) : 0;
  const bool waits = std::ranges::any_of(hang.parties, [&](const record::Party& party) {
    if (party.role != record::Role::wait || race.parties.empty()) return false;
    if (line != 0 && party.place.line == line && is_same_file(party.place.file, gap->file)) return true;
    return is_same_file(party.place.file, race.parties[0].place.file) &&
           is_wait_of_roles(race, party.place.line, sources);
  });
  constexpr std::string_view kStuck = " In the end threads wait there for ever.";
  if (waits && race.why.find(kStuck) == std::string::npos) race.why += kStuck;
  return waits;
}

}  // namespace

void fold_divergence(std::vector<Finding>& findings, SourceText& sources) {
  std::vector<Finding> kept;
  for (std::size_t i = 0; i < findings.size(); ++i) {
    const bool divergence = findings[i].verdict == record::Verdict::barrier_divergence && !findings[i].parties.empty();
    const bool deadlock = findings[i].verdict == record::Verdict::deadlock;
    const auto is_cause = [&, i](Finding& race) {
      return deadlock ? explains_wait(race, findings[i], sources) : explains(race, findings[i], sources);
    };
    // Of each race, wherever it is: a finding that has been kept is not in `findings` any more.
    const bool follows =
        (divergence || deadlock) &&
        (std::ranges::any_of(kept, is_cause) || std::ranges::any_of(std::span(findings).subspan(i + 1), is_cause));
    if (!follows) kept.push_back(std::move(findings[i]));
  }
  findings = std::move(kept);
}

}  // namespace warpfiber::report
