// SPDX-License-Identifier: Apache-2.0
// Copies that read memory of a device which nobody has written. To the host they are findings; from one piece of such
// memory to another they bring what is still unwritten there. Any thread may call.
#pragma once

#include <vector>

#include "check/objects/unwritten.hpp"
#include "device_memory/accesses.hpp"

namespace warpfiber::runtime {

/// Reports a copy that is about to be done, if the bytes that it takes to the host have not been written. Of a few of
/// them nothing is said: they may be a structure's padding, or the gaps between rows.
void report_unwritten(const device_memory::Transfer& transfer, const record::LaunchOrder& order);

/// Where such a copy, within memory whose bytes are distinguished, puts what nobody has written; of very many stretches
/// the first.
std::vector<check::Stretch> unwritten_after(const device_memory::Transfer& transfer, const record::LaunchOrder& order);

/// The program went on without a kernel or a call that was refused: what they would have written nobody has, and that
/// is no defect of its own.
void expect_unwritten();

}  // namespace warpfiber::runtime
