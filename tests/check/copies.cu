// SPDX-License-Identifier: Apache-2.0
// Copies to the host what the first argument says, of which more or less was never written.
#include <cstdio>
#include <cstring>

struct alignas(64) Padded {
  char kind;
  int value;
};

__global__ void fill(int* to, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) to[i] = i;
}
__global__ void fill_padded(Padded* to) {
  to[threadIdx.x].kind = 'a';
  to[threadIdx.x].value = 1;
}
__global__ void fill_rows(char* to, size_t pitch, int width) {
  if (threadIdx.x < width) reinterpret_cast<int*>(to + threadIdx.y * pitch)[threadIdx.x] = 1;
}
__global__ void fill_image(int* to, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < width && y < height) to[y * width + x] = x;
}
__global__ void fill_inside(int* to, int width, int height) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && y > 0 && x < width - 1 && y < height - 1) to[y * width + x] = x;
}
__global__ void bump(int* to) {
  atomicAdd(to, 1);
}

// With x and y of the grid swapped, columns are left out.
void copy_image(bool swapped) {
  constexpr int kWidth = 90, kHeight = 70;
  static int image[kWidth * kHeight];
  const dim3 block(16, 16), whole((kWidth + 15) / 16, (kHeight + 15) / 16);
  int* pixels;
  cudaMalloc(&pixels, sizeof image);
  fill_image<<<swapped ? dim3(whole.y, whole.x) : whole, block>>>(pixels, kWidth, kHeight);
  cudaMemcpy(image, pixels, sizeof image, cudaMemcpyDeviceToHost);
}

void copy_inside() {
  constexpr int kWidth = 64, kHeight = 40;
  static int image[kWidth * kHeight];
  int* pixels;
  cudaMalloc(&pixels, sizeof image);
  fill_inside<<<dim3(4, 3), dim3(16, 16)>>>(pixels, kWidth, kHeight);
  cudaMemcpy(image, pixels, sizeof image, cudaMemcpyDeviceToHost);
}

int main(int argc, char** argv) {
  const auto asked = [&](const char* what) { return argc > 1 && std::strcmp(argv[1], what) == 0; };
  constexpr int kWords = 1000;
  constexpr size_t kBytes = kWords * sizeof(int);
  static int host[kWords * 2];
  int *a, *b;
  cudaMalloc(&a, kBytes);
  cudaMalloc(&b, kBytes);
  if (asked("nothing")) cudaMemcpy(host, a, kBytes, cudaMemcpyDeviceToHost);
  if (asked("end")) {
    fill<<<3, 256>>>(a, kWords);
    cudaMemcpy(host, a, kBytes, cudaMemcpyDeviceToHost);
  }
  if (asked("within")) {
    fill<<<4, 256>>>(b, kWords);
    cudaMemcpyAsync(b, a, kBytes, cudaMemcpyDeviceToDevice);
    cudaMemcpyAsync(host, b, kBytes, cudaMemcpyDeviceToHost);
  }
  if (asked("read")) {
    fill<<<4, 256>>>(b, kWords);
    cudaMemcpyAsync(b, a, kBytes, cudaMemcpyDeviceToDevice);
    bump<<<1, 1>>>(b);
  }
  if (asked("refused")) {
    fill<<<1, 4096>>>(a, kWords);
    cudaGetLastError();
    cudaMemcpy(host, a, kBytes, cudaMemcpyDeviceToHost);
  }
  if (asked("layout")) {
    Padded* padded;
    cudaMalloc(&padded, 24 * sizeof *padded);
    fill_padded<<<1, 24>>>(padded);
    cudaMemcpy(host, padded, 24 * sizeof *padded, cudaMemcpyDeviceToHost);
    cudaMemcpy(host, padded, sizeof *padded, cudaMemcpyDeviceToHost);
    char* rows;
    size_t pitch;
    cudaMallocPitch(reinterpret_cast<void**>(&rows), &pitch, 100, 8);
    fill_rows<<<1, dim3(25, 8)>>>(rows, pitch, 25);
    cudaMemcpy(host, rows, 8 * pitch, cudaMemcpyDeviceToHost);
    cudaMemcpy2D(host, 100, rows, pitch, 100, 8, cudaMemcpyDeviceToHost);
  }
  if (asked("columns") || asked("transposed")) copy_image(asked("columns"));
  if (asked("border")) copy_inside();
  if (asked("parts")) {
    cudaStream_t one, other;
    cudaStreamCreate(&one);
    cudaStreamCreate(&other);
    cudaMemsetAsync(a, 0, 16, one);
    fill<<<4, 256, 0, other>>>(a + 4, kWords - 4);
    cudaStreamSynchronize(one);
    cudaStreamSynchronize(other);
    cudaMemcpy(b, a, kBytes, cudaMemcpyDeviceToDevice);
    cudaMemcpy(host, b, kBytes, cudaMemcpyDeviceToHost);
    int* managed;
    cudaMallocManaged(&managed, kBytes);
    cudaMemcpy(host, managed, kBytes, cudaMemcpyDefault);
  }
  std::printf("%d %s\n", host[9], cudaGetErrorName(cudaDeviceSynchronize()));
}
