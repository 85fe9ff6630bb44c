// SPDX-License-Identifier: Apache-2.0
#include <cstdio>

unsigned total(int n);

int main() {
  std::printf("the sum is %u\n", total(1000));
}
