// SPDX-License-Identifier: Apache-2.0
__global__ void k(int* p) {
  p[0] = (1 + ;  // mistake
  p[1] = 2;
}

int main() {
  k<<<1, 32>>>(nullptr);
}
