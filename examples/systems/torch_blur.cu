// SPDX-License-Identifier: Apache-2.0
// The same kernel, with the same mistake, as an extension of PyTorch.
#include <ATen/cuda/CUDAContext.h>
#include <c10/cuda/CUDAGuard.h>
#include <torch/extension.h>

constexpr int kThreads = 128;

__global__ void blur_row(const float* in, float* out, int count) {
  __shared__ float tile[kThreads + 1];
  const int i = static_cast<int>(blockIdx.x * kThreads + threadIdx.x);
  if (threadIdx.x == 0) tile[0] = in[i > 0 ? i - 1 : 0];
  tile[threadIdx.x + 1] = i < count ? in[i] : 0;
  if (i < count) out[i] = (tile[threadIdx.x] + tile[threadIdx.x + 1]) / 2;
}

torch::Tensor blur(torch::Tensor in) {
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
  module.def("blur", &blur);
}
