// SPDX-License-Identifier: Apache-2.0
// Names of the memory that findings of a launch are about. Not on the stack of a fiber.
#pragma once

#include <cstdint>
#include <vector>

#include "record/finding.hpp"

namespace warpfiber::engine {

struct GridRequest;
struct WorkerState;

/// Addresses in the functions that lead to where the party's threads stand, innermost first.
std::vector<std::uintptr_t> code_of(const record::Party& party);

/// Completes the object of the finding that has ended the launch, of which a fiber of this worker has left only the
/// address, and names it in the diagnosis. Called while blocks of the worker still have their shared memory.
void name_object_of_failure(const WorkerState& worker);

}  // namespace warpfiber::engine
