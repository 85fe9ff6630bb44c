// SPDX-License-Identifier: Apache-2.0
// Where the calling thread is, in its block, its cluster and its grid, as the groups say it. Called inside a kernel.
// Source: CUDA C++ Programming Guide, "Cooperative Groups"; ranks count x fastest.
#pragma once

#include <warpfiber/detail/lanes/lanes.hpp>
#include <warpfiber/intrinsics/grid.hpp>

namespace cooperative_groups {
inline namespace __v1 {
namespace details {

inline unsigned volume(const dim3& extent) {
  return extent.x * extent.y * extent.z;
}

inline unsigned linear(const dim3& index, const dim3& extent) {
  return index.x + extent.x * (index.y + extent.y * index.z);
}

namespace block {

inline unsigned num_threads() {
  return blockDim.x * blockDim.y * blockDim.z;
}
inline unsigned thread_rank() {
  return warpfiber::detail::thread_rank();
}

using warpfiber::detail::lane;

}  // namespace block

namespace cluster {

inline dim3 dim_blocks() {
  return warpfiber::cluster_dim();
}
inline unsigned num_blocks() {
  return warpfiber::cluster_size();
}
inline dim3 block_index() {
  const dim3 extent = dim_blocks();
  return dim3(blockIdx.x % extent.x, blockIdx.y % extent.y, blockIdx.z % extent.z);
}
inline unsigned block_rank() {
  return linear(block_index(), dim_blocks());
}
inline dim3 dim_threads() {
  const dim3 extent = dim_blocks();
  return dim3(extent.x * blockDim.x, extent.y * blockDim.y, extent.z * blockDim.z);
}
inline dim3 thread_index() {
  const dim3 index = block_index();
  return dim3(index.x * blockDim.x + threadIdx.x, index.y * blockDim.y + threadIdx.y,
              index.z * blockDim.z + threadIdx.z);
}
inline unsigned num_threads() {
  return num_blocks() * block::num_threads();
}
inline unsigned thread_rank() {
  return block_rank() * block::num_threads() + block::thread_rank();
}

}  // namespace cluster

namespace grid {

using Count = unsigned long long;

inline Count num_blocks() {
  return Count{gridDim.x} * gridDim.y * gridDim.z;
}
inline Count block_rank() {
  return blockIdx.x + Count{gridDim.x} * (blockIdx.y + Count{gridDim.y} * blockIdx.z);
}
inline Count num_threads() {
  return num_blocks() * block::num_threads();
}
inline Count thread_rank() {
  return block_rank() * block::num_threads() + block::thread_rank();
}
inline dim3 dim_threads() {
  return dim3(gridDim.x * blockDim.x, gridDim.y * blockDim.y, gridDim.z * blockDim.z);
}
inline dim3 thread_index() {
  return dim3(blockIdx.x * blockDim.x + threadIdx.x, blockIdx.y * blockDim.y + threadIdx.y,
              blockIdx.z * blockDim.z + threadIdx.z);
}
inline dim3 dim_clusters() {
  const dim3 extent = cluster::dim_blocks();
  return dim3(gridDim.x / extent.x, gridDim.y / extent.y, gridDim.z / extent.z);
}
inline dim3 cluster_index() {
  const dim3 extent = cluster::dim_blocks();
  return dim3(blockIdx.x / extent.x, blockIdx.y / extent.y, blockIdx.z / extent.z);
}
inline Count num_clusters() {
  return num_blocks() / cluster::num_blocks();
}
inline Count cluster_rank() {
  const dim3 index = cluster_index();
  const dim3 extent = dim_clusters();
  return index.x + Count{extent.x} * (index.y + Count{extent.y} * index.z);
}

}  // namespace grid

namespace multi_grid {

inline grid::Count num_threads() {
  return warpfiber::multi_grid_size() * grid::num_threads();
}
inline grid::Count thread_rank() {
  return warpfiber::multi_grid_rank() * grid::num_threads() + grid::thread_rank();
}

}  // namespace multi_grid
}  // namespace details
}  // namespace __v1
}  // namespace cooperative_groups
