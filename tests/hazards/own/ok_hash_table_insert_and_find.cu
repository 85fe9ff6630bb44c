// expect: clean
// SPDX-License-Identifier: Apache-2.0
// needs: sm_70
// tier: core
// hw: ok
// row: R4
// why: keys are claimed by atomicCAS, the value is the claimer's own, a later launch looks them up; buckets of a second table have locks
#include <cstdio>
#include <cstdlib>
#define CK(x) do { cudaError_t e_ = (x); if (e_ != cudaSuccess) { \
  std::printf("CUDA-ERROR %s line %d\n", cudaGetErrorName(e_), __LINE__); std::exit(3); } } while (0)

struct Slot {
  unsigned key;
  unsigned value;
};
struct Bucket {
  int lock;
  int count;
  unsigned items[14];
};

__global__ void insert(Slot* table, unsigned size, const unsigned* keys, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (unsigned at = keys[i] * 2654435761u % size;; at = (at + 1) % size) {
    const unsigned old = atomicCAS(&table[at].key, 0u, keys[i]);
    if (old != 0) continue;
    table[at].value = 10 * keys[i];
    return;
  }
}

__global__ void put(Bucket* buckets, unsigned size, const unsigned* keys, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  Bucket& bucket = buckets[keys[i] % size];
  bool done = false;
  while (!done) {
    if (atomicCAS(&bucket.lock, 0, 1) == 0) {
      __threadfence();
      if (bucket.count < 14) bucket.items[bucket.count++] = keys[i];
      __threadfence();
      atomicExch(&bucket.lock, 0);
      done = true;
    }
  }
}

__global__ void find(const Slot* table, unsigned size, const unsigned* keys, int n, const Bucket* buckets, unsigned m,
                     int* missing) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  unsigned at = keys[i] * 2654435761u % size;
  while (table[at].key != keys[i]) at = (at + 1) % size;
  bool there = table[at].value == 10 * keys[i];
  const Bucket& bucket = buckets[keys[i] % m];
  bool stored = false;
  for (int k = 0; k < bucket.count; ++k) stored = stored || bucket.items[k] == keys[i];
  if (!there || !stored) atomicAdd(missing, 1);
}

int main() {
  const int n = 150;
  const unsigned size = 256, buckets = 31;
  unsigned h[n], *keys;
  Slot* table;
  Bucket* chains;
  int *missing, bad = 0;
  for (int i = 0; i < n; ++i) h[i] = 1 + 7 * i;
  CK(cudaMalloc(&keys, sizeof h));
  CK(cudaMalloc(&table, size * sizeof(Slot)));
  CK(cudaMalloc(&chains, buckets * sizeof(Bucket)));
  CK(cudaMalloc(&missing, sizeof(int)));
  CK(cudaMemcpy(keys, h, sizeof h, cudaMemcpyHostToDevice));
  CK(cudaMemset(table, 0, size * sizeof(Slot)));
  CK(cudaMemset(chains, 0, buckets * sizeof(Bucket)));
  CK(cudaMemset(missing, 0, sizeof(int)));
  insert<<<3, 64>>>(table, size, keys, n);
  put<<<3, 64>>>(chains, buckets, keys, n);
  find<<<3, 64>>>(table, size, keys, n, chains, buckets, missing);
  CK(cudaGetLastError());
  CK(cudaMemcpy(&bad, missing, sizeof bad, cudaMemcpyDeviceToHost));
  CK(cudaFree(keys));
  CK(cudaFree(table));
  CK(cudaFree(chains));
  CK(cudaFree(missing));
  std::printf("%s\n", bad ? "FAIL" : "PASS");
  return bad != 0;
}
