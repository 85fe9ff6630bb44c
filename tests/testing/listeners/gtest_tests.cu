// SPDX-License-Identifier: Apache-2.0
// Tests with GoogleTest, which knows nothing of Warpfiber, in the order in which they run.
#include <gtest/gtest.h>
#include <sched.h>

#include <csignal>

#include "kernels.cuh"

TEST(Rotate, Right) {
  rotate_right();
}

TEST(Rotate, Wrong) {
  rotate_wrong();
}

TEST(Rotate, WrongAgain) {
  rotate_wrong();
}

TEST(Rotate, RightAgain) {
  rotate_right();
}

TEST(Launches, Unawaited) {
  launch_unawaited();
}

TEST(Calls, RefusedAndSeen) {
  EXPECT_EQ(ask_for_too_much(), cudaErrorMemoryAllocation);
  cudaGetLastError();
}

TEST(Calls, RefusedAndIgnored) {
  ask_and_ignore();
}

TEST(Others, FailByThemselves) {
  EXPECT_EQ(1 + 1, 3);
}

TEST(Others, DISABLED_Crash) {
  rotate_wrong();
  std::raise(SIGSEGV);
}

TEST(Others, AreSkipped) {
  GTEST_SKIP() << "as a test may be";
}

/// Its kernel runs from before the first test until after the last.
class Served : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    cudaHostAlloc(&word, sizeof(int), cudaHostAllocMapped);
    *word = 0;
    serve<<<1, 1>>>(word);
  }

  static void TearDownTestSuite() {
    *static_cast<volatile int*>(word) = -1;
    cudaDeviceSynchronize();
    cudaFreeHost(word);
  }

  static void ask() {
    volatile int* const asked = word;
    *asked = 1;
    while (*asked != 2) sched_yield();
  }

  static inline int* word = nullptr;
};

TEST_F(Served, Once) {
  ask();
}

TEST_F(Served, Again) {
  ask();
}

int main(int count, char** arguments) {
  testing::InitGoogleTest(&count, arguments);
  return RUN_ALL_TESTS();
}
