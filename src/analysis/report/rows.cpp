// SPDX-License-Identifier: Apache-2.0
//
// Laying out parties. A row has four cells; the widths of the first three come from all rows together, so cells are
// filled first and measured before any line is made.
#include "report/rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <span>
#include <utility>

#include "report/calls.hpp"
#include "report/columns.hpp"
#include "report/paint.hpp"
#include "report/who.hpp"

namespace warpfiber::report {
namespace {

using record::Finding;
using record::Party;
using record::Role;

struct Verb {
  std::string_view one;
  std::string_view many;
  std::string_view preposition;  // before the memory it is done to
};

/// In the order of Role.
constexpr std::array kVerbs{
    Verb{"waits", "wait", "on"},
    Verb{"spins", "spin", "on"},
    Verb{"not started", "not started", "on"},
    Verb{"has exited", "have exited", "on"},
    Verb{"calls", "call", "on"},
    Verb{"reads", "read", "at"},
    Verb{"writes", "write", "at"},
    Verb{"accesses", "access", "at"},
    Verb{"throws", "throw", "at"},
    Verb{"fails", "fail", "at"},
    Verb{"traps", "trap", "at"},
    Verb{"overflows", "overflow", "at"},
    Verb{"creates", "create", "on"},
    Verb{"converts", "convert", "at"},
    Verb{"runs", "run", "on"},
};
static_assert(kVerbs.size() == static_cast<std::size_t>(Role::run) + 1);

constexpr std::size_t kGap = 2;      // columns between cells, and the indentation
constexpr std::size_t kWidest = 60;  // columns of a cell; longer text goes below

struct Row {
  std::string subject;
  std::string site;
  std::string what;
  std::string tail;
  std::vector<std::string> notes;
};

struct RowWidths {
  std::size_t subject = 0;
  std::size_t site = 0;
  std::size_t what = 0;

  std::size_t what_at() const { return kGap + subject + kGap + (site == 0 ? 0 : site + kGap); }
  std::size_t tail_at() const { return what_at() + what + kGap; }
  std::size_t notes_at() const { return kGap + subject + kGap; }
};

const Verb& verb_of(Role role) {
  return kVerbs[static_cast<std::size_t>(role)];
}

/// Whether an earlier party stands in the same several blocks: then only which of their threads these are is news.
bool repeats_blocks(std::span<const Party> earlier, const Party& party) {
  const std::vector<record::Run>& blocks = party.who.blocks;
  const bool several = blocks.size() > 1 || (blocks.size() == 1 && blocks[0].first != blocks[0].last);
  return several && std::ranges::any_of(earlier, [&](const Party& other) { return other.who.blocks == blocks; });
}

std::string quoted(const Party& party, SourceText& sources) {
  const auto line = party.place.known() ? sources.line(party.place.file, party.place.line) : std::nullopt;
  const std::string quotation = line ? quote(*line) : std::string();
  return quotation.empty() ? party.what : quotation;
}

Row row_of(const Finding& finding, std::size_t index, const Names& names, SourceText& sources, std::size_t calls) {
  const Party& party = finding.parties[index];
  const std::span<const Party> earlier(finding.parties.data(), index);
  Row row;
  row.subject = fmt::format("{} {}", count_text(party.who), verb_text(party));
  row.site = names.place(party.place);
  row.what = quoted(party, sources);
  std::string who = who_text(party.who, finding.launch);
  if (columns(row.what) > kWidest) row.notes.push_back(std::exchange(row.what, {}));
  if (row.what.empty()) row.what.swap(who);
  if (!party.detail.empty() && repeats_blocks(earlier, party))
    who.erase(0, std::min(who.find(", thread"), who.size() - 2) + 2);
  row.tail = who + (who.empty() || party.detail.empty() ? "" : ", ") + party.detail;
  if (party.object)
    row.notes.push_back(fmt::format("{} {}", verb_of(party.role).preposition, names.object(*party.object)));
  for (const record::ObjectFacts& object : party.further)
    row.notes.push_back(fmt::format("and {} {}", verb_of(party.role).preposition, names.object(object)));
  for (std::string& call : call_lines(finding, party, names, calls)) row.notes.push_back(std::move(call));
  return row;
}

RowWidths measure(const std::vector<Row>& rows) {
  RowWidths widths;
  for (const Row& row : rows) {
    widths.site = std::max(widths.site, columns(row.site));
    if (!row.site.empty()) widths.subject = std::max(widths.subject, columns(row.subject));
    if (!row.tail.empty()) widths.what = std::max(widths.what, columns(row.what));
  }
  // The first cell of a row without a site runs on into the column of sites.
  for (const Row& row : rows) {
    const std::size_t end = kGap + columns(row.subject) + kGap;
    if (row.site.empty() && end > widths.what_at()) widths.subject += end - widths.what_at();
  }
  return widths;
}

/// The row itself; `tail` may be empty.
std::string first_line(const Row& row, const std::string& tail, const RowWidths& widths, const Paint& paint) {
  std::string line(kGap, ' ');
  if (row.site.empty()) {
    line += padded(row.subject, widths.what_at() - kGap);
  } else {
    line += padded(row.subject, widths.subject + kGap) + paint(row.site, ink::kPlace);
    line += std::string(widths.site + kGap - columns(row.site), ' ');
  }
  line += tail.empty() ? row.what : padded(row.what, widths.what + kGap) + tail;
  return line.substr(0, line.find_last_not_of(' ') + 1);
}

std::vector<std::string> lines_of(const Row& row, const RowWidths& widths, const TextStyle& style) {
  const bool fits = widths.tail_at() + columns(row.tail) <= style.width;
  std::vector<std::string> lines{first_line(row, fits ? row.tail : "", widths, Paint(style.colour))};
  std::vector<std::string> notes = row.notes;
  if (!fits) notes.insert(notes.begin(), row.tail);
  const std::size_t indentation = std::min(widths.notes_at(), style.width / 2);
  for (const std::string& note : notes)
    for (const std::string& part : wrapped(note, style.width - indentation))
      lines.push_back(std::string(indentation, ' ') + part);
  return lines;
}

}  // namespace

std::string_view verb_text(const Party& party) {
  return party.who.count == 1 ? verb_of(party.role).one : verb_of(party.role).many;
}

std::vector<std::vector<std::string>> party_lines(const Finding& finding, const Names& names, SourceText& sources,
                                                  const TextStyle& style, std::size_t calls) {
  std::vector<Row> rows;
  for (std::size_t i = 0; i < finding.parties.size(); ++i) rows.push_back(row_of(finding, i, names, sources, calls));
  const RowWidths widths = measure(rows);
  std::vector<std::vector<std::string>> lines;
  lines.reserve(rows.size());
  for (const Row& row : rows) lines.push_back(lines_of(row, widths, style));
  return lines;
}

}  // namespace warpfiber::report
