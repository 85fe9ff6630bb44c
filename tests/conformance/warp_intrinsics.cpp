// SPDX-License-Identifier: Apache-2.0
// Conformance: every warp intrinsic, on hardware and here. One source for both: built as C++ it runs on the simulator,
// built by nvcc (nvcc -x cu -std=c++20 -arch=sm_90) on a GPU; the output has to be equal byte for byte.
// Prints "case: values"; rows of lanes in lane order.
#include <warpfiber/warpfiber.hpp>

#include <cstdio>
#include <vector>

namespace {

constexpr unsigned kLanes = 32;

enum Operation { kIndexed, kUp, kDown, kXor };

template <class T>
__device__ T scramble(unsigned lane) {
  return static_cast<T>((lane * 2654435761u) ^ (static_cast<unsigned long long>(lane) << 37));
}

template <class T>
__device__ T shuffle(int operation, unsigned mask, T value, int operand, int width) {
  if (operation == kIndexed) return __shfl_sync(mask, value, operand, width);
  if (operation == kUp) return __shfl_up_sync(mask, value, static_cast<unsigned>(operand), width);
  if (operation == kDown) return __shfl_down_sync(mask, value, static_cast<unsigned>(operand), width);
  return __shfl_xor_sync(mask, value, operand, width);
}

template <class T>
__global__ void shuffles(T* out, int operation, int operand, int width) {
  const unsigned lane = threadIdx.x;
  out[lane] = shuffle(operation, 0xffffffffu, scramble<T>(lane), operand, width);
}

/// Every lane asks for another source.
__global__ void gather(int* out, int width) {
  const int lane = static_cast<int>(threadIdx.x);
  out[lane] = __shfl_sync(0xffffffffu, lane, (lane * 7 + 3) % 41 - 4, width);
}

/// The two halves of the warp shuffle apart from each other, with masks of their own.
__global__ void halves(int* out) {
  const int lane = static_cast<int>(threadIdx.x);
  int value = 100 + lane;
  if (lane < 16) {
    for (int d = 8; d > 0; d /= 2) value += __shfl_xor_sync(0x0000ffffu, value, d);
  } else {
    for (int d = 1; d < 4; d *= 2) value += __shfl_up_sync(0xffff0000u, value, static_cast<unsigned>(d), 16);
  }
  out[lane] = value;
}

__global__ void votes(unsigned* out, unsigned pattern) {
  const unsigned lane = threadIdx.x;
  const int mine = static_cast<int>(pattern >> lane & 1);
  unsigned result = __all_sync(0xffffffffu, mine) != 0 ? 1u : 0u;
  result |= __any_sync(0xffffffffu, mine) != 0 ? 2u : 0u;
  const unsigned ballot = __ballot_sync(0xffffffffu, mine * 5);
  unsigned halves = 0;
  if (lane % 2 == 0) {
    halves = __ballot_sync(0x55555555u, mine);
  } else {
    halves = __ballot_sync(0xaaaaaaaau, mine);
  }
  out[lane] = ballot ^ (result << 30) ^ (halves << 1);
}

template <class T>
__global__ void matches(unsigned* out, int distinct) {
  const unsigned lane = threadIdx.x;
  const T value = static_cast<T>(static_cast<int>(lane * lane) % distinct) - static_cast<T>(1);
  int equal = -1;
  const unsigned any = __match_any_sync(0xffffffffu, value);
  const unsigned all = __match_all_sync(0xffffffffu, value, &equal);
  out[lane] = any ^ (all >> 1) ^ static_cast<unsigned>(equal);
}

__global__ void reductions(unsigned* out, unsigned mask) {
  const unsigned lane = threadIdx.x;
  if ((mask >> lane & 1) == 0) {
    for (int i = 0; i < 9; ++i) out[i * 32 + lane] = 0;
    return;
  }
  const unsigned value = lane * 2654435761u + 0x12345u;
  const int number = static_cast<int>(value);
  out[0 * 32 + lane] = __reduce_add_sync(mask, value);
  out[1 * 32 + lane] = __reduce_min_sync(mask, value);
  out[2 * 32 + lane] = __reduce_max_sync(mask, value);
  out[3 * 32 + lane] = static_cast<unsigned>(__reduce_add_sync(mask, number));
  out[4 * 32 + lane] = static_cast<unsigned>(__reduce_min_sync(mask, number));
  out[5 * 32 + lane] = static_cast<unsigned>(__reduce_max_sync(mask, number));
  out[6 * 32 + lane] = __reduce_and_sync(mask, value | 0x00700000u);
  out[7 * 32 + lane] = __reduce_or_sync(mask, value & 0x0fff0ff0u);
  out[8 * 32 + lane] = __reduce_xor_sync(mask, value);
}

__global__ void active(unsigned* out) {
  const unsigned lane = threadIdx.x;
  out[lane] = __activemask();
  if (lane % 3 == 0) out[32 + lane] = __activemask();
  __syncwarp();
  out[64 + lane] = __ballot_sync(0xffffffffu, lane > 20);
}

/// Lanes that have returned are not waited for.
__global__ void leavers(unsigned* out, unsigned stay) {
  const unsigned lane = threadIdx.x;
  if (lane >= stay) return;
  out[lane] = __ballot_sync(0xffffffffu, 1) ^ static_cast<unsigned>(__all_sync(0xffffffffu, 1) << 31);
}

/// Whole blocks: barriers that count.
__global__ void counting(int* out, int threshold) {
  const int thread = static_cast<int>(threadIdx.x + blockDim.x * threadIdx.y);
  const int count = __syncthreads_count(thread >= threshold ? thread : 0);
  const int all = __syncthreads_and(thread < threshold);
  const int any = __syncthreads_or(thread == threshold);
  out[thread] = count * 4 + (all != 0 ? 2 : 0) + (any != 0 ? 1 : 0);
}

template <class T>
void print(const char* name, long long a, long long b, const std::vector<T>& row) {
  unsigned long long hash = 1469598103934665603ull;
  for (const T value : row) {
    hash = (hash ^ static_cast<unsigned long long>(value)) * 1099511628211ull;
  }
  std::printf("%s/%lld/%lld: %016llx", name, a, b, hash);
  for (std::size_t i = 0; i < row.size() && i < 4; ++i) {
    std::printf(" %lld", static_cast<long long>(row[i]));
  }
  std::printf("\n");
}

template <class T, class Kernel, class... Arguments>
std::vector<T> run(std::size_t size, dim3 block, Kernel kernel, Arguments... arguments) {
  warpfiber::Buffer<T> out(size);
  out.fill(static_cast<T>(77));
  const warpfiber::LaunchResult result =
      warpfiber::launch({.grid = 1, .block = block}, kernel, out.data(), arguments...);
  if (!result.ok()) std::printf("FAILED %s\n", result.message());
  return out.download();
}

template <class T>
void all_shuffles(const char* type) {
  for (const int operation : {kIndexed, kUp, kDown, kXor}) {
    for (const int width : {1, 2, 4, 8, 16, 32}) {
      for (const int operand : {0, 1, 2, 3, 5, 8, 15, 16, 17, 31, 32, 33, 40, 63, 64, -1, -2, -31, 1 << 20}) {
        char name[64];
        std::snprintf(name, sizeof name, "shuffle/%s/%d", type, operation);
        print(name, width, operand, run<T>(kLanes, kLanes, shuffles<T>, operation, operand, width));
      }
    }
  }
}

}  // namespace

int main() {
  all_shuffles<int>("int");
  all_shuffles<unsigned long long>("ull");
  all_shuffles<float>("float");
  all_shuffles<double>("double");
  for (const int width : {1, 2, 4, 8, 16, 32}) print("gather", width, 0, run<int>(kLanes, kLanes, gather, width));
  print("halves", 0, 0, run<int>(kLanes, kLanes, halves));
  for (const unsigned pattern : {0u, 1u, 0x80000000u, 0xffffffffu, 0x55555555u, 0xf0f0f0f1u, 0x12345678u}) {
    print("votes", pattern, 0, run<unsigned>(kLanes, kLanes, votes, pattern));
  }
  for (const int distinct : {1, 2, 3, 7, 32}) {
    print("match/int", distinct, 0, run<unsigned>(kLanes, kLanes, matches<int>, distinct));
    print("match/ll", distinct, 0, run<unsigned>(kLanes, kLanes, matches<long long>, distinct));
    print("match/float", distinct, 0, run<unsigned>(kLanes, kLanes, matches<float>, distinct));
    print("match/double", distinct, 0, run<unsigned>(kLanes, kLanes, matches<double>, distinct));
  }
  for (const unsigned mask : {0xffffffffu, 0x1u, 0x80000000u, 0x0000ffffu, 0xaaaaaaaau, 0x01030507u}) {
    print("reduce", mask, 0, run<unsigned>(9 * kLanes, kLanes, reductions, mask));
  }
  print("active", 0, 0, run<unsigned>(3 * kLanes, kLanes, active));
  for (const unsigned stay : {1u, 2u, 17u, 31u, 32u})
    print("leavers", stay, 0, run<unsigned>(kLanes, kLanes, leavers, stay));
  for (const unsigned threads : {1u, 5u, 31u, 32u, 33u, 96u, 512u}) {
    for (const int threshold : {0, 1, 16, 40, 2000}) {
      print("counting", threads, threshold, run<int>(2 * threads, dim3(threads, 2), counting, threshold));
    }
  }
  return 0;
}
