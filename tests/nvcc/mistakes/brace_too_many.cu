// SPDX-License-Identifier: Apache-2.0
__global__ void k(int* p) {
  if (p[0]) {
    p[1] = 2;
  }
  }
}  // mistake

int main() {
  k<<<1, 1>>>(nullptr);
}
