// SPDX-License-Identifier: Apache-2.0
// Which findings of a process are the same, and which are about one defect: an index outside its array, and what the
// access with that index then does; operations of two streams that nothing orders.
#pragma once

#include <string>
#include <tuple>
#include <vector>

#include "record/finding.hpp"
#include "report/source_text.hpp"

namespace warpfiber::process {

/// What makes two findings one: the verdict, how serious it is, and where its parties are, in any order; of a call
/// that is refused also where the function that makes it is called. A party without a
/// known place goes by its kernel, what it does and why. A change reads and writes: of a race at one line it does not
/// matter which of the two came first.
using FindingSite = std::tuple<std::string, unsigned, record::Role>;
using FindingKind = std::tuple<record::Verdict, record::Severity, std::vector<FindingSite>>;

/// Of a finding whose places have been looked up: one kind, or of a race one for each pair of accesses, so that a pair
/// is known whatever it has been reported with. The first is of what leads the report.
std::vector<FindingKind> kinds_of(const record::Finding& finding);

/// Findings at the same lines become one: of races, that of the threads farthest apart, which needs most.
void merge_same(std::vector<record::Finding>& findings);

/// Whether the finding that ended a launch comes before its other findings in that order.
bool ends_first(const record::Finding& ending, const std::vector<record::Finding>& others);

/// Puts the findings of a launch in the order in which is_of_known_defect() expects them: accesses outside of objects,
/// indices outside arrays, the rest.
void put_causes_first(std::vector<record::Finding>& findings);

/// Leaves out each finding that another of the launch explains. A store of one and the same value without order: by an
/// access out of bounds at a line of it, or a race of the same store. A race in another object, or a read of it
/// unwritten: by the same expression, which is out of bounds of its own array. The places of all have been looked up.
void leave_out_explained(std::vector<record::Finding>& findings);

/// Whether `finding` is none of its own where those are known that are `known`; the places of all have been looked up.
bool is_of_known_defect(const record::Finding& finding, const std::vector<record::Finding>& known);

/// Whether `finding`, a read of what nobody has written, may be the consequence of `failed`, a call or launch that
/// returned an error instead of writing it.
bool is_left_unwritten_by(const record::Finding& failed, const record::Finding& finding);

/// Whether `finding`, of an index outside its array, is only about an address that is computed: `array + i`. clang++
/// calls the same hook for it as for `array[i]`, and no access with the address was seen.
bool is_of_pointer_arithmetic(const record::Finding& finding, report::SourceText& sources);

}  // namespace warpfiber::process
