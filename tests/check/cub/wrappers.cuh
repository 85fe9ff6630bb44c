// SPDX-License-Identifier: Apache-2.0
//
// As libraries of CUDA code have them: wrappers of PTX that is not modelled, in a folder of such a library's name.
#pragma once

namespace library {

__device__ inline void fence() {
  asm volatile("wgmma.fence.sync.aligned;");
}

__device__ inline int difference(int a, int b) {
  int d;
  asm("vabsdiff4.u32.u32.u32 %0, %1, %2, 0;" : "=r"(d) : "r"(a), "r"(b));
  return d;
}

}  // namespace library
