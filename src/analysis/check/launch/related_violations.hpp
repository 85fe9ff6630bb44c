// SPDX-License-Identifier: Apache-2.0
// Which violations of a launch are one defect, or follow from another violation. Called when a launch is over; `all`
// are its violations.
#pragma once

#include <cstdint>
#include <vector>

#include "check/launch/launch_checker.hpp"
#include "check/violations/violations.hpp"

namespace warpfiber::check {

/// The write that is reported for a read outside of an object: the other half of a change, or one that led to the same
/// memory. Null where there is none.
const Violation* explaining_write(const std::vector<Violation>& all, const Violation& one);
/// A race with the write of what was read uninitialised: one defect.
bool is_explained(const std::vector<Violation>& all, const Violation& uninitialised);
/// What is done before others have started their part of an asynchronous copy is a race, and what is done after that
/// is a kind of the copy: one defect, where both are at the same lines.
bool is_part_of_copy_hazard(const std::vector<Violation>& all, const Violation& race);
/// A copy that is pending when its thread ends, of which something was accessed before: the same wait is missing.
bool is_read_before_wait(const std::vector<Violation>& all, const Violation& pending);
/// An index out of bounds that has led into another object: what is found there follows from it.
bool follows_from_outside(const std::vector<Violation>& all, const Violation& race);
/// Elements that are written with more bytes than they are apart: the last one runs over the end of the object, the
/// others into their neighbours. Stores that meet in more words have another cause as well.
bool is_part_of_overrun(const std::vector<Violation>& all, const Violation& race, std::uint64_t threads);
/// Where the store of one and the same value is also in a race with a read or another value, that is what is wrong.
bool is_part_of_race(const std::vector<Violation>& all, const Violation& same_value);
/// Whether what the lanes do with the mask is an error.
bool has_wrong_mask(const std::vector<Violation>& all, const Violation& active_lanes);
/// The same two accesses, which came in the other order elsewhere.
bool is_reverse(const Violation& one, const Violation& other);
/// The violation of the same defect, if it comes before; itself where none does. An atomic whose scope is too
/// small is a race, and so is what it would have ordered between threads of the same two blocks.
const Violation& first_of_defect(const std::vector<Violation>& all, const Violation& one, const LaunchChecker& checker);
/// Whether threads also store one and the same value at one of the lines of the race.
bool is_also_stored(const std::vector<Violation>& all, const Violation& race);

}  // namespace warpfiber::check
