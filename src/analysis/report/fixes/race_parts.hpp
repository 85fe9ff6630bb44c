// SPDX-License-Identifier: Apache-2.0
// The parts of the explanation of a race (fix.cpp): which barrier is missing and where it may stand, or which hand-over
// by barriers in memory is wrong.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "record/finding.hpp"
#include "report/fixes/placement.hpp"
#include "report/source_text.hpp"

namespace warpfiber::report {

/// Adds `text` after the statement at line `after` and before the one at line `before` of `file`. Nothing where one of
/// the two shares its lines with the statement next to it, so that no line can stand between.
std::optional<record::Insertion> insertion_between(SourceText& sources, const std::string& file, unsigned after,
                                                   unsigned before, const std::string& text);

/// The same after the statement at line `after`, which is the last of a loop's or a function's that has to come first.
std::optional<record::Insertion> insertion_after(SourceText& sources, const std::string& file, unsigned after,
                                                 const std::string& text);

/// Which barrier would order the accesses of a race, and where it may stand.
struct MissingBarrier {
  std::string fix{};
  std::vector<std::vector<record::Insertion>> insertions{};  // as of Finding
};

MissingBarrier missing_barrier(const record::Finding& finding, const std::optional<Gap>& gap, SourceText& sources);

// The sentences of a race on what a flag, a counter or a lock hands over: which fence or barrier is missing, and where.

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

// A barrier in memory between the lines of a race: it lets threads go on before all have arrived that it should order.

/// Sets `why` and `fix` of a race of which such a barrier is in the gap; false if none is.
bool explain_phase(record::Finding& finding, const Gap& gap, SourceText& sources);

/// Sets `why` and `fix` of a race with what is read after the stage of a pipeline was given back; false if none was.
bool explain_release(record::Finding& finding, SourceText& sources);

/// The line of the call that waits for that barrier; 0: there is none.
unsigned phase_between(const record::Finding& finding, const Gap& gap, SourceText& sources);

// Threads of two roles, such as producers and consumers, that hand memory to each other by barriers in memory: one role
// arrives when it is done, the other waits for that. A race between them has to do with that barrier, and not with one
// of the whole block, which they do not come to together.

/// Sets `why` and `fix` of a race between such roles; false if the source shows none.
bool explain_roles(record::Finding& finding, SourceText& sources);

/// Whether a thread that waits at `line` waits for a barrier by which the roles of the race hand over.
bool is_wait_of_roles(const record::Finding& race, unsigned line, SourceText& sources);

/// Sets `why` and `fix` of a finding with MissingOrder::lost_update: an update that is lost because it is made by a
/// volatile read and a volatile write. Its parties are a write, and another thread's read
/// whose value it then writes.
void explain_lost_update(record::Finding& finding, SourceText& sources);

}  // namespace warpfiber::report
