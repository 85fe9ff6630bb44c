// SPDX-License-Identifier: Apache-2.0
//
// A whole program of the native API, host code included, that is the same source for the simulator and for a GPU: every
// kind of launch, buffers, device-wide and cluster barriers, refused launches. It prints what must not depend on where
// it runs, and fails if a result is wrong.
#include <warpfiber/warpfiber.hpp>

#include <cstdio>
#include <numeric>
#include <utility>
#include <vector>

namespace {

bool all_good = true;

void tell(const char* what, bool good) {
  std::printf("%s: %s\n", what, good ? "ok" : "WRONG");
  all_good = all_good && good;
}

}  // namespace

static __global__ void add(const int* a, const int* b, int* sum, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) sum[i] = a[i] + b[i];
}

static __global__ void reverse_block(int* values) {
  int* const staged = warpfiber::dynamic_shared<int>();
  const unsigned i = threadIdx.x;
  staged[i] = values[i];
  __syncthreads();
  values[i] = staged[blockDim.x - 1 - i];
}

static __global__ void sum_of_grid(const int* in, int* partial, int* total) {
  WARPFIBER_SHARED(int, sum);
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  atomicAdd(&sum, in[blockIdx.x * blockDim.x + threadIdx.x]);
  __syncthreads();
  if (threadIdx.x == 0) partial[blockIdx.x] = sum;
  warpfiber::sync_grid();
  if (blockIdx.x != 0 || threadIdx.x != 0) return;
  for (unsigned block = 0; block < gridDim.x; ++block) *total += partial[block];
}

static __global__ void neighbours_rank(unsigned* ranks) {
  WARPFIBER_SHARED(unsigned, mine);
  if (threadIdx.x == 0) mine = 100 + warpfiber::cluster_block_rank();
  warpfiber::sync_cluster();
  const unsigned next = (warpfiber::cluster_block_rank() + 1) % warpfiber::cluster_size();
  if (threadIdx.x == 0) ranks[blockIdx.x] = *warpfiber::map_shared_rank(&mine, next);
  warpfiber::sync_cluster();
}

/// A kernel that is an object.
struct Scale {
  int factor;
  __device__ void operator()(int* values) const { values[threadIdx.x] *= factor; }
};

static std::vector<int> counted(int count) {
  std::vector<int> values(static_cast<std::size_t>(count));
  std::iota(values.begin(), values.end(), 0);
  return values;
}

static void launch_every_kind() {
  const std::vector<int> numbers = counted(1000);
  const warpfiber::Buffer<int> a(numbers);
  warpfiber::Buffer<int> b(numbers.size());
  b.fill(7);
  warpfiber::Buffer<int> sum(numbers.size());
  auto result = warpfiber::launch({.grid = 4, .block = 256}, add, a.data(), b.data(), sum.data(), 1000);
  tell("launch of a function", result.ok() && sum.download()[999] == 1006);

  result = warpfiber::launch<reverse_block>({.grid = 1, .block = 64, .dynamic_shared = 64 * sizeof(int)}, sum.data());
  tell("dynamic shared memory", result.ok() && sum.download()[0] == 70);

  result = warpfiber::launch({.grid = 1, .block = 32}, Scale{3}, sum.data());
  tell("launch of an object", result.ok() && sum.download()[0] == 210);

  warpfiber::Buffer<int> partial(4), total(1);
  total.fill(0);
  result = warpfiber::launch<sum_of_grid>({.grid = 4, .block = 128, .cooperative = true}, a.data(), partial.data(),
                                          total.data());
  tell("cooperative launch", result.ok() && total.download()[0] == 511 * 512 / 2);

  warpfiber::Buffer<unsigned> ranks(4);
  result = warpfiber::launch<neighbours_rank>({.grid = 4, .block = 32, .cluster = 2}, ranks.data());
  tell("clusters", result.ok() && ranks.download() == std::vector<unsigned>{101, 100, 101, 100});
}

static void refuse() {
  warpfiber::Buffer<int> values(1);
  const auto result = warpfiber::launch({.grid = 1, .block = 2048}, reverse_block, values.data());
  std::printf("2,048 threads: %s\n", warpfiber::error_name(result.error()));
  tell("a refused launch is an error", !result && *result.message() != '\0');
  tell("which is the last", warpfiber::last_error() == result.error());
  tell("and is forgotten", warpfiber::last_error() == warpfiber::Error::success);
  const auto large = warpfiber::launch<sum_of_grid>({.grid = 1 << 20, .block = 128, .cooperative = true}, values.data(),
                                                    values.data(), values.data());
  std::printf("2^20 blocks together: %s\n", warpfiber::error_name(large.error()));
  tell("so many are never resident", warpfiber::max_cooperative_grid_blocks<sum_of_grid>(128) < (1U << 20));
}

static void move_buffers() {
  warpfiber::Buffer<int> first(counted(10));
  warpfiber::Buffer<int> second(std::move(first));
  first = warpfiber::Buffer<int>(3);
  first.upload(counted(3));
  tell("buffers move", second.download() == counted(10) && first.size() == 3);
}

int main(int argc, char**) {
  // With an argument it says where it runs, which is not the same everywhere.
  if (argc > 1) std::puts(warpfiber::backend == warpfiber::Backend::gpu ? "on a GPU" : "on the simulator");
  launch_every_kind();
  refuse();
  move_buffers();
  return all_good ? 0 : 1;
}
