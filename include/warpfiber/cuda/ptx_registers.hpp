// SPDX-License-Identifier: Apache-2.0
// Special registers under the names of libcu++'s <cuda/ptx> (PTX ISA, "Special Registers"). Called by threads inside a
// kernel. Clocks count as clock64() does.
#pragma once

#include <warpfiber/intrinsics/cluster_intrinsics.hpp>
#include <warpfiber/intrinsics/ptx.hpp>

#include <cstdint>

namespace cuda {
namespace ptx {

#define WARPFIBER_SREG(name, type, ...)                     \
  inline ::std::uint##type##_t get_sreg_##name() {          \
    return static_cast<::std::uint##type##_t>(__VA_ARGS__); \
  }
#define WARPFIBER_SREG_OF(name) WARPFIBER_SREG(name, 32, warpfiber::ptx::name())
#define WARPFIBER_SREG_AXES(name, ...)              \
  WARPFIBER_SREG(name##_x, 32, dim3(__VA_ARGS__).x) \
  WARPFIBER_SREG(name##_y, 32, dim3(__VA_ARGS__).y) \
  WARPFIBER_SREG(name##_z, 32, dim3(__VA_ARGS__).z)

WARPFIBER_SREG_AXES(tid, ::threadIdx.x, ::threadIdx.y, ::threadIdx.z)
WARPFIBER_SREG_AXES(ntid, ::blockDim.x, ::blockDim.y, ::blockDim.z)
WARPFIBER_SREG_AXES(ctaid, ::blockIdx.x, ::blockIdx.y, ::blockIdx.z)
WARPFIBER_SREG_AXES(nctaid, ::gridDim.x, ::gridDim.y, ::gridDim.z)
WARPFIBER_SREG_OF(laneid)
WARPFIBER_SREG_OF(warpid)
WARPFIBER_SREG_OF(nwarpid)
WARPFIBER_SREG_OF(smid)
WARPFIBER_SREG_OF(nsmid)
WARPFIBER_SREG_OF(lanemask_eq)
WARPFIBER_SREG_OF(lanemask_le)
WARPFIBER_SREG_OF(lanemask_lt)
WARPFIBER_SREG_OF(lanemask_ge)
WARPFIBER_SREG_OF(lanemask_gt)

WARPFIBER_SREG_AXES(clusterid, ::__clusterIdx())
WARPFIBER_SREG_AXES(nclusterid, ::__clusterGridDimInClusters())
WARPFIBER_SREG_AXES(cluster_ctaid, ::__clusterRelativeBlockIdx())
WARPFIBER_SREG_AXES(cluster_nctaid, ::__clusterDim())
WARPFIBER_SREG(cluster_ctarank, 32, ::__clusterRelativeBlockRank())
WARPFIBER_SREG(cluster_nctarank, 32, ::__clusterSizeInBlocks())

WARPFIBER_SREG_OF(clock)
WARPFIBER_SREG_OF(clock_hi)
WARPFIBER_SREG(clock64, 64, warpfiber::ptx::clock64())
WARPFIBER_SREG(globaltimer, 64, warpfiber::ptx::globaltimer())
WARPFIBER_SREG(globaltimer_lo, 32, warpfiber::ptx::globaltimer())
WARPFIBER_SREG(globaltimer_hi, 32, warpfiber::ptx::globaltimer() >> 32)

#undef WARPFIBER_SREG_AXES
#undef WARPFIBER_SREG_OF
#undef WARPFIBER_SREG

}  // namespace ptx
}  // namespace cuda
