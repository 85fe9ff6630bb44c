// SPDX-License-Identifier: Apache-2.0
// Misuse of barriers, copies and matrices: a finding of the launch, or of the host's call and the end of the process.
#include <warpfiber/detail/matrix.hpp>
#include <warpfiber/detail/site.hpp>
#include <warpfiber/intrinsics/async_copy.hpp>
#include <warpfiber/intrinsics/phase.hpp>

#include <cstdlib>
#include <utility>

#include <fmt/format.h>

#include "engine/findings/groups.hpp"
#include "engine/worker.hpp"
#include "process/findings/findings_log.hpp"
#include "record/diagnosis.hpp"
#include "report/explain/explain.hpp"

namespace warpfiber::abi {
namespace {

record::Finding finding_of(record::Verdict verdict, const record::Diagnosis& diagnosis, const char* call, Site site) {
  record::Finding made;
  made.verdict = verdict;
  made.diagnosis = diagnosis;
  record::Party& party = made.parties.emplace_back();
  party.role = record::Role::call;
  party.place = record::place_of(site);
  party.what = call;
  return made;
}

/// Ends the launch with the finding; outside a kernel, the process: barriers and copies may also be used by the host,
/// where no launch can end. `at`: the memory that is wrong, or null.
[[noreturn]] void report_misuse(record::Verdict verdict, const record::Diagnosis& diagnosis, const char* call,
                                const void* at, Site site) {
  if (engine::Worker* const worker = engine::Worker::current(); worker != nullptr) {
    worker->begin_failure();
    record::Finding finding = engine::misused(*worker, site, call, diagnosis);
    finding.verdict = verdict;
    if (at != nullptr) finding.object = record::ObjectFacts{.address = reinterpret_cast<std::uintptr_t>(at)};
    worker->fail_here(std::move(finding));
  }
  record::Finding finding = finding_of(verdict, diagnosis, call, site);
  report::explain(finding);
  const std::string line =
      fmt::format("warpfiber: {} at {}:{}: {}\n", call, site.file != nullptr ? site.file : "?", site.line, finding.why);
  process::log_in_a_line(std::move(finding), line);
  std::abort();
}

}  // namespace

}  // namespace warpfiber::abi

// Asynchronous copies and calls to barriers in memory that cannot be right.
namespace warpfiber::detail {
namespace {

record::CopyMisused::Kind kind_of(CopyMisuse what) {
  using Kind = record::CopyMisused::Kind;
  switch (what) {
    case CopyMisuse::misaligned_to: return Kind::misaligned_destination;
    case CopyMisuse::misaligned_from: return Kind::misaligned_source;
    case CopyMisuse::ragged_size: return Kind::size_not_multiple;
    case CopyMisuse::bad_size: return Kind::size_not_supported;
    case CopyMisuse::too_many_zeroes: return Kind::too_many_zeroes;
    case CopyMisuse::not_to_shared: return Kind::not_to_shared;
  }
  __builtin_unreachable();
}

/// Whether `given` is an address.
bool is_about_address(CopyMisuse what) {
  return what == CopyMisuse::misaligned_to || what == CopyMisuse::misaligned_from || what == CopyMisuse::not_to_shared;
}

}  // namespace

void copy_misuse(CopyMisuse what, const char* call, std::uint64_t given, std::uint64_t wanted, Site site) {
  const void* at = is_about_address(what) ? reinterpret_cast<const void*>(given) : nullptr;
  abi::report_misuse(record::Verdict::cg_misuse, record::CopyMisused{kind_of(what), given, wanted}, call, at, site);
}

namespace {

record::PhaseMisused::Kind kind_of(PhaseMisuse what) {
  using Kind = record::PhaseMisused::Kind;
  switch (what) {
    case PhaseMisuse::uninitialised: return Kind::uninitialised;
    case PhaseMisuse::count_range: return Kind::count_out_of_range;
    case PhaseMisuse::too_many_arrivals: return Kind::too_many_arrivals;
    case PhaseMisuse::byte_range: return Kind::bytes_out_of_range;
  }
  __builtin_unreachable();
}

}  // namespace

void phase_misuse(PhaseMisuse what, const char* call, const std::uint64_t* word, std::uint64_t limit,
                  std::int64_t given, Site site) {
  abi::report_misuse(record::Verdict::cg_misuse,
                     record::PhaseMisused{kind_of(what), static_cast<std::int64_t>(limit), given}, call, word, site);
}

namespace {

struct MatrixVerdict {
  record::MatrixMisused::Kind kind;
  record::Verdict verdict;
};
MatrixVerdict verdict_of(MatrixMisuse what) {
  using Kind = record::MatrixMisused::Kind;
  switch (what) {
    case MatrixMisuse::misaligned: return {Kind::misaligned, record::Verdict::misaligned};
    case MatrixMisuse::leading_dimension: return {Kind::leading_dimension, record::Verdict::matrix_misuse};
    case MatrixMisuse::warp_incomplete: return {Kind::warp_incomplete, record::Verdict::bad_mask};
    case MatrixMisuse::arguments_differ: return {Kind::arguments_differ, record::Verdict::matrix_misuse};
    case MatrixMisuse::not_loaded: return {Kind::fragment_not_loaded, record::Verdict::matrix_misuse};
  }
  __builtin_unreachable();
}

}  // namespace

void matrix_misuse(MatrixMisuse what, const char* call, std::uint64_t given, std::uint64_t wanted, Site site) {
  const MatrixVerdict found = verdict_of(what);
  const void* at = what == MatrixMisuse::misaligned ? reinterpret_cast<const void*>(given) : nullptr;
  abi::report_misuse(found.verdict, record::MatrixMisused{found.kind, given, wanted}, call, at, site);
}

}  // namespace warpfiber::detail
