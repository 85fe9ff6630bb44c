// SPDX-License-Identifier: Apache-2.0
// Addresses in place of the host's. Kernels that must not reach host memory get others: nothing is mapped there, so
// that an access faults, and the fault's address says which memory was meant. Of functions host code has addresses of
// its own. Any thread may call.
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

// Functions of both sides have two addresses in CUDA: host code takes the host's, with which a kernel's call faults.
// Here there is one function, so host code is given the address of a few instructions that go to it, and that fault in
// kernels. Any thread may call.

/// The host's address of `function`, which is the device's; that one itself in kernels, on other processors than x86-64
/// and for functions beyond the first 1,024. It is kept for ever.
const void* const& host_address_of(const void* function);

/// The function that is meant by a host's address; null where it is none.
const void* function_meant_by(const void* host_address);

}  // namespace warpfiber::memory
