// SPDX-License-Identifier: Apache-2.0
//
// From the facts of a finding to its sentences: those of its diagnosis, then what is added to them.
#include "report/explain/explain.hpp"

#include <fmt/format.h>

#include <type_traits>
#include <variant>

#include "base/text.hpp"
#include "report/catalogue/catalogue.hpp"

namespace warpfiber::report {
namespace {

using record::Finding;
using record::Verdict;

bool is_mistake(const Finding& finding, record::Mistake mistake) {
  const auto* const known = std::get_if<record::Mistake>(finding.diagnosis.get());
  return known != nullptr && *known == mistake;
}

/// Whether an atomic is printed without "read" or "write": which of the strong accesses are atomics is not known.
bool hides_kind(const Finding& finding) {
  if (std::get_if<record::OutsideAccess>(finding.diagnosis.get()) != nullptr) return false;
  if (std::get_if<record::OutsideIndex>(finding.diagnosis.get()) == nullptr) return true;
  return finding.object.has_value() && finding.object->space == "host";
}

/// "Invalid __global__ read", of which the catalogue has all but the last word.
std::string term_of_access(const Finding& finding, Verdict listed) {
  const record::Party& access = finding.parties.front();
  const char* const kind = access.strong && hides_kind(finding) ? ""
                           : access.role == record::Role::write ? " write"
                                                                : " read";
  return fmt::format("{}{}", entry_of(listed).sanitizer_term, kind);
}

std::string term_of(const Finding& finding, const std::string& term) {
  const bool race = finding.verdict == Verdict::race_shared || finding.verdict == Verdict::race_dsmem;
  if (race && !is_mistake(finding, record::Mistake::relies_on_lock_step))
    return std::string(entry_of(finding.verdict).sanitizer_term);
  if (term == kInvalidAccess) return term_of_access(finding, Verdict::oob_global);
  const bool outside = std::get_if<record::OutsideAccess>(finding.diagnosis.get()) != nullptr ||
                       std::get_if<record::OutsideIndex>(finding.diagnosis.get()) != nullptr;
  if (!outside || finding.verdict == Verdict::oob_index) return term;
  if (finding.object.has_value() && finding.object->space == "constant") return {};
  return term_of_access(finding, finding.verdict == Verdict::oob_global || finding.verdict == Verdict::oob_shared
                                     ? finding.verdict
                                     : Verdict::oob_dsmem);
}

void add_other_launches(Finding& finding, const record::OtherLaunches& others) {
  if (!others.kept_out.empty()) {
    finding.why +=
        fmt::format(" Launched in other streams and waiting for a free SM: {}.", fmt::join(others.kept_out, ", "));
    finding.fix =
        "use fewer blocks, so that kernels that wait for each other are resident together; or launch the one that the "
        "others wait for first";
  }
  if (!others.blocked.empty())
    finding.why += fmt::format(" Also blocked, in other streams: {}.", fmt::join(others.blocked, ", "));
  if (!others.elsewhere.empty())
    finding.why += fmt::format(" Also blocked, on other devices: {}.", fmt::join(others.elsewhere, ", "));
}

/// What is added to the sentences of the diagnosis.
void add_circumstances(Finding& finding) {
  if (finding.may_be_any_of_row) {
    finding.why += " It may be any thread with the same threadIdx.y and threadIdx.z; the first is shown.";
    if (std::get_if<record::ThreadWithoutEnd>(finding.diagnosis.get()) != nullptr)
      finding.why += " If it waits for another of these threads, WARPFIBER_POLICY=random runs that one.";
  }
  if (finding.may_be_any_of_block) {
    finding.why +=
        " It may be any thread of the block; the first is shown. Fibers ran the block once more, and nothing was wrong "
        "then: WARPFIBER_REGIONS=off runs all blocks by fibers.";
  }
  if (finding.help.has_value()) {
    finding.why +=
        fmt::format(" The memory could have been changed by {}, which has not happened for {} (WARPFIBER_WATCHDOG).",
                    finding.help->by_process ? "another process, through a shared mapping" : "a thread of the host",
                    base::counted(finding.help->seconds, "second"));
  }
  if (finding.other_launches.has_value()) add_other_launches(finding, *finding.other_launches);
  if (finding.error_is_unseen) {
    finding.why += " The program did not check for errors.";
    finding.fix = "check cudaGetLastError() after every launch";
  }
}

}  // namespace

void explain(Finding& finding) {
  for (record::Party& party : finding.parties) {
    if (!std::holds_alternative<std::monostate>(party.note))
      party.detail = note_text(party.note, finding.launch.warp_size);
  }
  Sentences sentences;
  const record::Diagnosis* const diagnosis = finding.diagnosis.get();
  if (diagnosis != nullptr) {
    sentences = std::visit([](const auto& facts) { return sentences_of(facts); }, *diagnosis);
    finding.why = std::move(sentences.why);
    finding.fix = std::move(sentences.fix);
  }
  if (diagnosis != nullptr || finding.order.has_value())
    finding.sanitizer_term = term_of(finding, sentences.sanitizer_term);
  add_circumstances(finding);
  if (finding.left_out != 0)
    finding.why += fmt::format(
        " {} accesses out of bounds were left out before; the launch ends here, and the rest was not checked.",
        base::thousands(finding.left_out));
}

}  // namespace warpfiber::report
