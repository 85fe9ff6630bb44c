// SPDX-License-Identifier: Apache-2.0
// How the hooks report an access that no device would do. Called by this folder, inside a checked kernel.
#pragma once

namespace warpfiber::abi {

/// Ends the launch, as on the device; what is to be said of it the checker knows.
void report_misaligned(const void* address, unsigned bytes, bool write, const void* instruction);

/// The same of an access that the checker has just judged: no device reaches the address.
void report_unreachable();

}  // namespace warpfiber::abi
