// SPDX-License-Identifier: Apache-2.0
// Every row of the table of device operations (warpfiber/detail/operations.hpp) that lanes call, with random operands
// and masks, and members of tiles of every size: what a compiled kernel gets is compared with what the formula of the
// row says. Fibers, regions and checked programs have to get it alike.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <warpfiber/detail/lanes/lanes.hpp>
#include <warpfiber/detail/operations.hpp>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <type_traits>
#include <utility>
#include <vector>

namespace cg = cooperative_groups;
namespace wd = warpfiber::detail;
using wd::Formula;
using wd::Operation;
using Word = unsigned long long;

constexpr unsigned kBlocks = 3;
constexpr unsigned kThreads = 96;
constexpr unsigned kAll = kBlocks * kThreads;

unsigned long long seed = 1;
unsigned random_below(unsigned bound) {
  seed = seed * 6364136223846793005ull + 1442695040888963407ull;
  return static_cast<unsigned>(seed >> 33) % bound;
}

/// What all launches share: operands, masks that part each warp at random, and results.
struct Arrays {
  unsigned* masks;
  Word* operands;
  int* sources;
  Word* results;
} arrays;

void prepare(bool predicates, bool words) {
  for (unsigned warp = 0; warp < kAll; warp += 32) {
    const unsigned groups = 1 + random_below(3);
    const unsigned kinds = 1 + random_below(3);
    unsigned of[32], members[3] = {};
    for (unsigned lane = 0; lane < 32; ++lane) members[of[lane] = random_below(groups)] |= 1u << lane;
    for (unsigned lane = 0; lane < 32; ++lane) {
      arrays.masks[warp + lane] = members[of[lane]];
      Word operand = random_below(2) ? random_below(kinds) : (Word(random_below(~0u)) << 32 | random_below(~0u));
      if (predicates) operand = operand % 3 != 0;
      if (words) operand &= 0xffffffff;
      arrays.operands[warp + lane] = operand;
    }
  }
  memset(arrays.results, 0x77, kAll * sizeof(Word));
}

int compare(const char* name, const Word* expected) {
  if (cudaDeviceSynchronize() != cudaSuccess) {
    printf("%s: %s\n", name, cudaGetErrorName(cudaGetLastError()));
    exit(1);
  }
  int wrong = 0;
  for (unsigned i = 0; i < kAll; ++i) wrong += arrays.results[i] != expected[i];
  if (wrong != 0) printf("%s: %d wrong\n", name, wrong);
  return wrong;
}

/// The formula for each thread, of the lanes of its mask, or of its tile of `size` threads.
template <class Operand>
std::vector<Word> formula_results(Formula formula, unsigned size) {
  std::vector<Word> expected(kAll);
  for (unsigned thread = 0; thread < kAll; ++thread) {
    const unsigned warp = thread / 32 * 32;
    const unsigned first = size == 0 ? 0 : thread % 32 / size * size;
    const Word lanes = size == 0 ? arrays.masks[thread] : (~0u >> (32 - size)) << first;
    wd::evaluate<Operand>(
        formula, lanes, [&](unsigned lane) { return static_cast<Operand>(arrays.operands[warp + lane]); },
        [&](unsigned lane, Word result) { expected[warp + lane] = result; });
  }
  return expected;
}

// Votes, matches and reductions of masks.

template <Operation kOperation>
__global__ void collected(const unsigned* masks, const Word* operands, Word* results) {
  using Operand = std::conditional_t<wd::row_of(kOperation).operand_words == 1, unsigned, std::uint64_t>;
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  results[i] = wd::collect<kOperation>(masks[i], static_cast<Operand>(operands[i]),
                                       wd::LaneArgument{warpfiber::Site::here()});
}

template <unsigned kId>
int row_of_masks() {
  constexpr wd::OperationRow kRow = wd::kOperations[kId];
  constexpr bool kBarrier = kRow.orders == wd::Orders::memory;
  constexpr bool kOfWords = !kBarrier && !is_shuffle(kRow.formula) && !is_of_matrices(kRow.formula);
  if constexpr (kRow.called_by == wd::CalledBy::mask && kOfWords) {
    prepare(is_vote(kRow.formula), kRow.operand_words == 1);
    collected<static_cast<Operation>(kId)><<<kBlocks, kThreads>>>(arrays.masks, arrays.operands, arrays.results);
    const std::vector<Word> expected = kRow.operand_words == 1 ? formula_results<unsigned>(kRow.formula, 0)
                                                               : formula_results<std::uint64_t>(kRow.formula, 0);
    return compare(kRow.name, expected.data());
  }
  return 0;
}

// Shuffles.

template <Formula kFormula>
__global__ void shuffled(const unsigned* masks, const Word* operands, const int* sources, int width, Word* results) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  results[i] = wd::shuffle<kFormula>(masks[i], operands[i], sources[i], width,
                                     wd::LaneArgument{warpfiber::Site::here()});
}

template <Formula kFormula>
int row_of_shuffles(const char* name) {
  int wrong = 0;
  for (int width = 1; width <= 32; width *= 2) {
    prepare(false, false);
    Word expected[kAll];
    for (unsigned i = 0; i < kAll; ++i) {
      const unsigned lane = i % 32;
      int operand = 0;
      unsigned source = lane;
      for (int attempt = 0; attempt < 40; ++attempt) {
        operand = static_cast<int>(random_below(40)) - 4;
        source = wd::shuffle_source<kFormula>(lane, operand, width, 32, 31);
        if ((arrays.masks[i] >> source & 1) != 0) break;
        source = 32;
      }
      if (source == 32) operand = kFormula == Formula::index ? static_cast<int>(lane) : 0, source = lane;
      arrays.sources[i] = operand;
      expected[i] = arrays.operands[i - lane + source];
    }
    shuffled<kFormula><<<kBlocks, kThreads>>>(arrays.masks, arrays.operands, arrays.sources, width, arrays.results);
    wrong += compare(name, expected);
  }
  return wrong;
}

// Members of tiles.

template <unsigned kSize, class Member>
__global__ void by_tiles(Member member, const Word* operands, Word* results) {
  const unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  results[i] = member(cg::tiled_partition<kSize>(cg::this_thread_block()), operands[i]);
}

struct Any {
  template <class Tile>
  __device__ Word operator()(const Tile& tile, Word operand) const { return tile.any(operand != 0) != 0; }
};
struct All {
  template <class Tile>
  __device__ Word operator()(const Tile& tile, Word operand) const { return tile.all(operand != 0) != 0; }
};
struct Ballot {
  template <class Tile>
  __device__ Word operator()(const Tile& tile, Word operand) const { return tile.ballot(operand != 0); }
};
struct MatchAny {
  template <class Tile>
  __device__ Word operator()(const Tile& tile, Word operand) const { return tile.match_any(operand); }
};
struct MatchAll {
  template <class Tile>
  __device__ Word operator()(const Tile& tile, Word operand) const {
    int all = 0;
    const unsigned ranks = tile.match_all(operand, all);
    return all != 0 ? ranks : 0;
  }
};
template <class T, template <class> class Functor>
struct Reduce {
  template <class Tile>
  __device__ Word operator()(const Tile& tile, Word operand) const {
    const T result = cg::reduce(tile, static_cast<T>(operand), Functor<T>());
    return static_cast<std::make_unsigned_t<T>>(result);
  }
};
/// Values of more than a word, of which each lane gets that of the lane above.
template <unsigned kWords>
struct Wide {
  struct Value {
    Word words[kWords];
  };
  template <class Tile>
  __device__ Word operator()(const Tile& tile, Word operand) const {
    Value value;
    for (unsigned i = 0; i < kWords; ++i) value.words[i] = operand * (2 * i + 1) + i;
    const Value taken = tile.shfl_down(value, 1);
    Word hash = 0;
    for (unsigned i = 0; i < kWords; ++i) hash = hash * 31 + taken.words[i];
    return hash;
  }
  static Word expected(const Word* operands, unsigned thread, unsigned size) {
    const unsigned source = thread % size + 1 < size ? thread + 1 : thread;
    Word hash = 0;
    for (unsigned i = 0; i < kWords; ++i) hash = hash * 31 + operands[source] * (2 * i + 1) + i;
    return hash;
  }
};

template <unsigned kSize, class Operand, class Member>
int member_of_tiles(const char* name, Formula formula, Member member) {
  prepare(is_vote(formula), sizeof(Operand) == 4);
  by_tiles<kSize><<<kBlocks, kThreads>>>(member, arrays.operands, arrays.results);
  std::vector<Word> expected = formula_results<Operand>(formula, kSize);
  const bool lanes = formula == Formula::ballot || is_match(formula);
  for (unsigned i = 0; i < kAll && lanes; ++i) expected[i] = expected[i] >> i % 32 / kSize * kSize;
  return compare(name, expected.data());
}

template <unsigned kSize, unsigned kWords>
int wide_value() {
  prepare(false, false);
  by_tiles<kSize><<<kBlocks, kThreads>>>(Wide<kWords>{}, arrays.operands, arrays.results);
  std::vector<Word> expected(kAll);
  for (unsigned i = 0; i < kAll; ++i) expected[i] = Wide<kWords>::expected(arrays.operands, i, kSize);
  return compare("shuffles of wide values", expected.data());
}

template <unsigned kSize, class T>
int reductions() {
  using Operand = std::conditional_t<sizeof(T) == 4, unsigned, std::uint64_t>;
  constexpr bool kSigned = std::is_signed_v<T>;
  return member_of_tiles<kSize, Operand>("sum", Formula::add, Reduce<T, cg::plus>{}) +
         member_of_tiles<kSize, Operand>("less", kSigned ? Formula::min_signed : Formula::min_unsigned,
                                         Reduce<T, cg::less>{}) +
         member_of_tiles<kSize, Operand>("greater", kSigned ? Formula::max_signed : Formula::max_unsigned,
                                         Reduce<T, cg::greater>{}) +
         member_of_tiles<kSize, Operand>("and", Formula::bit_and, Reduce<T, cg::bit_and>{}) +
         member_of_tiles<kSize, Operand>("or", Formula::bit_or, Reduce<T, cg::bit_or>{}) +
         member_of_tiles<kSize, Operand>("xor", Formula::bit_xor, Reduce<T, cg::bit_xor>{});
}

template <unsigned kSize>
int members_of_tiles() {
  return member_of_tiles<kSize, unsigned>("any", Formula::any, Any{}) +
         member_of_tiles<kSize, unsigned>("all", Formula::all, All{}) +
         member_of_tiles<kSize, unsigned>("ballot", Formula::ballot, Ballot{}) +
         member_of_tiles<kSize, std::uint64_t>("match_any", Formula::match_any, MatchAny{}) +
         member_of_tiles<kSize, std::uint64_t>("match_all", Formula::match_all, MatchAll{}) +
         reductions<kSize, int>() + reductions<kSize, unsigned>() + reductions<kSize, long long>() +
         reductions<kSize, unsigned long long>() + wide_value<kSize, 2>() + wide_value<kSize, 3>() +
         wide_value<kSize, 4>();
}

template <unsigned... kIds>
int rows_of_masks(std::integer_sequence<unsigned, kIds...>) {
  return (row_of_masks<kIds>() + ... + 0);
}

int main() {
  cudaMallocManaged(&arrays.masks, kAll * sizeof(unsigned));
  cudaMallocManaged(&arrays.operands, kAll * sizeof(Word));
  cudaMallocManaged(&arrays.sources, kAll * sizeof(int));
  cudaMallocManaged(&arrays.results, kAll * sizeof(Word));
  const int wrong = rows_of_masks(std::make_integer_sequence<unsigned, wd::kOperationCount>()) +
                    row_of_shuffles<Formula::index>("__shfl_sync") + row_of_shuffles<Formula::up>("__shfl_up_sync") +
                    row_of_shuffles<Formula::down>("__shfl_down_sync") +
                    row_of_shuffles<Formula::exclusive_or>("__shfl_xor_sync") + members_of_tiles<4>() +
                    members_of_tiles<16>() + members_of_tiles<32>();
  printf("%u operations, %d wrong\n", wd::kOperationCount, wrong);
  return wrong != 0;
}
