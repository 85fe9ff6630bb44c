// SPDX-License-Identifier: Apache-2.0
//
// A finding as text: headline, parties, explanation. The explanation is made first, because the parties get what it
// leaves of the screen.
#include "report/text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <numeric>
#include <string_view>
#include <vector>

#include "base/text.hpp"
#include "report/catalogue/catalogue.hpp"
#include "report/columns.hpp"
#include "report/names.hpp"
#include "report/paint.hpp"
#include "report/rows.hpp"

namespace warpfiber::report {
namespace {

using record::Finding;
using record::Party;

using Lines = std::vector<std::string>;

struct SeverityMark {
  std::string_view suffix;
  std::string_view colour;
};

/// In the order of Severity.
constexpr std::array kSeverities{
    SeverityMark{"", ink::kError},
    SeverityMark{" (warning)", ink::kWarning},
    SeverityMark{" (info)", ink::kInfo},
};

constexpr std::size_t kIndentation = 2;
constexpr std::size_t kLabel = 7;      // columns of "fix", "again" and "cycle" with the gap behind them
constexpr std::size_t kFewest = 2;     // parties that are shown however little room there is
constexpr std::size_t kMostSteps = 6;  // of a cycle
constexpr std::size_t kProse = 112;    // columns beyond which sentences are hard to read

Lines headline(const Finding& finding, const Names& names, const Paint& paint) {
  const SeverityMark& mark = kSeverities[static_cast<std::size_t>(finding.severity)];
  const std::string about = finding.object ? names.object(*finding.object) : names.launch();
  Lines lines{paint(fmt::format("{}{}", id_of(finding.verdict), mark.suffix), mark.colour) + "  " +
              paint(about, ink::kStrong)};
  if (finding.object) lines.push_back("  in " + names.launch());
  return lines;
}

/// Who waits where for whom.
std::string step_text(const Finding& finding, std::size_t step, const Names& names) {
  const record::CycleStep& here = finding.cycle[step];
  const Party& party = finding.parties.at(here.party);
  const Party& next = finding.parties.at(finding.cycle[(step + 1) % finding.cycle.size()].party);
  const std::string place = party.place.known() ? " at " + names.place(party.place) : std::string();
  const std::string held = here.over.empty() ? std::string() : here.over + ", held by ";
  return fmt::format("{} {}{} for {}{}", who_text(party.who, finding.launch), verb_text(party), place, held,
                     who_text(next.who, finding.launch));
}

Lines cycle_lines(const Finding& finding, const Names& names) {
  const std::size_t steps = finding.cycle.size();
  const std::size_t skipped = steps > kMostSteps ? steps - kMostSteps + 1 : 0;
  const std::size_t gap = skipped == 0 ? steps : kMostSteps - 2;  // skipped steps follow this many; the last is shown
  Lines lines;
  for (std::size_t step = 0; step < gap; ++step) lines.push_back(step_text(finding, step, names));
  if (skipped == 0) return lines;
  lines.push_back(fmt::format("… {} …", base::counted(skipped, "more step")));
  lines.push_back(step_text(finding, steps - 1, names));
  return lines;
}

/// "fix    …", continued below the text.
void add_labelled(Lines& lines, const std::string& label, const Lines& texts, std::string_view code,
                  const Paint& paint) {
  std::string head = fmt::format("  {}{}", paint(label, code), std::string(kLabel - label.size(), ' '));
  for (const std::string& text : texts) {
    lines.push_back(head + text);
    head.assign(kIndentation + kLabel, ' ');
  }
}

/// "unordered: …", continued behind the label.
void add_sentence(Lines& lines, const std::string& label, std::string_view text, std::size_t width,
                  std::string_view code, const Paint& paint) {
  const std::size_t taken = label.empty() ? 0 : columns(label) + 1;
  std::string head = std::string(kIndentation, ' ') + (label.empty() ? label : paint(label, code) + " ");
  for (const std::string& line : wrapped(text, width - taken)) {
    lines.push_back(head + line);
    head.assign(kIndentation + taken, ' ');
  }
}

bool is_pair(const Finding& finding) {
  return record::is_race(finding.verdict) || finding.verdict == record::Verdict::benign_race;
}

/// The reason, with the number of findings that are folded into this one.
std::string reason(const Finding& finding) {
  if (finding.repeats == 0) return finding.why;
  std::string_view why = finding.why;
  while (why.ends_with('.')) why.remove_suffix(1);
  const std::string more =
      is_pair(finding) ? base::counted(finding.repeats, "more pair") : base::thousands(finding.repeats) + " more";
  return fmt::format("{}{}{} at {}", why, why.empty() ? "" : "; ", more,
                     finding.parties.size() == 1 ? "this line" : "these lines");
}

Lines explanation_of_accesses(const Finding& finding, const TextStyle& style, const Paint& paint) {
  const std::size_t width = std::min(style.width, kProse) - kIndentation;
  Lines lines;
  add_sentence(lines, is_pair(finding) ? "unordered:" : "", reason(finding), width, ink::kStrong, paint);
  add_sentence(lines, "fix:", finding.fix, width, ink::kFix, paint);
  if (!finding.sanitizer_term.empty()) lines.push_back("  compute-sanitizer calls this: " + finding.sanitizer_term);
  if (!finding.again.empty()) lines.push_back("  " + paint("again:", ink::kStrong) + " " + finding.again);
  return lines;
}

Lines explanation(const Finding& finding, const Names& names, const TextStyle& style, const Paint& paint) {
  const std::size_t width = std::min(style.width, kProse) - kIndentation;
  Lines lines;
  for (const std::string& line : wrapped(finding.why, width)) lines.push_back("  " + line);
  Lines cycle;
  for (const std::string& step : cycle_lines(finding, names)) {
    for (const std::string& part : wrapped(step, width - kLabel)) cycle.push_back(part);
  }
  add_labelled(lines, "cycle", cycle, ink::kStrong, paint);
  add_labelled(lines, "fix", wrapped(finding.fix, width - kLabel), ink::kFix, paint);
  if (!finding.sanitizer_term.empty()) lines.push_back("  compute-sanitizer calls this: " + finding.sanitizer_term);
  if (finding.repeats != 0) lines.push_back(fmt::format("  and {} more like this", base::thousands(finding.repeats)));
  if (!finding.again.empty()) add_labelled(lines, "again", {finding.again}, ink::kStrong, paint);
  return lines;
}

/// Appends as many parties as `room` lines hold, and a line that counts the rest.
void add_parties(Lines& lines, const std::vector<Lines>& parties, std::size_t room) {
  const std::size_t end = lines.size() + room;
  for (std::size_t i = 0; i < parties.size(); ++i) {
    const std::size_t fold = i + 1 < parties.size() ? 1 : 0;
    if (i >= kFewest && lines.size() + parties[i].size() + fold > end) {
      lines.push_back(fmt::format("  and {} like these", base::counted(parties.size() - i, "more place")));
      return;
    }
    lines.insert(lines.end(), parties[i].begin(), parties[i].end());
  }
}

/// Rows with as many calls as leave room for all of them.
std::vector<Lines> rows(const Finding& finding, const Names& names, SourceText& sources, const TextStyle& style,
                        std::size_t room) {
  const auto height = [](const std::vector<Lines>& parties) {
    return std::accumulate(parties.begin(), parties.end(), std::size_t{0},
                           [](std::size_t sum, const Lines& one) { return sum + one.size(); });
  };
  for (const std::size_t calls : {kMostCalls, std::size_t{1}}) {
    std::vector<Lines> parties = party_lines(finding, names, sources, style, calls);
    if (height(parties) <= room) return parties;
  }
  return party_lines(finding, names, sources, style, 0);
}

}  // namespace

std::string render_text(const Finding& finding, SourceText& sources, const TextStyle& style) {
  const Names names(finding);
  const Paint paint(style.colour);
  const bool accesses = is_about_accesses(finding);
  const Lines end =
      accesses ? explanation_of_accesses(finding, style, paint) : explanation(finding, names, style, paint);
  Lines lines = headline(finding, names, paint);
  const std::size_t taken = lines.size() + end.size();
  const std::size_t room = style.lines > taken ? style.lines - taken : 0;
  const std::vector<Lines> parties =
      accesses ? access_lines(finding, names, sources, style) : rows(finding, names, sources, style, room);
  add_parties(lines, parties, room);
  lines.insert(lines.end(), end.begin(), end.end());
  std::string text;
  for (const std::string& line : lines) text += base::without_controls(line, style.colour) + '\n';
  return text;
}

}  // namespace warpfiber::report
