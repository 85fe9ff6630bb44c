// expect: bad-mask   SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// hw: silent
// why: nothing makes the two halves of a warp meet again after a branch, so the vote may be one half's or one lane's
// Source: Y. Lin and V. Grover, "Using CUDA Warp-Level Primitives", on implicit warp-synchronous programming; the
// legacy
// __ballot() of that listing took part with whoever was converged, which is what the mask says here.
#pragma once

#include <warpfiber/warpfiber.hpp>

namespace gallery {

/// One block of 32 threads; counts elements that are large for an odd place or small for an even one.
static __global__ void vote_after_branch(const int* in, unsigned* votes) {
  const unsigned lane = threadIdx.x;
  bool vote;
  if (lane % 2 != 0) {
    vote = in[lane] > 500;
  } else {
    vote = in[lane] < 500;
  }
  const unsigned ballot = __ballot_sync(__activemask(), vote);  // @A
  if (lane == 0) *votes = static_cast<unsigned>(__popc(ballot));
}

}  // namespace gallery
