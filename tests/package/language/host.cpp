// SPDX-License-Identifier: Apache-2.0
//
// An object of C++ among those of CUDA: CMake then lets the C++ compiler link.
int host_of_language() {
  return 0;
}
