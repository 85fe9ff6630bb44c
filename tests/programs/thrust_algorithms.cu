// SPDX-License-Identifier: Apache-2.0
//
// The distribution's own Thrust, unchanged: transforms, reductions, scans, sorts, selections and vectors, each compared
// with the standard library on the host. Its kernels read __CUDA_ARCH__, decide by PTX versions and leave threads with
// the PTX instruction exit.
#include <thrust/copy.h>
#include <thrust/device_vector.h>
#include <thrust/host_vector.h>
#include <thrust/functional.h>
#include <thrust/iterator/constant_iterator.h>
#include <thrust/reduce.h>
#include <thrust/scan.h>
#include <thrust/sort.h>
#include <thrust/transform_reduce.h>

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <numeric>
#include <random>
#include <vector>

namespace {

constexpr int kSize = 30000;
int failures = 0;

template <class T>
void expect_same(const char* what, const thrust::device_vector<T>& device, const std::vector<T>& host) {
  std::vector<T> copied(device.size());
  thrust::copy(device.begin(), device.end(), copied.begin());
  if (copied == host) return;
  std::printf("%s differs\n", what);
  ++failures;
}

void expect(const char* what, bool holds) {
  if (holds) return;
  std::printf("%s\n", what);
  ++failures;
}

struct Square {
  __host__ __device__ long long operator()(int x) const { return static_cast<long long>(x) * x; }
};

struct IsOdd {
  __host__ __device__ bool operator()(int x) const { return (x & 1) != 0; }
};

std::vector<int> random_numbers(int largest) {
  std::mt19937 engine(5);
  std::uniform_int_distribution<int> any(0, largest);
  std::vector<int> numbers(kSize);
  for (int& number : numbers) number = any(engine);
  return numbers;
}

void sort_numbers() {
  std::vector<int> host = random_numbers(1 << 30);
  thrust::device_vector<int> device(host.begin(), host.end());
  thrust::sort(device.begin(), device.end());
  std::sort(host.begin(), host.end());
  expect_same("sort", device, host);
  thrust::sort(device.begin(), device.end(), thrust::greater<int>());
  std::reverse(host.begin(), host.end());
  expect_same("sort by greater", device, host);
}

void reduce_by_key() {
  const std::vector<int> keys = random_numbers(99);
  thrust::device_vector<int> sorted(keys.begin(), keys.end());
  thrust::sort(sorted.begin(), sorted.end());
  thrust::device_vector<int> distinct(100);
  thrust::device_vector<int> counts(100);
  const auto ends = thrust::reduce_by_key(sorted.begin(), sorted.end(), thrust::make_constant_iterator(1),
                                          distinct.begin(), counts.begin());
  std::vector<int> expected(100);
  for (const int key : keys) ++expected[key];
  expect("reduce_by_key finds all keys", ends.first - distinct.begin() == 100);
  expect_same("reduce_by_key", counts, expected);
}

void scan_and_reduce() {
  const std::vector<int> host = random_numbers(1000);
  thrust::device_vector<int> device(host.begin(), host.end());
  std::vector<int> sums(kSize);
  std::partial_sum(host.begin(), host.end(), sums.begin());
  thrust::device_vector<int> scanned(kSize);
  thrust::inclusive_scan(device.begin(), device.end(), scanned.begin());
  expect_same("inclusive_scan", scanned, sums);
  thrust::exclusive_scan(device.begin(), device.end(), scanned.begin());
  expect("exclusive_scan", scanned[0] == 0 && scanned[kSize - 1] == sums[kSize - 2]);
  long long squares = 0;
  for (const int x : host) squares += Square()(x);
  expect("transform_reduce", thrust::transform_reduce(device.begin(), device.end(), Square(), 0LL,
                                                      thrust::plus<long long>()) == squares);
  std::vector<int> odd;
  std::copy_if(host.begin(), host.end(), std::back_inserter(odd), IsOdd());
  thrust::device_vector<int> selected(kSize);
  selected.resize(thrust::copy_if(device.begin(), device.end(), selected.begin(), IsOdd()) - selected.begin());
  expect_same("copy_if", selected, odd);
}

}  // namespace

int main() {
  sort_numbers();
  reduce_by_key();
  scan_and_reduce();
  std::printf("%s\n", failures == 0 ? "PASS" : "FAIL");
  return failures != 0;
}
