// SPDX-License-Identifier: Apache-2.0
// Addresses in place of those of host memory, for kernels that must not reach it: nothing is mapped there, so that an
// access faults, and the fault's address says which memory was meant. Any thread may call.
#pragma once

namespace warpfiber::memory {

/// An address that faults in place of `address`; `address` itself where nothing is, or where something is already
/// where it would fault.
const void* out_of_reach(const void* address);

/// `address` with the bit turned that makes the difference.
const void* turned(const void* address);

/// Whether the process has memory there. A call of the system.
bool is_mapped(const void* address);

/// What `faulting` stands for; null where it was not made by out_of_reach().
const void* meant_by(const void* faulting);

}  // namespace warpfiber::memory
