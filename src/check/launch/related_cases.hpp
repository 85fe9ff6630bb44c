// SPDX-License-Identifier: Apache-2.0
// Which cases of a launch are one defect, or follow from another case. Called when a launch is over; `all` are its
// cases.
#pragma once

#include <cstdint>
#include <vector>

#include "check/cases/cases.hpp"
#include "check/launch/launch_checker.hpp"

namespace warpfiber::check {

/// The write that is reported for a read outside of an object: the other half of a change, or one that led to the same
/// memory. Null where there is none.
const Case* explaining_write(const std::vector<Case>& all, const Case& one);
/// A race with the write of what was read uninitialised: one defect.
bool is_explained(const std::vector<Case>& all, const Case& uninitialised);
/// What is done before others have started their part of an asynchronous copy is a race, and what is done after that
/// is a hazard of the copy: one defect, where both are at the same lines.
bool is_part_of_copy_hazard(const std::vector<Case>& all, const Case& race);
/// A copy that is pending when its thread ends, of which something was accessed before: the same wait is missing.
bool is_read_before_wait(const std::vector<Case>& all, const Case& pending);
/// An index out of bounds that has led into another object: what is found there follows from it.
bool follows_from_outside(const std::vector<Case>& all, const Case& race);
/// Elements that are written with more bytes than they are apart: the last one runs over the end of the object, the
/// others into their neighbours. Stores that meet in more words have another cause as well.
bool is_part_of_overrun(const std::vector<Case>& all, const Case& race, std::uint64_t threads);
/// Where the store of one and the same value is also in a race with a read or another value, that is what is wrong.
bool is_part_of_race(const std::vector<Case>& all, const Case& same_value);
/// Whether what the lanes do with the mask is an error.
bool has_wrong_mask(const std::vector<Case>& all, const Case& active_lanes);
/// The same two accesses, which came in the other order elsewhere.
bool is_reverse(const Case& one, const Case& other);
/// The case of the same defect, if it comes before; itself where none does. An atomic whose scope is too
/// small is a race, and so is what it would have ordered between threads of the same two blocks.
const Case& first_of_defect(const std::vector<Case>& all, const Case& one, const LaunchChecker& checker);
/// Whether threads also store one and the same value at one of the lines of the race.
bool is_also_stored(const std::vector<Case>& all, const Case& race);

}  // namespace warpfiber::check
