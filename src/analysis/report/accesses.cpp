// SPDX-License-Identifier: Apache-2.0
//
// Laying out accesses. As in rows.cpp, cells are filled first and measured before any line is made.
#include "report/rows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "base/text.hpp"
#include "report/columns.hpp"
#include "report/names.hpp"
#include "report/paint.hpp"

namespace warpfiber::report {
namespace {

using record::Finding;
using record::LaunchFacts;
using record::Members;
using record::Party;
using record::Role;

/// In the order of Role.
constexpr std::array<std::string_view, 15> kWords{"wait", "spin",     "not started", "exited",  "call",
                                                  "read", "write",    "access",      "throw",   "assert",
                                                  "trap", "overflow", "make",        "convert", "run"};
static_assert(kWords.size() == static_cast<std::size_t>(Role::run) + 1);

constexpr std::size_t kSideIndentation = 2;
constexpr std::size_t kCellGap = 2;     // columns between cells
constexpr std::size_t kWidestWho = 56;  // columns beyond which the other cells go below

struct AccessRow {
  std::string what;
  std::string who;
  std::string site;
  std::string source;
  std::vector<std::string> notes;
};

struct AccessWidths {
  std::size_t what = 0;
  std::size_t who = 0;
  std::size_t site = 0;
  std::size_t source = 0;

  std::size_t all() const { return kSideIndentation + what + kCellGap + who + kCellGap + site + kCellGap + source; }
};

bool is_access(const Party& party) {
  return party.role == Role::read || party.role == Role::write || party.role == Role::access;
}

/// "write 65": the value where it is known.
std::string what_text(const Party& party) {
  std::string text(kWords[static_cast<std::size_t>(party.role)]);
  if (is_access(party) && party.object && !party.object->value.empty()) text += " " + party.object->value;
  return text;
}

/// "thread (65,0,0) warp 2 lane 1 block (0,0,0)"; several threads by their number and runs.
std::string exact_who(const Members& members, const LaunchFacts& launch) {
  if (members.unit == record::Unit::host) return "the host";
  if (members.unit == record::Unit::block || members.count > 1 || members.threads.empty() || members.blocks.empty())
    return fmt::format("{}: {}", count_text(members), who_text(members, launch));
  const base::Triple& thread = members.threads.front().first;
  const std::uint64_t rank = base::linear_index(thread, launch.block);
  return fmt::format("thread {} warp {} lane {} block {}", base::triple_text(thread), rank / launch.warp_size,
                     rank % launch.warp_size, base::triple_text(members.blocks.front().first));
}

std::string source_of(const Party& party, SourceText& sources) {
  const auto line = party.place.known() ? sources.line(party.place.file, party.place.line) : std::nullopt;
  const std::string quotation = line ? quote(*line) : std::string();
  return quotation.empty() ? party.what : quotation;
}

/// An object of its own, not a value of the finding's.
bool has_own_object(const Party& party) {
  return party.object && (!party.object->name.empty() || party.object->address != 0);
}

/// Its value is in what_text().
std::string own_object(const Party& party, const Names& names) {
  record::ObjectFacts object = *party.object;
  if (is_access(party)) object.value.clear();
  return names.object(object);
}

/// The part of the object that this side touches, where that is another than the finding's.
std::string own_bytes(const Finding& finding, const Party& party) {
  if (!party.object || !party.object->bytes || !finding.object->bytes || has_own_object(party)) return {};
  const record::Bytes& own = *party.object->bytes;
  if (own.offset == finding.object->bytes->offset && own.size == finding.object->bytes->size) return {};
  const auto first = static_cast<std::int64_t>(own.offset);
  return own.size == 1 ? fmt::format("byte {}", first)
                       : fmt::format("bytes {}..{}", first, first + static_cast<std::int64_t>(own.size) - 1);
}

AccessRow side_of(const Finding& finding, const Party& party, const Names& names, SourceText& sources) {
  AccessRow side{
      what_text(party), exact_who(party.who, finding.launch), names.place(party.place), source_of(party, sources), {}};
  std::string facts = own_bytes(finding, party);
  if (!party.detail.empty()) facts += (facts.empty() ? "" : ", ") + party.detail;
  if (!facts.empty()) side.notes.push_back(facts);
  const std::string launched = party.launched.known() ? "launched at " + names.place(party.launched) : "";
  if (!party.kernel.empty()) side.notes.push_back("in " + party.kernel + (launched.empty() ? "" : ", " + launched));
  if (has_own_object(party)) side.notes.push_back("at " + own_object(party, names));
  for (std::string& call : call_lines(finding, party, names, kMostCalls)) side.notes.push_back(std::move(call));
  if (party.kernel.empty() && !launched.empty()) side.notes.push_back(launched);
  return side;
}

AccessWidths measure(const std::vector<AccessRow>& sides) {
  AccessWidths widths;
  for (const AccessRow& side : sides) {
    widths.what = std::max(widths.what, columns(side.what));
    widths.who = std::max(widths.who, std::min(columns(side.who), kWidestWho));
    widths.site = std::max(widths.site, columns(side.site));
    widths.source = std::max(widths.source, columns(side.source));
  }
  return widths;
}

std::string without_spaces_behind(std::string line) {
  line.resize(line.find_last_not_of(' ') + 1);
  return line;
}

std::vector<std::string> lines_of(const AccessRow& side, const AccessWidths& widths, const TextStyle& style) {
  const Paint paint(style.colour);
  const std::size_t indentation = kSideIndentation + widths.what + kCellGap;
  const std::string head = std::string(kSideIndentation, ' ') + padded(side.what, widths.what + kCellGap);
  const std::string site =
      paint(side.site, ink::kPlace) + std::string(widths.site + kCellGap - columns(side.site), ' ') + side.source;
  std::vector<std::string> lines;
  if (widths.all() <= style.width && columns(side.who) <= widths.who) {
    lines.push_back(without_spaces_behind(head + padded(side.who, widths.who + kCellGap) + site));
  } else {
    lines.push_back(without_spaces_behind(head + site));
    for (const std::string& part : wrapped(side.who, style.width - indentation))
      lines.push_back(std::string(indentation, ' ') + part);
  }
  for (const std::string& note : side.notes)
    for (const std::string& part : wrapped(note, style.width - indentation))
      lines.push_back(std::string(indentation, ' ') + part);
  return lines;
}

}  // namespace

bool is_about_accesses(const Finding& finding) {
  return finding.object.has_value() && std::ranges::any_of(finding.parties, is_access);
}

std::vector<std::vector<std::string>> access_lines(const Finding& finding, const Names& names, SourceText& sources,
                                                   const TextStyle& style) {
  std::vector<AccessRow> sides;
  for (const Party& party : finding.parties) sides.push_back(side_of(finding, party, names, sources));
  const AccessWidths widths = measure(sides);
  std::vector<std::vector<std::string>> lines;
  lines.reserve(sides.size());
  for (const AccessRow& side : sides) lines.push_back(lines_of(side, widths, style));
  return lines;
}

}  // namespace warpfiber::report
