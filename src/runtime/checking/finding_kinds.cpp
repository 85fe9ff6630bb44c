// SPDX-License-Identifier: Apache-2.0
#include "runtime/checking/finding_kinds.hpp"

#include <algorithm>
#include <utility>

namespace warpfiber::runtime {

FindingKind kind_of(const record::Finding& finding) {
  std::vector<FindingSite> sites;
  for (const record::Party& party : finding.parties) {
    const std::string unknown = finding.launch.kernel + " " + party.what + " " + finding.why;
    sites.emplace_back(party.place.known() ? party.place.file : unknown, party.place.line, party.role);
  }
  if (sites.empty()) sites.emplace_back(finding.launch.kernel + " " + finding.why, 0, record::Role::call);
  // Helpers that copy or allocate are called with everything.
  if (finding.id == "refused-call" && !finding.parties.empty() && !finding.parties.front().stack.empty()) {
    const record::Place& caller = finding.parties.front().stack.front();
    sites.emplace_back(caller.file, caller.line, record::Role::call);
  }
  const auto elsewhere = [&sites](const FindingSite& site) {
    return std::get<0>(site) != std::get<0>(sites.front()) || std::get<1>(site) != std::get<1>(sites.front());
  };
  if (finding.id.starts_with("race-") && std::ranges::none_of(sites, elsewhere)) {
    for (FindingSite& site : sites) std::get<record::Role>(site) = record::Role::write;
  }
  std::ranges::sort(sites);
  return {finding.id, finding.severity, std::move(sites)};
}

}  // namespace warpfiber::runtime
