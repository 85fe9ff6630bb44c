// SPDX-License-Identifier: Apache-2.0
// Whether memory is there. Linux asks the kernel; elsewhere everything counts as there.
#pragma once

namespace warpfiber::base {

/// Whether the word of eight bytes that `address` lies in can be read.
bool is_readable(const void* address);

}  // namespace warpfiber::base
