// SPDX-License-Identifier: Apache-2.0
// Functions of the program by which a transform reads its input and writes its output, element by element.
// Source: cuFFT documentation, "Caller Allocated Work Area Support", "cuFFT Callback Routines".
#pragma once

#include <warpfiber/cuda/cufft/xt_api.h>

#include <array>
#include <cstddef>
#include <memory>
#include <vector>

#include "numerics/fft/array_transform.hpp"

namespace warpfiber::cuda_libraries {

/// One function of the program, which kernels of ours call. Without `function`: the transform does it itself.
struct TransformCallback {
  void* function = nullptr;
  void* info = nullptr;    // what the program has passed for it
  std::size_t shared = 0;  // bytes of shared memory a block
};

/// Of a plan: how its input is read, and how its output is written.
struct TransformCallbacks {
  TransformCallback load{};
  TransformCallback store{};
};

/// The callback type that reads input of transforms of `type`, and the one that writes their output.
std::array<cufftXtCallbackType, 2> callback_types(cufftType type);

/// How many elements there are up to the last one of the boxes.
std::size_t reach_of(const std::vector<numerics::fft::ElementBox>& boxes);

/// Memory that stands for an array of the program while a transform runs: as many elements as the boxes reach.
using StagedArray = std::shared_ptr<std::vector<std::byte>>;
StagedArray staged_array(const std::vector<numerics::fft::ElementBox>& boxes, std::size_t element);

/// Launches of kernels that read each element of the boxes of `data` into `to` by the callback, or write them by it.
/// The stream does them after what it has to do already.
Error load_by_callback(cudaStream_t stream, cufftXtCallbackType type, const TransformCallback& callback, void* data,
                       const std::vector<numerics::fft::ElementBox>& boxes, const StagedArray& to);
Error store_by_callback(cudaStream_t stream, cufftXtCallbackType type, const TransformCallback& callback, void* data,
                        const std::vector<numerics::fft::ElementBox>& boxes, const StagedArray& from);

}  // namespace warpfiber::cuda_libraries
