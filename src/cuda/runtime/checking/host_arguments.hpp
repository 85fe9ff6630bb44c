// SPDX-License-Identifier: Apache-2.0
// What a launch does with pointers to memory of the host, which a device cannot reach.
#pragma once

namespace warpfiber::cuda::detail {
struct KernelRecord;
}

namespace warpfiber::runtime {

/// Pointers to pageable host memory that the kernel only accesses become addresses that fault. A kernel that never
/// accesses them sees no difference. `arguments` point to objects of the launch's own.
void put_host_memory_out_of_reach(const cuda::detail::KernelRecord& kernel, void* const* arguments);

}  // namespace warpfiber::runtime
