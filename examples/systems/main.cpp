// SPDX-License-Identifier: Apache-2.0
// A program of the host that calls the library.
#include <cstdio>
#include <vector>

#include "blur.hpp"

int main() {
  std::vector<float> in(1000), out(1000);
  for (int i = 0; i < 1000; ++i) in[i] = static_cast<float>(i);
  const bool done = blur(in.data(), out.data(), 1000);
  std::printf("%s, the last is %g\n", done ? "blurred" : "failed", out.back());
  return done ? 0 : 1;
}
