// SPDX-License-Identifier: Apache-2.0
// A kernel prints, and nobody waits for it.
#include <cstdio>
#include <cstring>

__global__ void hello() {
  printf("hello from %d\n", static_cast<int>(threadIdx.x));
}

int main(int count, char** words) {
  hello<<<1, 2>>>();
  if (count > 1 && std::strcmp(words[1], "waits") == 0) cudaDeviceSynchronize();
}
