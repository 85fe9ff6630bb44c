// SPDX-License-Identifier: Apache-2.0
// Accesses that no device does, of every kind that is left out, each by one thread, and a race behind them. What a load
// gives is asserted. "list": a list that leads through null, and never ends.
#include <cassert>
#include <cstdio>
#include <cstring>

struct Quad {
  int a, b, c, d;
};

struct Wide {
  double values[6];
};

struct Node {
  Node* next;
  int value;
};

__constant__ int limits[4];
__device__ int raced;

template <class T>
__device__ void load_and_store(T* nowhere) {
  assert(nowhere[1] == T(0));
  nowhere[2] = T(7);
  nowhere[3] += T(1);
}

__global__ void misuse(char* out, const int* host, int* freed, float* none) {
  char* far = out + (1L << 43);
  switch (threadIdx.x) {
    case 0: load_and_store(far); break;
    case 1: load_and_store(reinterpret_cast<short*>(far)); break;
    case 2: load_and_store(reinterpret_cast<int*>(far)); break;
    case 3: load_and_store(reinterpret_cast<double*>(far)); break;
    case 4: load_and_store(none); break;
    case 5: assert(*host == 0); break;    
    case 6: assert(freed[1] == 0); break; 
    case 7: {
      Quad quad = *reinterpret_cast<Quad*>(far);
      assert(quad.a == 0 && quad.d == 0);
      *reinterpret_cast<Quad*>(far) = quad;
      break;
    }
    case 8: {
      Wide wide = *reinterpret_cast<Wide*>(far);
      assert(wide.values[0] == 0 && wide.values[5] == 0);
      *reinterpret_cast<Wide*>(far) = wide;
      break;
    }
    case 9: assert(atomicAdd(reinterpret_cast<int*>(far), 1) == 0); break;
    case 10: atomicMax(reinterpret_cast<int*>(far), 1); break;
    case 11: atomicCAS(reinterpret_cast<unsigned long long*>(far), 0ULL, 1ULL); break;
    case 12: assert(*reinterpret_cast<volatile int*>(far) == 0); break;
    case 13: assert(*reinterpret_cast<int*>(out + 2) == 0); break;
    case 14: assert(*reinterpret_cast<int*>(out + 64) == 0); break;
    case 15: const_cast<int*>(limits)[1] = 3; break;
  }
  __syncthreads();
  if (threadIdx.x % 32 == 31) raced += 1;
}

__global__ void follow(Node* node, int* out) {
  for (int seen = 0; node->value != 1; ++seen) {
    node = node->next;
    *out = seen;
  }
}

int main(int, char** arguments) {
  const int* host = new int(5);
  char* out;
  int* freed;
  cudaMalloc(&out, 64);
  cudaMemset(out, 1, 64);
  cudaMalloc(&freed, 64);
  cudaMemset(freed, 1, 64);
  cudaFree(freed);
  if (std::strcmp(arguments[1], "list") == 0) {
    follow<<<1, 1>>>(nullptr, reinterpret_cast<int*>(out));
  } else {
    misuse<<<2, 64>>>(out, host, freed, nullptr);
  }
  std::printf("%s\n", cudaGetErrorName(cudaDeviceSynchronize()));
}
