// SPDX-License-Identifier: Apache-2.0
//
// __shared__ declarations of every shape that real programs have.
#include "support/catch.hpp"
#include "unit/translate/sample.hpp"

namespace warpfiber::translate::test {
namespace {

TEST_CASE("shared: arrays of one to four dimensions, scalars and pointers") {
  REQUIRE_RUNS(R"(
__global__ void k(int* out) {
  __shared__ int a[4], b[2][3], c[2][3][4], d[2][2][2][2], e, *f;
  static_assert(sizeof(a) == 16 && sizeof(b[0]) == 12 && sizeof(c) == 96 && sizeof(d) == 64 && sizeof(e) == 4);
  if (threadIdx.x == 0) { a[3] = 1; b[1][2] = 2; c[1][2][3] = 3; d[1][1][1][1] = 4; e = 5; f = &e; }
  int* pe = &e;
  if (threadIdx.x == 1) *out = a[3] + b[1][2] + c[1][2][3] + d[1][1][1][1] + *f + *pe;
}
int main() { int n = 0; k<<<1, 2>>>(&n); EXPECT(n == 20); })");
}

}  // namespace
}  // namespace warpfiber::translate::test
