// SPDX-License-Identifier: Apache-2.0
// What the source says of findings: the explanation and the fix of each race, made from what the checker knows of it,
// of waits that are missing or never end, and names of objects. Called once the places of the findings have lines
// (locate.hpp).
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "record/finding.hpp"
#include "report/source_text.hpp"

namespace warpfiber::report {

/// Sets `why` and `fix` of those findings of one launch that are races with an order that is missing (Finding::order).
/// Races that one barrier would end get that barrier.
void explain_races(std::span<record::Finding> findings, SourceText& sources);

/// Makes one finding of the races of one launch that have the same fix: one missing barrier shows at every array that
/// is accessed around it. The accesses of the others follow as further pairs of parties.
void fold_races(std::vector<record::Finding>& findings);

/// Leaves out barriers that threads missed, or wait at for ever, because of a race that is among the findings; the race
/// says so.
void fold_divergence(std::vector<record::Finding>& findings, SourceText& sources);

/// Sets `why` and `fix` of an access before a copy was complete, where the lines show what is wrong: where the wait for
/// the copy belongs, and why one that is there does not wait for it.
void explain_copy_wait(record::Finding& finding, SourceText& sources);

/// Adds to what is said of the parties of a launch that cannot go on, or of a barrier that some threads leave out, the
/// loop that they wait in, or that they are behind.
void explain_loops(record::Finding& finding, SourceText& sources);

/// Sets `why` and `fix` of a launch that cannot go on, where its lines show the cause: a lock that is held across a
/// barrier, a pipeline whose stages are never released, a barrier in memory that has counted wrongly.
void explain_hang(record::Finding& finding, SourceText& sources);

/// The fix for a pipeline that the function around `line` waits for and never releases; empty if that is not so.
std::string missing_release(const record::Place& line, SourceText& sources);

/// Which array of a source line an index is for, by the column that the compiler says: "mine.position" of
/// "mine.position[i] += 1". `column`, from 1, is that of the bracket behind the index (g++) or that where the
/// expression begins (clang++), in which several arrays may have an index: then the one with `dimensions`, if that is
/// no other one. Empty where that is not known.
std::string indexed_array(std::string_view line, unsigned column, std::size_t dimensions);

/// Sets the name of the array where the finding is about an index outside of one. Called once places have lines, and
/// before explain().
void name_array(record::Finding& finding, SourceText& sources);

/// Has the finding about an access outside of every object be about the object that the line indexes, and not about
/// what happens to be next to the address. Where that cannot be read from the source, and nothing is near the address,
/// it is about no object. Called once places have lines, and before explain().
void name_outside_object(record::Finding& finding, SourceText& sources);

/// How the host calls an allocation, by what the line that allocates it stores the address in: "d_in" of
/// "cudaMalloc((void**)&d_in, bytes)", "parts[i].data" of "cudaMallocAsync(&parts[i].data, ...)"; empty where the line
/// has no such call, or several, or stores the address elsewhere.
std::string allocated_as(std::string_view line);

/// Names the allocations of the finding that have no name. Called once places have lines, and after explain_races(),
/// which looks for names of kernels.
void name_allocations(record::Finding& finding, SourceText& sources);

}  // namespace warpfiber::report
