// SPDX-License-Identifier: Apache-2.0
// Tests in a program of the host's compiler, of what a library with kernels does (library.cu).
#include <gtest/gtest.h>

extern "C" {
void right();
void wrong();
}

TEST(Library, Right) {
  right();
}

TEST(Library, Wrong) {
  wrong();
}

int main(int count, char** arguments) {
  testing::InitGoogleTest(&count, arguments);
  return RUN_ALL_TESTS();
}
