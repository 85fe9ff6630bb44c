// SPDX-License-Identifier: Apache-2.0
// The sentences of a race on what a flag, a counter or a lock hands over: which fence or barrier is missing, and where.
#pragma once

#include <string_view>

#include "record/finding.hpp"
#include "report/source_text.hpp"

namespace warpfiber::report {

/// "__syncthreads()", in the order of Width.
std::string_view barrier_of(record::Width width);
std::string_view fence_of(record::Width width);

/// Sets `why`, `fix` and `insertions` of a race with an order that is missing. False where its lines are not in the
/// order of a hand-over, or the word that it names says nothing of it.
bool explain_hand_over(record::Finding& finding, SourceText& sources);

}  // namespace warpfiber::report
