// SPDX-License-Identifier: Apache-2.0
#include "engine/findings/exits.hpp"

#include <algorithm>
#include <cstring>

namespace warpfiber::engine {
namespace {

using record::Finding;
using record::Party;
using record::Role;

/// The waiting threads, and those that have exited, by where they did.
Finding with_parties(const ReleaseByExits& release, const GridRequest& request) {
  Finding made;
  made.verdict = record::Verdict::barrier_divergence;
  made.launch = request.facts;
  made.repeats = release.repeats;
  made.parties.push_back(Party{.role = Role::wait,
                               .who = record::members_of_threads(request.facts, release.arrived),
                               .place = record::place_of(release.site),
                               .what = release.barrier});
  const Site end{request.body.file, request.body.last_line};
  for (const auto& [site, exited] : release.exited) {
    made.parties.push_back(Party{.role = Role::exited,
                                 .who = record::members_of_threads(request.facts, exited),
                                 .place = record::place_of(site.line != 0 ? site : end),
                                 .what = "return",
                                 .detail = site.line != 0 ? "" : "at the end of the kernel"});
  }
  return made;
}

bool passed_by(const ReleaseByExits& release) {
  return std::ranges::any_of(release.exited, [](const auto& one) { return one.first.line == 0; });
}

}  // namespace

bool is_in_body(const KernelBody& body, const Site& site) {
  return body.file != nullptr && site.file != nullptr && std::strcmp(body.file, site.file) == 0 &&
         body.first_line <= site.line && site.line <= body.last_line;
}

std::optional<Finding> released_by_exits(const ReleaseByExits& release, const GridRequest& request) {
  if (release.follows) return std::nullopt;
  const std::string barrier = release.barrier;
  if (release.of_grid) {
    Finding made = with_parties(release, request);
    made.why = "Some threads of a block exited before " + barrier +
               ". All threads of the grid must call it; otherwise the behaviour is undefined. Current devices hang if "
               "the first thread of a block has exited, and do not wait for the other threads.";
    made.fix = "make every thread reach " + barrier + ": guard the work with `if` instead of returning early";
    return made;
  }
  if (passed_by(release) && is_in_body(request.body, release.site)) {
    Finding made = with_parties(release, request);
    made.why = "Threads reached the end of the kernel without calling " + barrier +
               ", at which other threads of their block wait. A barrier in a branch or loop is defined only if all "
               "threads of the block take the same path. Devices since sm_70 release the barrier once the other "
               "threads have exited; any later barrier would hang or pair up wrongly.";
    made.fix = "move " + barrier + " out of the branch or loop, so that every thread of the block reaches it";
    return made;
  }
  if (!request.check.strict) return std::nullopt;
  Finding made = with_parties(release, request);
  made.severity = record::Severity::warning;
  made.why =
      "The barrier does not wait for threads that have returned. That is defined for devices since sm_70; older "
      "devices and other tools require every thread of the block to reach the barrier.";
  made.fix = "make every thread reach the barrier: guard the work before and after it instead of returning early";
  return made;
}

}  // namespace warpfiber::engine
