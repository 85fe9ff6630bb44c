// SPDX-License-Identifier: Apache-2.0
//
// The first party is the copy, the second the access.
#include "report/fixes/fix.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/text.hpp"
#include "record/diagnosis.hpp"
#include "report/fixes/finding_lines.hpp"
#include "report/fixes/race_parts.hpp"
#include "report/fixes/source/barrier_calls.hpp"
#include "report/fixes/source/source_words.hpp"
#include "report/fixes/source/statements.hpp"

namespace warpfiber::report {
namespace {

using record::Finding;
using record::Place;

/// `__pipeline_wait_prior(1)`: a wait that lets the newest batches go on.
struct PartialWait {
  unsigned line = 0;
  std::string call{};
};

/// The last such call in front of line `before`, in `of`.
void find_partial(const Statement& of, unsigned before, std::optional<PartialWait>& found) {
  constexpr std::string_view kWaits[] = {"__pipeline_wait_prior ( ", "wait_prior < ", "wait_group < ", "wait_prior ( "};
  for (const std::string_view name : kWaits) {
    const std::size_t at = of.words.find(name);
    if (at == std::string::npos || of.first > before || (found.has_value() && found->line >= of.first)) continue;
    std::string_view rest = std::string_view(of.words).substr(at + name.size());
    const std::string_view count = rest.substr(0, rest.find(' '));
    if (base::parse_number(count).value_or(0) == 0) continue;
    std::string call(name.substr(0, name.size() - 1));
    std::erase(call, ' ');
    found = PartialWait{of.first, call + std::string(count) + (call.back() == '<' ? ">()" : ")")};
  }
  for (const Statement& part : of.parts) find_partial(part, before, found);
}

/// The wait that belongs to how the copy is made; empty: not known.
std::string wait_for(const std::string& copy) {
  if (copy.find("__pipeline_memcpy_async") != std::string::npos) return "__pipeline_wait_prior(0)";
  return {};
}

bool is_barrier(const Statement& of) {
  return of.control == Statement::Control::simple &&
         (of.words.find("__syncthreads (") != std::string::npos || of.words.find(" sync (") != std::string::npos);
}

class CopyWait {
 public:
  CopyWait(Finding& finding, SourceText& sources)
      : finding_(finding),
        copy_(finding.parties[0].place),
        access_(finding.parties[1].place),
        sources_(sources),
        lines_(finding, sources),
        all_(statements_of(sources, access_.file)),
        around_(statements_around(all_, access_.line, access_.line)),
        function_(*around_[around_.size() > 1 ? 1 : 0]) {}

  void write() {
    const std::string release = missing_release(access_, sources_);
    if (!release.empty()) return explain_release(release);
    std::optional<PartialWait> partial;
    find_partial(function_, access_.line, partial);
    if (partial.has_value()) return explain_partial(*partial);
    if (explain_pipeline()) return;
    explain_place();
  }

 private:
  std::string at(unsigned line) const { return lines_.at({.file = access_.file, .line = line}); }

  void explain_release(const std::string& release) {
    finding_.why =
        "The destination of an asynchronous copy is accessed before the copy is complete: without consumer_release() "
        "the "
        "pipeline stays at its first stage, and consumer_wait() waits for that one again.";
    finding_.fix = release;
  }

  void explain_partial(const PartialWait& wait) {
    finding_.why = fmt::format(
        "The destination of an asynchronous copy is accessed before the copy is complete: {} at {} lets the newest "
        "batches go on, and the copy is one of them",
        wait.call, at(wait.line));
    const Statement* loop = nullptr;
    for (const Statement* one : around_) {
      if (one->control == Statement::Control::loop && one->contains(wait.line)) loop = one;
    }
    finding_.why += loop == nullptr ? "." : " where no newer batch was committed.";
    const std::string all = wait.call.substr(0, wait.call.find_first_of("(<") + 1) + "0" +
                            (wait.call.find('<') == std::string::npos ? ")" : ">()");
    finding_.fix =
        loop == nullptr
            ? fmt::format("{} at {}", all, at(wait.line))
            : fmt::format(
                  "{} at {} in iterations of the loop at {} that commit no newer batch, or commit one in each "
                  "iteration, an empty one too",
                  all, at(wait.line), at(loop->first));
  }

  /// The stage is committed, and no consumer waits for it.
  bool explain_pipeline() {
    const unsigned commit = line_of_call(function_, "producer_commit");
    if (commit == 0 || commit >= access_.line || line_of_call(function_, "consumer_wait") != 0) return false;
    finding_.fix = fmt::format("consumer_wait() after {} and before {}", at(commit), at(access_.line));
    return true;
  }

  /// Between the copy and the access, in front of a barrier that is there.
  void explain_place() {
    const bool in_order = is_same_file(copy_.file, access_.file) && copy_.line < access_.line &&
                          (copy_.function == access_.function || copy_.function.empty());
    const std::string wait = wait_for(lines_.text_of(copy_));
    if (!in_order || wait.empty()) return;
    const std::vector<const Statement*> around = statements_around(all_, copy_.line, access_.line);
    const Statement& inner = *around.back();
    if (inner.control != Statement::Control::block) return;
    unsigned after = copy_.line;
    unsigned before = access_.line;
    bool commits = false;
    for (const Statement& part : inner.parts) {
      if (part.first <= copy_.line || part.first >= access_.line) {
        if (part.contains(copy_.line)) after = part.last;
        continue;
      }
      if (is_barrier(part) && part.first > after) {
        before = part.first;
        break;
      }
      if (part.words.find("commit") != std::string::npos) {
        commits = true;
        after = part.last;
      }
    }
    const std::string text = commits ? wait : "__pipeline_commit(), then " + wait;
    finding_.fix = fmt::format("{} after {} and before {}", text, at(after),
                               before == access_.line ? at(before) : fmt::format("the barrier at {}", at(before)));
    if (before == access_.line) finding_.fix += ", and a barrier behind it where the data is other threads'";
    const auto made = insertion_between(sources_, access_.file, after, before,
                                        commits ? wait + ";" : "__pipeline_commit(); " + wait + ";");
    if (made.has_value()) finding_.insertions.push_back({*made});
  }

  Finding& finding_;
  const Place copy_;
  const Place access_;
  SourceText& sources_;
  const FindingLines lines_;
  const Statement all_;
  const std::vector<const Statement*> around_;
  const Statement& function_;
};

}  // namespace

void explain_copy_wait(Finding& finding, SourceText& sources) {
  const auto* const mistake = std::get_if<record::Mistake>(finding.diagnosis.get());
  if (mistake == nullptr || *mistake != record::Mistake::copy_destination_accessed) return;
  if (finding.parties.size() < 2 || !finding.parties[1].place.known()) return;
  CopyWait(finding, sources).write();
}

}  // namespace warpfiber::report
