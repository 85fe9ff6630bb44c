// SPDX-License-Identifier: Apache-2.0
// Structures that are stored whole by all threads: with values that differ in their last or first word or in one byte,
// and with one value.
#include <cstdio>

struct Record {
  int words[10];
};
struct Pixel {
  char bytes[5];
};

__global__ void last_word(float4* out, const float4* in) {
  out[0] = in[threadIdx.x];
}
__global__ void first_word(Record* out, const Record* in) {
  out[0] = in[threadIdx.x];
}
__global__ void one_byte(Pixel* out, const Pixel* in) {
  __shared__ Pixel last;
  last = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = last;
}
__global__ void same_vector(float4* out, const float4* in) {
  out[0] = in[40];
}
__global__ void same_record(Record* out, const Record* in) {
  const Record mine = in[3];
  out[0] = mine;
}

int main() {
  constexpr int kThreads = 64;
  float4* vectors;
  Record* records;
  Pixel* pixels;
  cudaMallocManaged(&vectors, 2 * kThreads * sizeof *vectors);
  cudaMallocManaged(&records, 2 * kThreads * sizeof *records);
  cudaMallocManaged(&pixels, 2 * kThreads * sizeof *pixels);
  for (int i = 0; i < kThreads; ++i) {
    vectors[i] = make_float4(1, 2, 3, float(i));
    records[i] = Record{{i, 1, 2, 3, 4, 5, 6, 7, 8, 9}};
    pixels[i] = Pixel{{1, char(i), 3, 4, 5}};
  }
  last_word<<<1, kThreads>>>(vectors + kThreads, vectors);
  first_word<<<1, kThreads>>>(records + kThreads, records);
  one_byte<<<1, kThreads>>>(pixels + kThreads, pixels);
  same_vector<<<1, kThreads>>>(vectors + kThreads, vectors);
  same_record<<<1, kThreads>>>(records + kThreads, records);
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
