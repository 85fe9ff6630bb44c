// SPDX-License-Identifier: Apache-2.0
#include "unit/cuda/runtime/barrier_defects.hpp"

#include <cooperative_groups/memcpy_async.h>
#include <cuda/latch>
#include <cuda/pipeline>
#include <cuda/semaphore>

#include <utility>

// Reports quote this file: approved outputs hold its line numbers. New kernels go to its end.
namespace warpfiber::test::defects {

namespace cg = cooperative_groups;
namespace libcuxx = ::cuda;

namespace {

using Barrier = libcuxx::barrier<libcuxx::thread_scope_block>;

/// A barrier of the block for `count` arrivals.
template <class Tag>
Barrier& made_barrier(std::ptrdiff_t count) {
  Barrier& barrier = shared<Barrier, Tag>();
  if (threadIdx.x == 0) init(&barrier, count);
  __syncthreads();
  return barrier;
}

}  // namespace

__global__ void too_few_arrivals(int* out) {
  Barrier& barrier = made_barrier<struct twice_as_many>(64);
  barrier.arrive_and_wait();
  out[threadIdx.x] = 1;
}

__global__ void each_waits_for_the_other(int* out) {
  Barrier& full = made_barrier<struct full_tag>(32);
  Barrier& empty = made_barrier<struct empty_tag>(32);
  if (threadIdx.x < 32) {
    empty.wait_parity(false);
    full.arrive_and_drop();
  } else {
    full.wait_parity(false);
    empty.arrive_and_drop();
  }
  out[threadIdx.x] = 1;
}

__global__ void half_at_the_block_barrier(int* out) {
  Barrier& barrier = made_barrier<struct whole_tag>(32);
  if (threadIdx.x < 16) {
    barrier.arrive_and_wait();
  } else {
    __syncthreads();
  }
  out[threadIdx.x] = 1;
}

__global__ void bytes_never_copied(int* out) {
  Barrier& barrier = made_barrier<struct of_bytes>(32);
  auto token = threadIdx.x == 0 ? libcuxx::device::barrier_arrive_tx(barrier, 1, 128) : barrier.arrive();
  barrier.wait(std::move(token));
  out[threadIdx.x] = 1;
}

__global__ void stage_never_committed(int* out) {
  auto& state = shared<libcuxx::pipeline_shared_state<libcuxx::thread_scope_block, 2>, struct state_tag>();
  auto pipe = libcuxx::make_pipeline(cg::this_thread_block(), &state);
  pipe.producer_acquire();
  if (threadIdx.x != 7) pipe.producer_commit();
  pipe.consumer_wait();
  out[threadIdx.x] = 1;
}

__global__ void latch_of_one_too_many(int* out) {
  auto& latch = reinterpret_cast<libcuxx::latch<libcuxx::thread_scope_block>&>(shared<std::uint64_t, struct start>());
  if (threadIdx.x == 0) new (&latch) libcuxx::latch<libcuxx::thread_scope_block>(33);
  __syncthreads();
  latch.arrive_and_wait();
  out[threadIdx.x] = 1;
}

__global__ void semaphore_never_released(int* out) {
  using Semaphore = libcuxx::counting_semaphore<libcuxx::thread_scope_block>;
  auto& places = shared<Semaphore, struct places_tag>();
  if (threadIdx.x == 0) new (&places) Semaphore(20);
  __syncthreads();
  places.acquire();
  out[threadIdx.x] = 1;
}

__global__ void flag_never_stored(int* out) {
  const libcuxx::atomic_ref<int, libcuxx::thread_scope_device> flag(out[0]);
  while (flag.load(libcuxx::memory_order_acquire) == 0) {
  }
}

__global__ void barrier_never_made(int*) {
  auto& barrier = shared<Barrier, struct never_made>();
  barrier.arrive_and_wait();
}

__global__ void arrivals_in_excess(int*) {
  Barrier& barrier = made_barrier<struct of_four>(4);
  if (threadIdx.x == 0) static_cast<void>(barrier.arrive(5));
}

__global__ void count_below_zero(int*) {
  auto& barrier = shared<Barrier, struct of_less_than_none>();
  if (threadIdx.x == 0) init(&barrier, -1);
}

__global__ void bytes_in_excess(int*) {
  Barrier& barrier = made_barrier<struct of_many_bytes>(32);
  if (threadIdx.x == 0) libcuxx::device::barrier_expect_tx(barrier, 1 << 20);
}

__global__ void misaligned_copy(int* out) {
  Barrier& barrier = made_barrier<struct of_aligned>(32);
  auto& tile = shared<int[64], struct aligned_tile>();
  if (threadIdx.x == 0) libcuxx::memcpy_async(tile, out + 1, libcuxx::aligned_size_t<16>(64), barrier);
}

__global__ void ragged_copy(int* out) {
  Barrier& barrier = made_barrier<struct of_ragged>(32);
  auto& tile = shared<int[64], struct ragged_tile>();
  if (threadIdx.x == 0) libcuxx::memcpy_async(tile, out, 13, barrier);
}

__global__ void ragged_copy_of_a_group(int* out) {
  auto& tile = shared<int[64], struct tile_of_group>();
  cg::memcpy_async(cg::this_thread(), tile, out, 30);
}

__global__ void copy_of_five_bytes(int* out) {
  auto& tile = shared<int[64], struct tile_of_five>();
  __pipeline_memcpy_async(tile, out, 5);
}

__global__ void copy_to_global(int* out) {
  __pipeline_memcpy_async(out + 64, out, 16);
}

__global__ void more_producers_than_threads(int*) {
  auto& state = shared<libcuxx::pipeline_shared_state<libcuxx::thread_scope_block, 1>, struct overfull>();
  static_cast<void>(libcuxx::make_pipeline(cg::this_thread_block(), &state, std::size_t{33}));
}

__global__ void barriers_used_well(int* out) {
  Barrier& barrier = made_barrier<struct used_well>(blockDim.x);
  auto& tile = shared<int[64], struct tile_used_well>();
  for (int round = 0; round < 3; ++round) {
    barrier.wait(barrier.arrive());
    libcuxx::memcpy_async(cg::this_thread_block(), tile, out, libcuxx::aligned_size_t<16>(sizeof tile), barrier);
    barrier.arrive_and_wait();
    if (tile[threadIdx.x] < 0) __trap();
  }
}

__global__ void bytes_never_announced(int* out) {
  Barrier& barrier = made_barrier<struct of_no_bytes>(32);
  auto& tile = shared<int[64], struct tile_of_no_bytes>();
  if (threadIdx.x == 0) libcuxx::device::memcpy_async_tx(tile, out, libcuxx::aligned_size_t<16>(128), barrier);
  barrier.arrive_and_wait();
}

}  // namespace warpfiber::test::defects
