// SPDX-License-Identifier: Apache-2.0
// Lines say where threads are, not how often they have been there: how many barriers they have passed the engine says.
#include "report/fixes/fix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <vector>

#include "report/fixes/source/statements.hpp"

namespace warpfiber::report {
namespace {

using record::Finding;
using record::Party;
using record::Role;
using record::Verdict;

/// A loop that threads wait in, and the function around it.
struct Loop {
  std::string file{};
  Statement loop{};
  Statement function{};
};

bool is_of_waits(const Finding& finding) {
  constexpr Verdict kVerdicts[] = {Verdict::deadlock, Verdict::livelock, Verdict::barrier_divergence, Verdict::bad_mask,
                                   Verdict::cg_misuse};
  return std::ranges::find(kVerdicts, finding.verdict) != std::end(kVerdicts);
}

std::vector<Loop> loops_around(const Party& party, SourceText& sources) {
  std::vector<Loop> found;
  if (!party.place.known()) return found;
  const Statement all = statements_of(sources, party.place.file);
  const std::vector<const Statement*> around = statements_around(all, party.place.line, party.place.line);
  for (std::size_t i = 1; i < around.size(); ++i) {
    if (around[i]->control == Statement::Control::loop) found.push_back({party.place.file, *around[i], *around[1]});
  }
  return found;
}

bool is_behind(const Party& party, const Loop& loop) {
  const unsigned line = party.place.line;
  return party.place.known() && party.place.file == loop.file && line > loop.loop.last && loop.function.contains(line);
}

void say(Party& party, const char* where, const Loop& loop) {
  const std::string text = fmt::format("{} the loop at line {}", where, loop.loop.first);
  party.detail = party.detail.empty() ? text : text + ", " + party.detail;
}

}  // namespace

void explain_loops(Finding& finding, SourceText& sources) {
  if (!is_of_waits(finding)) return;
  std::vector<Loop> waited_in;
  for (Party& party : finding.parties) {
    if (party.role != Role::wait) continue;
    const std::vector<Loop> loops = loops_around(party, sources);
    if (loops.empty()) continue;
    waited_in.push_back(loops.back());
    say(party, "in", loops.back());
  }
  for (Party& party : finding.parties) {
    const bool is_there = party.role == Role::wait || party.role == Role::exited;
    if (!is_there) continue;
    const auto left = std::ranges::find_if(waited_in, [&](const Loop& loop) { return is_behind(party, loop); });
    if (left != waited_in.end() && loops_around(party, sources).empty()) say(party, "past", *left);
  }
}

}  // namespace warpfiber::report
