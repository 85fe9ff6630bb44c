// SPDX-License-Identifier: Apache-2.0
// Launches of kernels whose blocks run as loops over their threads (regions.cu), in blocks of kThreads threads. All
// return whether the launch ended well. Called by the benchmarks only, and there only where -fregions works.
#pragma once

#include <warpfiber/half.hpp>

namespace warpfiber::bench {

bool sum_blocks_by_regions(const float* in, float* out, unsigned blocks);
bool sum_warps_by_regions(const unsigned* in, unsigned* out, unsigned blocks);
bool scan_blocks_by_regions(const unsigned* in, unsigned* out, unsigned blocks);
bool sort_blocks_by_regions(const unsigned* in, unsigned* out, unsigned blocks);
bool multiply_tiles_by_regions(const float* a, const float* b, float* c, unsigned n);
bool multiply_fragments_by_regions(const half* a, const half* b, float* c, unsigned n);

}  // namespace warpfiber::bench
