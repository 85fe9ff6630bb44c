// SPDX-License-Identifier: Apache-2.0
//
// Kernel definitions of every shape that real programs have.
#include "support/catch.hpp"
#include "unit/translate/sample.hpp"

namespace warpfiber::translate::test {
namespace {

TEST_CASE("kernel: qualifiers in any order and place") {
  REQUIRE_RUNS(R"(
static __global__ void a(int* p) { ++*p; }
__global__ static void b(int* p) { ++*p; }
void __global__ c(int* p) { ++*p; }
static __global__ void __launch_bounds__(256) d(int* p) { ++*p; }
__global__ __launch_bounds__(64, 2) void e(int* p) { ++*p; }
extern "C" __global__ void f(int* p) { ++*p; }
extern "C" { __global__ void g(int* p) { ++*p; } }
inline __global__ void h(int* p) { ++*p; }
__global__ [[maybe_unused]] void i(int* p) noexcept { ++*p; }
__global__ auto j(int* p) -> void { ++*p; }
int main() {
  int n = 0;
  a<<<1, 1>>>(&n); b<<<1, 1>>>(&n); c<<<1, 1>>>(&n); d<<<1, 1>>>(&n);
  EXPECT(warpfiber::cuda::last_kernel.bounds.threads == 256);
  e<<<1, 1>>>(&n);
  EXPECT(warpfiber::cuda::last_kernel.bounds.threads == 64 && warpfiber::cuda::last_kernel.bounds.blocks == 2);
  f<<<1, 1>>>(&n); g<<<1, 1>>>(&n); h<<<1, 1>>>(&n); i<<<1, 1>>>(&n); j<<<1, 1>>>(&n);
  EXPECT(n == 10);
})");
}

}  // namespace
}  // namespace warpfiber::translate::test
