// SPDX-License-Identifier: Apache-2.0
// Launches of the measured kernels, compiled by the drop-in with -fregions. Called by the benchmarks only.
#include "regions.hpp"

#include "measured_kernels.hpp"

namespace warpfiber::bench {
namespace {

bool has_ended_well() { return cudaGetLastError() == cudaSuccess && cudaDeviceSynchronize() == cudaSuccess; }

}  // namespace

bool sum_blocks_by_regions(const float* in, float* out, unsigned blocks) {
  sum_blocks<<<blocks, kThreads>>>(in, out);
  return has_ended_well();
}

bool sum_warps_by_regions(const unsigned* in, unsigned* out, unsigned blocks) {
  sum_warps<<<blocks, kThreads>>>(in, out);
  return has_ended_well();
}

bool scan_blocks_by_regions(const unsigned* in, unsigned* out, unsigned blocks) {
  scan_blocks<<<blocks, kThreads>>>(in, out);
  return has_ended_well();
}

bool sort_blocks_by_regions(const unsigned* in, unsigned* out, unsigned blocks) {
  sort_blocks<<<blocks, kThreads>>>(in, out);
  return has_ended_well();
}

bool multiply_tiles_by_regions(const float* a, const float* b, float* c, unsigned n) {
  multiply_tiles<<<dim3(n / kTile, n / kTile), dim3(kTile, kTile)>>>(a, b, c, n);
  return has_ended_well();
}

bool multiply_fragments_by_regions(const half* a, const half* b, float* c, unsigned n) {
  multiply_fragments<<<n / kTile * (n / kTile) * kLanes / kThreads, kThreads>>>(a, b, c, n);
  return has_ended_well();
}

}  // namespace warpfiber::bench
