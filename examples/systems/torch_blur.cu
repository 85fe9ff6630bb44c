// SPDX-License-Identifier: Apache-2.0
// The kernel of blur.cu, with its mistake, as an extension of PyTorch.
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>
#include <torch/extension.h>

#include "blur.cu"

torch::Tensor blur_tensor(torch::Tensor in) {
  TORCH_CHECK(in.is_cuda() && in.is_contiguous(), "in has to be a contiguous tensor of a GPU");
  const at::cuda::CUDAGuard guard(in.device());
  torch::Tensor out = torch::empty_like(in);
  const int count = static_cast<int>(in.numel());
  const int blocks = (count + kThreads - 1) / kThreads;
  const at::cuda::CUDAStream stream = at::cuda::getCurrentCUDAStream();
  blur_row<<<blocks, kThreads, 0, stream>>>(in.data_ptr<float>(), out.data_ptr<float>(), count);
  C10_CUDA_KERNEL_LAUNCH_CHECK();
  return out;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, module) {
  module.def("blur", &blur_tensor);
}
