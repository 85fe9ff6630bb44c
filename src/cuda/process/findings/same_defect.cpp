// SPDX-License-Identifier: Apache-2.0
// Compares findings by their lines, objects, verdicts and streams. Where it has to distinguish pointer arithmetic from
// an access it reads the source line.
#include "process/findings/same_defect.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "record/diagnosis.hpp"

namespace warpfiber::process {
namespace {

using record::Finding;
using record::Place;
using record::Verdict;

bool is_outside(const Finding& finding) {
  return record::is_out_of_bounds(finding.verdict) && finding.verdict != Verdict::oob_index;
}

bool is_index(const Finding& finding) {
  return finding.verdict == Verdict::oob_index;
}

bool are_one_line(const Place& one, const Place& other) {
  return one.known() && one.file == other.file && one.line == other.line;
}

bool is_at_line_of(const Place& place, const Finding& finding) {
  return std::ranges::any_of(finding.parties,
                             [&place](const record::Party& party) { return are_one_line(place, party.place); });
}

bool are_at_one_line(const Finding& one, const Finding& other) {
  return std::ranges::any_of(one.parties,
                             [&](const record::Party& party) { return is_at_line_of(party.place, other); });
}

bool is_benign_race(const Finding& finding) {
  return finding.verdict == Verdict::benign_race;
}

/// Where the object begins; nothing where that is not known.
std::optional<std::uint64_t> base_of(const Finding& finding) {
  if (!finding.object.has_value() || !finding.object->bytes.has_value()) return std::nullopt;
  return finding.object->address - finding.object->bytes->offset;
}

bool are_of_one_object(const Finding& one, const Finding& other) {
  return base_of(one).has_value() && base_of(one) == base_of(other);
}

/// Whether both are accesses beyond the end of one array that is too small: a write there is what others read there.
bool is_read_of_outside_write(const Finding& read, const Finding& known) {
  return is_outside(known) && are_of_one_object(known, read) && known.parties.front().role == record::Role::write &&
         read.parties.front().role == record::Role::read;
}

/// Whether both sides of the note are at lines where a side of the race writes.
bool writes_at_lines_of(const Finding& race, const Finding& note) {
  return std::ranges::all_of(note.parties, [&race](const record::Party& side) {
    return std::ranges::any_of(race.parties, [&side](const record::Party& other) {
      return other.role == record::Role::write && are_one_line(side.place, other.place);
    });
  });
}

/// Whether nothing shows that more than an address was computed.
bool is_only_address(const Finding& finding) {
  return finding.needs_access_at.has_value() &&
         std::ranges::none_of(*finding.needs_access_at, [&](const Place& one) { return is_at_line_of(one, finding); });
}

/// Whether `other` is the cause of the benign race `note`: an access that leaves its part of an array, or a race of the
/// same store, of which some bytes happened to be equal.
bool explains_note(const Finding& other, const Finding& note) {
  if (record::is_race(other.verdict)) return are_of_one_object(other, note) && writes_at_lines_of(other, note);
  const bool outside = is_outside(other) || (is_index(other) && !is_only_address(other));
  return outside && are_at_one_line(other, note);
}

/// Whether the finding is about memory that an expression has reached which left its own array: other accesses of that
/// expression are `outside` of the array. A race has to be at an address that these pass.
bool is_reached_from(const Finding& outside, const Finding& finding) {
  const auto* const access = std::get_if<record::OutsideAccess>(outside.diagnosis.get());
  const std::optional<std::uint64_t> base = base_of(outside);
  const bool reads_unwritten = finding.verdict == Verdict::uninit_global || finding.verdict == Verdict::uninit_shared;
  if (access == nullptr || !base.has_value() || !base_of(finding).has_value() || base == base_of(finding)) return false;
  if (!reads_unwritten && !record::is_race(finding.verdict)) return false;
  const std::uint64_t distance = finding.object->address - *base;
  const bool is_passed = distance >= access->extent && distance <= static_cast<std::uint64_t>(access->highest);
  const record::Party& left = outside.parties.front();
  const auto is_same_access = [&left](const record::Party& side) {
    return side.role == left.role && side.place.column == left.place.column && are_one_line(side.place, left.place);
  };
  return left.place.column != 0 && (reads_unwritten || (access->highest > 0 && is_passed)) &&
         std::ranges::any_of(finding.parties, is_same_access);
}

/// Whether both are about memory that one line allocates.
bool are_of_one_allocation(const Finding& one, const Finding& other) {
  if (!one.object.has_value() || !other.object.has_value()) return false;
  return are_of_one_object(one, other) || are_one_line(one.object->declared, other.object->declared);
}

/// Whether one wait of a stream for the other mends both: races of operations of two streams in the same buffers. Which
/// of them is found first depends on when the operations run.
bool are_of_one_wait(const Finding& finding, const Finding& known) {
  if (!finding.streams.has_value() || finding.streams != known.streams || finding.verdict != known.verdict)
    return false;
  return are_of_one_allocation(finding, known);
}

}  // namespace

void merge_same(std::vector<record::Finding>& findings) {
  std::vector<record::Finding> merged;
  std::map<FindingKind, std::size_t> places;
  for (record::Finding& finding : findings) {
    const auto [place, fresh] = places.try_emplace(kinds_of(finding).front(), merged.size());
    if (fresh) {
      merged.push_back(std::move(finding));
      continue;
    }
    record::Finding& known = merged[place->second];
    const std::uint64_t repeats = known.repeats + 1 + finding.repeats;
    if (known.order.has_value() && finding.order.has_value()) {
      const bool both_write = known.order->both_write || finding.order->both_write;
      if (finding.order->width > known.order->width) std::swap(known, finding);
      known.order->both_write = both_write;
    }
    known.repeats = repeats;
    if (finding.left_out <= known.left_out) continue;
    known.left_out = finding.left_out;
    known.why = std::move(finding.why);
  }
  findings = std::move(merged);
}

bool ends_first(const Finding& ending, const std::vector<Finding>& others) {
  return is_outside(ending) && std::ranges::any_of(others, is_index);
}

void put_causes_first(std::vector<Finding>& findings) {
  if (std::ranges::none_of(findings, is_index)) return;
  const auto rest = std::stable_partition(findings.begin(), findings.end(), is_outside);
  std::stable_partition(rest, findings.end(), is_index);
}

void leave_out_explained(std::vector<Finding>& findings) {
  std::vector<Finding> kept;
  for (const Finding& finding : findings) {
    const auto explains = [&finding](const Finding& other) {
      return is_benign_race(finding) ? explains_note(other, finding) : is_reached_from(other, finding);
    };
    if (std::ranges::none_of(findings, explains)) kept.push_back(finding);
  }
  findings = std::move(kept);
}

bool is_of_known_defect(const Finding& finding, const std::vector<Finding>& known) {
  const auto is_same = [&finding](const auto& is_cause) {
    return [&finding, is_cause](const Finding& one) { return is_cause(one) && are_at_one_line(one, finding); };
  };
  const auto has_cause = [&finding](const Finding& one) {
    return are_of_one_wait(finding, one) || is_reached_from(one, finding);
  };
  if (std::ranges::any_of(known, has_cause)) return true;
  if (is_index(finding)) {
    const auto has_written = [&finding](const Finding& one) { return is_read_of_outside_write(finding, one); };
    return is_only_address(finding) || std::ranges::any_of(known, is_same(is_outside)) ||
           std::ranges::any_of(known, has_written);
  }
  return finding.after_bad_index && !is_outside(finding) && std::ranges::any_of(known, is_same(is_index));
}

bool is_left_unwritten_by(const Finding& failed, const Finding& finding) {
  if (finding.verdict != Verdict::uninit_global) return false;
  if (failed.left_unwritten != 0) return base_of(finding) == failed.left_unwritten;
  // Which objects a kernel would have written is not known, nor is it for calls other than copies.
  if (failed.verdict == Verdict::launch_error) return true;
  return failed.verdict == Verdict::refused_call && finding.parties.front().who.unit == record::Unit::host;
}

bool is_of_pointer_arithmetic(const Finding& finding, report::SourceText& sources) {
  if (!is_index(finding) || finding.object.has_value() || finding.parties.empty()) return false;
  const record::Place& place = finding.parties.front().place;
  const std::string line = place.known() ? sources.line(place.file, place.line).value_or("") : "";
  const auto has = [&line](std::string_view text) { return line.find(text) != std::string::npos; };
  return has("+") && !has("[") && !has("*(");
}

// Makes a key of a finding's id and its places. Findings with equal keys are one defect.

namespace {

std::vector<FindingSite> sites_of(const record::Finding& finding, std::span<const record::Party> parties) {
  std::vector<FindingSite> sites;
  for (const record::Party& party : parties) {
    const std::string unknown = finding.launch.kernel + " " + party.what + " " + finding.why;
    sites.emplace_back(party.place.known() ? party.place.file : unknown, party.place.line, party.role);
  }
  if (sites.empty()) sites.emplace_back(finding.launch.kernel + " " + finding.why, 0, record::Role::call);
  return sites;
}

FindingKind kind_of(const record::Finding& finding, std::span<const record::Party> parties) {
  std::vector<FindingSite> sites = sites_of(finding, parties);
  // Helpers that copy or allocate are called with everything.
  if (finding.verdict == record::Verdict::refused_call && !parties.empty() && !parties.front().stack.empty()) {
    const record::Place& caller = parties.front().stack.front();
    sites.emplace_back(caller.file, caller.line, record::Role::call);
  }
  const auto elsewhere = [&sites](const FindingSite& site) {
    return std::get<0>(site) != std::get<0>(sites.front()) || std::get<1>(site) != std::get<1>(sites.front());
  };
  if (record::is_race(finding.verdict) && std::ranges::none_of(sites, elsewhere)) {
    for (FindingSite& site : sites) std::get<record::Role>(site) = record::Role::write;
  }
  std::ranges::sort(sites);
  return {finding.verdict, finding.severity, std::move(sites)};
}

}  // namespace

std::vector<FindingKind> kinds_of(const record::Finding& finding) {
  const std::span<const record::Party> all(finding.parties);
  if (!record::is_race(finding.verdict) || all.size() < 2 || all.size() % 2 != 0) return {kind_of(finding, all)};
  std::vector<FindingKind> kinds;
  for (std::size_t at = 0; at < all.size(); at += 2) kinds.push_back(kind_of(finding, all.subspan(at, 2)));
  return kinds;
}

}  // namespace warpfiber::process
