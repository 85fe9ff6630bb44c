// SPDX-License-Identifier: Apache-2.0
// The sentences of a race on what a flag, a counter or a lock hands over: which fence or barrier is missing, and where.
#pragma once

#include <span>
#include <string_view>

#include "record/finding.hpp"
#include "report/source_text.hpp"

namespace warpfiber::report {

/// "__syncthreads()", in the order of Width.
std::string_view barrier_of(record::Width width);
std::string_view fence_of(record::Width width);

/// From the last access before a word is set to the first one after it is read.
struct HandOverSpan {
  record::Place first{};
  record::Place second{};
};

/// Of a finding with a hand-over: all that races of the launch show of it, so that one fence orders all.
HandOverSpan span_of(const record::Finding& finding, std::span<const record::Finding> findings);

/// Sets `why`, `fix` and `insertions` of a race with a hand-over. False where its lines are not in the order of one, or
/// the word that it names says nothing of it.
bool explain_hand_over(record::Finding& finding, const HandOverSpan& span, SourceText& sources);

}  // namespace warpfiber::report
