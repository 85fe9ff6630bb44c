// SPDX-License-Identifier: Apache-2.0
// Functions of both sides have two addresses in CUDA: host code takes the host's, with which a kernel's call faults.
// Here there is one function, so host code is given the address of a few instructions that go to it, and that fault in
// kernels. Any thread may call.
#pragma once

namespace warpfiber::memory {

/// The host's address of `function`, which is the device's; that one itself in kernels, on other processors than x86-64
/// and for functions beyond the first 1,024. It is kept for ever.
const void* const& host_address_of(const void* function);

/// The function that is meant by a host's address; null where it is none.
const void* function_meant_by(const void* host_address);

}  // namespace warpfiber::memory
