// SPDX-License-Identifier: Apache-2.0
// Loads the libraries that it is given by name.
#include <dlfcn.h>

#include <cstdio>

int main(int, char** names) {
  cudaDeviceSynchronize();
  for (++names; *names != nullptr; ++names) {
    if (dlopen(*names, RTLD_NOW) == nullptr) std::printf("%s\n", dlerror());
  }
}
