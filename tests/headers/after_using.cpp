// SPDX-License-Identifier: Apache-2.0
// The headers compile behind using directives of a program's own, which make each name of warpfiber that CUDA has too
// ambiguous where it is not qualified.
namespace warpfiber {
namespace detail {}
}  // namespace warpfiber
namespace cooperative_groups {}
namespace cuda {
namespace detail {}
}  // namespace cuda
using namespace warpfiber;
using namespace cooperative_groups;

#include <cuda_fp8.h>
#ifndef assert
#error "programs that include cuda_fp8.h use assert(), which NVIDIA's header includes"
#endif

#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <cuda/atomic>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <warpfiber/warpfiber.hpp>
