// SPDX-License-Identifier: Apache-2.0
// How often each byte occurs in a text: every block counts into shared memory of its own, then adds its counts to the
// totals, so that the hot letters are not fought for by the whole grid.
// Source: N. Sakharnykh, "GPU Pro Tip: Fast Histograms Using Shared Atomics on Maxwell".
#pragma once

#include <warpfiber/warpfiber.hpp>

namespace gallery {

constexpr unsigned kHistogramBins = 256;

static __global__ void histogram(const unsigned char* letters, unsigned count, unsigned* totals) {
  WARPFIBER_SHARED(unsigned[kHistogramBins], counts);
  for (unsigned bin = threadIdx.x; bin < kHistogramBins; bin += blockDim.x) counts[bin] = 0;
  __syncthreads();
  const unsigned stride = gridDim.x * blockDim.x;
  for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += stride) atomicAdd(&counts[letters[i]], 1U);
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < kHistogramBins; bin += blockDim.x) {
    if (counts[bin] != 0) atomicAdd(&totals[bin], counts[bin]);
  }
}

}  // namespace gallery
