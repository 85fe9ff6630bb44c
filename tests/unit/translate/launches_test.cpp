// SPDX-License-Identifier: Apache-2.0
//
// Launches of every shape that real programs have.
#include "support/catch.hpp"
#include "unit/translate/sample.hpp"

namespace warpfiber::translate::test {
namespace {

TEST_CASE("launch: two, three and four configuration arguments") {
  REQUIRE_RUNS(R"(
__global__ void k(int* p) { *p += 1; }
int main() {
  int n = 0;
  cudaStream_t stream = reinterpret_cast<cudaStream_t>(8);
  k<<<2, 3>>>(&n);
  EXPECT(n == 6 && warpfiber::cuda::last_kernel.dynamic_bytes == 0 && warpfiber::cuda::last_kernel.stream == nullptr);
  k<<<2, 3, 100>>>(&n);
  EXPECT(n == 12 && warpfiber::cuda::last_kernel.dynamic_bytes == 100);
  k<<<2, 3, 0, stream>>>(&n);
  EXPECT(n == 18 && warpfiber::cuda::last_kernel.stream == stream);
})");
}

TEST_CASE("launch: the unbraced body of if, else, for and while, after a case label and a brace") {
  REQUIRE_RUNS(R"(
__global__ void add(int* p, int by) { *p += by; }
int main() {
  int n = 0;
  if (n) add<<<1, 1>>>(&n, 100); else add<<<1, 1>>>(&n, 1);
  for (int i = 0; i < 3; ++i) add<<<1, 1>>>(&n, 10);
  while (n < 100) add<<<1, 1>>>(&n, 1000);
  do add<<<1, 1>>>(&n, 1); while (false);
  switch (n) { case 1032: add<<<1, 1>>>(&n, 5); break; default: n = -1; }
  { } add<<<1, 1>>>(&n, 1);
  if (n) (add)<<<1, 1>>>(&n, 1);
  EXPECT(n == 1039);
})");
}

}  // namespace
}  // namespace warpfiber::translate::test
