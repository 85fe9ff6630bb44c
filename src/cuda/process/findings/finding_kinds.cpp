// SPDX-License-Identifier: Apache-2.0
//
// Makes a key of a finding's id and its places. Findings with equal keys are one defect.
#include "process/findings/finding_kinds.hpp"

#include <algorithm>
#include <span>
#include <utility>

namespace warpfiber::process {
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
