// SPDX-License-Identifier: Apache-2.0
// Reduction in shared memory by a tree, generic in the group that does it: the halves of the group are folded onto each
// other until one thread is left. Groups need not have a power of two of threads. Called by every thread of the group.
// Source: M. Harris and K. Perelygin, "Cooperative Groups: Flexible CUDA Thread Programming".
#pragma once

#include "groups.hpp"

namespace gallery {

constexpr unsigned kMostThreads = 1024;

/// The sum of `value` over the group, for every thread of it. `scratch` has a place for each rank and may be used again
/// after the group's next barrier.
template <class Group, class T>
__device__ T tree_sum(const Group& group, T* scratch, T value) {
  const unsigned rank = group.thread_rank();
  const unsigned size = group.size();
  unsigned half = 1;
  while (2 * half < size) half *= 2;
  scratch[rank] = value;
  for (; half > 0; half /= 2) {
    group.sync();
    if (rank < half && rank + half < size) scratch[rank] += scratch[rank + half];
  }
  group.sync();
  return scratch[0];
}

}  // namespace gallery
