// SPDX-License-Identifier: Apache-2.0
// Decides which releases are findings, and names the threads that waited and those that had exited by their places.
#include "engine/findings/exits.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "record/diagnosis.hpp"

namespace warpfiber::engine {
namespace {

using record::Finding;
using record::Party;
using record::Role;

/// The waiting threads, and those that have exited, by where they did.
Finding with_parties(const ReleaseByExits& release, const GridRequest& request, record::Diagnosis diagnosis) {
  Finding made;
  made.verdict = record::Verdict::barrier_divergence;
  made.launch = request.facts;
  made.repeats = release.repeats;
  made.diagnosis = std::move(diagnosis);
  made.parties.push_back(Party{.role = Role::wait,
                               .who = record::members_of_threads(request.facts, release.arrived),
                               .place = record::place_of(release.site),
                               .what = release.barrier});
  if (release.number != 0) made.parties.back().note = record::BarrierPhase{release.number};
  const Site end{request.body.file, request.body.last_line};
  for (const auto& [site, exited] : release.exited) {
    made.parties.push_back(Party{.role = Role::exited,
                                 .who = record::members_of_threads(request.facts, exited),
                                 .place = record::place_of(site.line != 0 ? site : end),
                                 .what = "return"});
    if (site.line == 0) made.parties.back().note = record::FixedNote::exits_at_end;
  }
  return made;
}

bool passed_by(const ReleaseByExits& release) {
  return std::ranges::any_of(release.exited, [](const auto& one) { return one.first.line == 0; });
}

}  // namespace

bool is_passed_by(const KernelBody& body, const Site& site) {
  if (body.file == nullptr || site.file == nullptr) return false;
  return body.ends_without_call ||
         (std::strcmp(body.file, site.file) == 0 && body.first_line <= site.line && site.line <= body.last_line);
}

std::optional<Finding> released_by_exits(const ReleaseByExits& release, const GridRequest& request) {
  if (release.follows) return std::nullopt;
  if (release.of_grid) return with_parties(release, request, record::BarrierSkipped{release.barrier, true});
  if (passed_by(release) && is_passed_by(request.body, release.site))
    return with_parties(release, request, record::BarrierSkipped{release.barrier, false});
  if (!request.check.strict) return std::nullopt;
  Finding made = with_parties(release, request, record::Mistake::barrier_after_returns);
  made.severity = record::Severity::warning;
  return made;
}

}  // namespace warpfiber::engine
