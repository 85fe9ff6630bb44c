// expect: clean   SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// hw: ok
// why: the vote names all lanes, so it waits for them wherever the branch has left them
#pragma once

#include <warpfiber/warpfiber.hpp>

namespace gallery {

/// One block of 32 threads; counts elements that are large for an odd place or small for an even one.
static __global__ void vote_of_all_lanes(const int* in, unsigned* votes) {
  const unsigned lane = threadIdx.x;
  bool vote;
  if (lane % 2 != 0) {
    vote = in[lane] > 500;
  } else {
    vote = in[lane] < 500;
  }
  const unsigned ballot = __ballot_sync(0xffffffffU, vote);
  if (lane == 0) *votes = static_cast<unsigned>(__popc(ballot));
}

}  // namespace gallery
