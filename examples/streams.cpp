// SPDX-License-Identifier: Apache-2.0
//
// Streams of the native interface: chunks are copied, computed on and copied back in two streams, and a third one sums
// up when both are ready. The same source for the simulator and for a GPU.
#include <warpfiber/warpfiber.hpp>

#include <cstdio>

__global__ void square(int* values, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) values[i] *= values[i];
}

__global__ void add(const int* a, const int* b, int* sum, int count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < count) sum[i] = a[i] + b[i];
}

int main() {
  constexpr int kCount = 1000;
  warpfiber::PinnedBuffer<int> in(kCount), out(kCount);
  for (int i = 0; i < kCount; ++i) in[i] = i;
  warpfiber::Buffer<int> halves[] = {warpfiber::Buffer<int>(kCount), warpfiber::Buffer<int>(kCount)};
  warpfiber::Buffer<int> sum(kCount);

  warpfiber::Stream streams[2], last;
  warpfiber::Event ready[2];
  for (int s = 0; s < 2; ++s) {
    halves[s].upload(in, streams[s]);  // returns at once: the memory is pinned
    warpfiber::launch({.grid = 4, .block = 256, .stream = streams[s]}, square, halves[s].data(), kCount);
    streams[s].record(ready[s]);
    last.wait(ready[s]);
  }
  warpfiber::launch({.grid = 4, .block = 256, .stream = last}, add, halves[0].data(), halves[1].data(), sum.data(),
                    kCount);
  sum.download(out, last);

  bool good = true;
  for (warpfiber::Stream& stream : streams) good = stream.synchronize().ok() && good;
  const auto result = last.synchronize();  // of the first launch in the stream that has failed
  std::printf("%s, 2 * 30 * 30 is %d\n", warpfiber::error_name(result.error()), out[30]);
  return good && result.ok() && out[30] == 1800 ? 0 : 1;
}
