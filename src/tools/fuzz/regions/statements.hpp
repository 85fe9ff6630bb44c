// SPDX-License-Identifier: Apache-2.0
//
// Draws statements of a random kernel, with branches, switches, loops and calls that hold others.
#pragma once

#include "tools/fuzz/regions/draft.hpp"

namespace warpfiber::tools::fuzz {

/// Writes statements until as many are there as the body is to have.
void write_statements(KernelDraft& draft);

/// Writes what kernels and functions begin with: where the thread is.
void write_position(KernelDraft& draft);

}  // namespace warpfiber::tools::fuzz
