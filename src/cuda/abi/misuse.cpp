// SPDX-License-Identifier: Apache-2.0
// Misuse of barriers and copies: a finding of the launch, or of the host's call and the end of the process.
#include "abi/misuse.hpp"

#include <fmt/format.h>

#include <cstdlib>
#include <utility>

#include "engine/findings/groups.hpp"
#include "engine/worker.hpp"
#include "process/findings/findings_log.hpp"
#include "record/diagnosis.hpp"
#include "report/explain/explain.hpp"

namespace warpfiber::abi {
namespace {

record::Finding finding_of(const record::Diagnosis& diagnosis, const char* call, Site site) {
  record::Finding made;
  made.verdict = record::Verdict::cg_misuse;
  made.diagnosis = diagnosis;
  record::Party& party = made.parties.emplace_back();
  party.role = record::Role::call;
  party.place = record::place_of(site);
  party.what = call;
  return made;
}

}  // namespace

void report_misuse(const record::Diagnosis& diagnosis, const char* call, const void* at, Site site) {
  if (engine::Worker* const worker = engine::Worker::current(); worker != nullptr) {
    worker->begin_failure();
    record::Finding finding = engine::misused(*worker, site, call, diagnosis);
    if (at != nullptr) finding.object = record::ObjectFacts{.address = reinterpret_cast<std::uintptr_t>(at)};
    worker->fail_here(std::move(finding));
  }
  record::Finding finding = finding_of(diagnosis, call, site);
  report::explain(finding);
  const std::string line =
      fmt::format("warpfiber: {} at {}:{}: {}\n", call, site.file != nullptr ? site.file : "?", site.line, finding.why);
  process::log_in_a_line(std::move(finding), line);
  std::abort();
}

}  // namespace warpfiber::abi
