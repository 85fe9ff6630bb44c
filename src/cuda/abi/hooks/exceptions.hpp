// SPDX-License-Identifier: Apache-2.0
// Objects that kernels throw. They lie in the C++ library's memory, which no device can access; but a kernel that
// throws is a finding of its own, and what is thrown the thread may write and read.
#pragma once

namespace warpfiber::abi {

/// Whether `address` is in one of the last few objects that threads of kernels threw on this OS thread.
bool is_thrown(const void* address);

}  // namespace warpfiber::abi
