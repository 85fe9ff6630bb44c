// SPDX-License-Identifier: Apache-2.0
//
// MTGP32 in kernels against its recurrence in plain C++ (Saito and Matsumoto, 2013, section 2). The parameter sets are
// made up: their tables are linear over GF(2), as the recurrence asks for, and nothing is known about their periods.
#include <curand_kernel.h>
#include <curand_mtgp32_host.h>

#include <cstdio>
#include <cstdlib>
#include <deque>
#include <vector>

#define REQUIRE(condition)                                \
  do {                                                    \
    if (!(condition)) {                                   \
      std::printf("line %d: %s\n", __LINE__, #condition); \
      std::exit(1);                                       \
    }                                                     \
  } while (false)

namespace {

/// All sums of four words.
void set_linear(unsigned (&table)[16], unsigned a, unsigned b, unsigned c, unsigned d) {
  for (unsigned i = 0; i < 16; ++i) table[i] = (i & 1 ? a : 0) ^ (i & 2 ? b : 0) ^ (i & 4 ? c : 0) ^ (i & 8 ? d : 0);
}

std::vector<mtgp32_params_fast_t> made_up_sets() {
  std::vector<mtgp32_params_fast_t> sets(CURAND_NUM_MTGP32_PARAMS);
  for (unsigned i = 0; i < CURAND_NUM_MTGP32_PARAMS; ++i) {
    mtgp32_params_fast_t& set = sets[i];
    set.mexp = MTGPDC_MEXP;
    set.pos = 4 + i % 90;
    set.sh1 = 13 + i % 11;
    set.sh2 = 4 + i % 9;
    set_linear(set.tbl, 0x9e3779b9u + i, 0x7f4a7c15u ^ i << 9, 0x0f39cc06u + i, 0x85ebca6bu ^ i << 16);
    set_linear(set.tmp_tbl, 0x04200000u, 0x15280000u ^ i << 11, 0x28ac0000u, 0x330ade00u);
    set.mask = 0xfff80000u;
  }
  return sets;
}

/// One sequence, with a word for each step.
class Sequence {
 public:
  Sequence(const mtgp32_params_fast_t& set, unsigned seed) : set_(set) {
    const unsigned hidden = set.tbl[4] ^ set.tbl[8] << 16;
    unsigned byte = hidden;
    byte += byte >> 16;
    byte += byte >> 8;
    byte %= 256;
    words_.push_back(seed);
    for (unsigned i = 1; i < MTGPDC_N; ++i) {
      const unsigned before = words_.back();
      const unsigned start = i == 1 ? hidden : byte | byte << 8 | byte << 16 | byte << 24;
      words_.push_back(start ^ (1812433253u * (before ^ before >> 30) + i));
    }
  }

  unsigned next() {
    unsigned x = (words_[0] & set_.mask) ^ words_[1];
    x ^= x << set_.sh1;
    const unsigned y = x ^ words_[set_.pos] >> set_.sh2;
    const unsigned made = y ^ set_.tbl[y % 16];
    unsigned helper = words_[set_.pos - 1];
    helper ^= helper >> 16;
    helper ^= helper >> 8;
    words_.push_back(made);
    words_.pop_front();
    return made ^ set_.tmp_tbl[helper % 16];
  }

 private:
  mtgp32_params_fast_t set_;
  std::deque<unsigned> words_;
};

__global__ void draw(curandStateMtgp32* states, unsigned* to, int calls) {
  const unsigned threads = blockDim.x * blockDim.y * blockDim.z;
  const unsigned rank = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
  for (int i = 0; i < calls; ++i) to[(blockIdx.x * calls + i) * threads + rank] = curand(&states[blockIdx.x]);
}

/// Half of the block draws from one state, the other half from another one.
__global__ void draw_from_two(curandStateMtgp32* states, unsigned* to) {
  const unsigned half = threadIdx.x / 100;
  for (int i = 0; i < 3; ++i) {
    to[(half * 3 + i) * 100 + threadIdx.x % 100] = curand_mtgp32_specific(&states[half], threadIdx.x % 100, 100);
  }
}

__global__ void distribute(curandStateMtgp32* state, curandDiscreteDistribution_t counts, double* to) {
  curandStateMtgp32 __shared__ in_block;
  if (threadIdx.x == 0) in_block = *state;
  __syncthreads();
  double* mine = to + threadIdx.x;
  *mine = curand(&in_block);
  *(mine += 256) = curand_uniform(&in_block);
  *(mine += 256) = curand_uniform_double(&in_block);
  *(mine += 256) = curand_normal(&in_block);
  *(mine += 256) = curand_normal_double(&in_block);
  *(mine += 256) = curand_log_normal(&in_block, 1, 0.5f);
  *(mine += 256) = curand_log_normal_double(&in_block, 1, 0.5);
  *(mine += 256) = curand_poisson(&in_block, 10);
  *(mine += 256) = curand_poisson(&in_block, 10000);
  *(mine += 256) = curand_discrete(&in_block, counts);
}

curandStateMtgp32* states_on_device(std::vector<mtgp32_params_fast_t>& sets, int count, unsigned long long seed) {
  mtgp32_kernel_params* kernel_sets;
  curandStateMtgp32* states;
  REQUIRE(cudaMalloc(&kernel_sets, sizeof *kernel_sets) == cudaSuccess);
  REQUIRE(cudaMalloc(&states, count * sizeof *states) == cudaSuccess);
  REQUIRE(curandMakeMTGP32Constants(sets.data(), kernel_sets) == CURAND_STATUS_SUCCESS);
  REQUIRE(curandMakeMTGP32KernelState(states, sets.data(), kernel_sets, count, seed) == CURAND_STATUS_SUCCESS);
  return states;
}

template <class T>
std::vector<T> drawn(const T* from, size_t count) {
  std::vector<T> numbers(count);
  REQUIRE(cudaMemcpy(numbers.data(), from, count * sizeof(T), cudaMemcpyDeviceToHost) == cudaSuccess);
  return numbers;
}

void test_sequences(std::vector<mtgp32_params_fast_t>& sets, dim3 block, int calls) {
  const unsigned long long seed = 0x123456789abcull;
  const int threads = block.x * block.y * block.z;
  unsigned* to;
  REQUIRE(cudaMalloc(&to, 200 * calls * threads * sizeof *to) == cudaSuccess);
  draw<<<200, block>>>(states_on_device(sets, 200, seed), to, calls);
  const std::vector<unsigned> numbers = drawn(to, 200 * calls * threads);
  for (int state = 0; state < 200; ++state) {
    Sequence sequence(sets[state], static_cast<unsigned>(seed ^ seed >> 32) + state + 1);
    for (int i = 0; i < calls * threads; ++i) REQUIRE(numbers[state * calls * threads + i] == sequence.next());
  }
}

void test_two_states(std::vector<mtgp32_params_fast_t>& sets) {
  unsigned* to;
  REQUIRE(cudaMalloc(&to, 600 * sizeof *to) == cudaSuccess);
  draw_from_two<<<1, 200>>>(states_on_device(sets, 2, 0), to);
  const std::vector<unsigned> numbers = drawn(to, 600);
  for (unsigned state = 0; state < 2; ++state) {
    Sequence sequence(sets[state], state + 1);
    for (int i = 0; i < 300; ++i) REQUIRE(numbers[state * 300 + i] == sequence.next());
  }
}

void test_distributions(std::vector<mtgp32_params_fast_t>& sets) {
  double* to;
  curandDiscreteDistribution_t counts;
  REQUIRE(cudaMalloc(&to, 2560 * sizeof *to) == cudaSuccess);
  REQUIRE(curandCreatePoissonDistribution(100, &counts) == CURAND_STATUS_SUCCESS);
  distribute<<<1, 256>>>(states_on_device(sets, 1, 7), counts, to);
  const std::vector<double> numbers = drawn(to, 2560);
  Sequence sequence(sets[0], 8);
  const double means[] = {2147483648.0, 0.5, 0.5, 0, 0, 3.08, 3.08, 10, 10000, 100};
  const double deviations[] = {1.24e9, 0.289, 0.289, 1, 1, 1.64, 1.64, 3.16, 100, 10};
  for (int form = 0; form < 10; ++form) {
    double sum = 0;
    for (int i = 0; i < 256; ++i) {
      const double x = numbers[form * 256 + i];
      const unsigned bits = sequence.next();
      if (form == 1) REQUIRE(x == static_cast<float>(bits) * 0x1p-32f + 0x1p-33f);
      if (form == 2) REQUIRE(x == bits * 0x1p-32 + 0x1p-32);
      // Those but the last, a table, are inverted: a number lies on the side of the median that its bits are on.
      if (form > 2 && form < 9) REQUIRE(bits >> 31 ? x >= means[form] - deviations[form] : x <= means[form]);
      sum += x;
    }
    REQUIRE(fabs(sum / 256 - means[form]) < deviations[form] / 4);  // four standard errors
  }
}

void test_statuses(std::vector<mtgp32_params_fast_t> sets) {
  curandStateMtgp32* states;
  mtgp32_kernel_params* kernel_sets;
  REQUIRE(cudaMalloc(&states, sizeof *states) == cudaSuccess);
  REQUIRE(cudaMalloc(&kernel_sets, sizeof *kernel_sets) == cudaSuccess);
  REQUIRE(curandMakeMTGP32KernelState(states, sets.data(), kernel_sets, 201, 0) == CURAND_STATUS_OUT_OF_RANGE);
  REQUIRE(curandMakeMTGP32KernelState(states, sets.data(), kernel_sets, 2, 0) == CURAND_STATUS_INITIALIZATION_FAILED);
  sets[0].mexp = 23209;
  REQUIRE(curandMakeMTGP32KernelState(states, sets.data(), kernel_sets, 1, 0) == CURAND_STATUS_OUT_OF_RANGE);
}

}  // namespace

int main() {
  std::vector<mtgp32_params_fast_t> sets = made_up_sets();
  static_assert(sizeof(curandStateMtgp32_t) == 4112 && sizeof(mtgp32_params_fast_t) == 236, "as NVIDIA's");
  static_assert(sizeof(mtgp32_kernel_params_t) == 40804, "as NVIDIA's");
  for (dim3 block : {dim3(256), dim3(33), dim3(16, 7), dim3(5, 3, 5)}) test_sequences(sets, block, 9);
  test_two_states(sets);
  test_distributions(sets);
  test_statuses(sets);
  std::printf("PASS\n");
}
