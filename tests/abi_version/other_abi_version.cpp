// SPDX-License-Identifier: Apache-2.0
//
// A program with a kernel. Its main does not run where the library has another ABI version.
#include <warpfiber/warpfiber.hpp>

#include <cstdio>

namespace {

void write_one(int* out) {
  *out = 1;
}

}  // namespace

int main() {
  std::puts("main runs");
  warpfiber::Buffer<int> out(1);
  return warpfiber::launch({.grid = 1, .block = 1}, write_one, out.data()).ok() ? 0 : 1;
}
