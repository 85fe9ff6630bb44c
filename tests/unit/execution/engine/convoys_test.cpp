// SPDX-License-Identifier: Apache-2.0
// Shuffles in a row, in which lanes run as a convoy, and everything that ends one: other masks, barriers, votes, polls,
// lanes that return. Every result is compared with the sequential model.
#include <vector>

#include "base/random.hpp"
#include "support/launches.hpp"
#include "unit/models/machine/collective_model.hpp"

using namespace warpfiber;
using namespace warpfiber::test;

namespace {

constexpr unsigned kLanes = 32;
constexpr unsigned kFull = 0xffffffffU;

enum class Step { index, up, down, exclusive_or, vote, barrier, converge, fence };

/// What all lanes of a group do next.
struct Action {
  Step step;
  unsigned mask_low;  // of the lower half of the warp; lanes above it have the rest
  int operand;
  int width;
};

/// A plan for one warp: what its lanes do, and when each of them returns.
struct Plan {
  std::vector<Action> actions;
  std::vector<unsigned> leaves;  // by lane: the action before which it returns

  Plan(base::Random& random, unsigned length) {
    Action action{};
    for (unsigned i = 0; i < length; ++i) {
      if (i == 0 || random.below(4) == 0) action = some(random);
      actions.push_back(action);
    }
    const bool all_stay = random.below(2) == 0;
    for (unsigned lane = 0; lane < kLanes; ++lane) {
      const bool stays = all_stay || random.below(3) != 0;
      leaves.push_back(stays ? length : static_cast<unsigned>(random.below(length)));
    }
  }

  static Action some(base::Random& random) {
    constexpr Step kOften[] = {Step::index, Step::up,   Step::down,    Step::exclusive_or, Step::down,
                               Step::up,    Step::vote, Step::barrier, Step::converge,     Step::fence};
    constexpr unsigned kMasks[] = {kFull, kFull, kFull, 0x0000ffffU, 0x0000ff00U};
    return Action{kOften[random.below(std::size(kOften))], kMasks[random.below(std::size(kMasks))],
                  static_cast<int>(random.below(40)) - 4, 1 << random.below(6)};
  }

  std::uint64_t group(unsigned lane, const Action& action) const {
    const bool inside = (action.mask_low >> lane & 1) != 0;
    return inside ? action.mask_low : ~action.mask_low;
  }
};

std::uint64_t offer(unsigned thread, std::size_t at) {
  return base::mix(thread, at);
}

struct Arguments {
  const Action* actions;
  unsigned length;
  const unsigned* leaves;
  std::uint64_t* results;  // of thread t from t * length on
};

void follow(Arguments plan) {
  const unsigned lane = threadIdx.x % kLanes;
  for (unsigned i = 0; i < plan.leaves[lane]; ++i) {
    const Action& action = plan.actions[i];
    const bool inside = (action.mask_low >> lane & 1) != 0;
    const unsigned mask = inside ? action.mask_low : ~action.mask_low;
    const std::uint64_t mine = offer(threadIdx.x, i);
    std::uint64_t& result = plan.results[threadIdx.x * plan.length + i];
    switch (action.step) {
      case Step::index: result = __shfl_sync(mask, mine, action.operand, action.width); break;
      case Step::up: result = __shfl_up_sync(mask, mine, static_cast<unsigned>(action.operand), action.width); break;
      case Step::down: result = __shfl_down_sync(mask, mine, static_cast<unsigned>(action.operand)); break;
      case Step::exclusive_or: result = __shfl_xor_sync(mask, mine, action.operand); break;
      case Step::vote: result = __ballot_sync(mask, 1); break;
      case Step::barrier: __syncthreads(); break;
      case Step::converge: __activemask(); break;
      case Step::fence: __threadfence(); break;
    }
  }
}

/// Results of thread `thread` that differ from the model's.
unsigned wrong_results(const Plan& plan, unsigned thread, const std::vector<std::uint64_t>& results) {
  const unsigned lane = thread % kLanes;
  unsigned wrong = 0;
  for (unsigned i = 0; i < plan.leaves[lane]; ++i) {
    const Action& action = plan.actions[i];
    if (action.step > Step::exclusive_or) continue;
    model::Lanes lanes(kLanes);
    for (unsigned other = 0; other < kLanes; ++other) {
      const bool there = (plan.group(lane, action) >> other & 1) != 0 && i < plan.leaves[other];
      lanes[other] = model::Lane{there, offer(thread - lane + other, i), action.operand};
    }
    const bool whole = action.step == Step::down || action.step == Step::exclusive_or;
    const auto kind = static_cast<model::Shuffle>(action.step);
    const auto expected = model::shuffle(kind, lanes, whole ? static_cast<int>(kLanes) : action.width, kLanes)[lane];
    wrong += expected.has_value() && results[std::size_t{thread} * plan.actions.size() + i] != *expected;
  }
  return wrong;
}

}  // namespace

TEST_CASE("shuffles in a row give what the model gives, whatever comes between them") {
  const Way way = every_way();
  const unsigned threads = GENERATE(32U, 96U);
  CAPTURE(way, threads);
  base::Random random(threads);
  for (unsigned trial = 0; trial < 40; ++trial) {
    const Plan plan(random, 60);
    const auto length = static_cast<unsigned>(plan.actions.size());
    std::vector<std::uint64_t> results(std::size_t{threads} * length);
    good_launch(way.apply({.block = threads}), follow,
                Arguments{plan.actions.data(), length, plan.leaves.data(), results.data()});
    unsigned wrong = 0;
    for (unsigned thread = 0; thread < threads; ++thread) wrong += wrong_results(plan, thread, results);
    CHECK(wrong == 0);
  }
}

namespace {

/// Lanes of all shapes of block go round by shuffles alone, more often than one warp may before it is others' turn.
void go_round(unsigned rounds, unsigned* out) {
  unsigned value = detail::thread_rank();
  const uint3 before = threadIdx;
  for (unsigned i = 0; i < rounds; ++i) value = __shfl_sync(kFull, value, static_cast<int>(detail::lane_id() + 1));
  const bool same = threadIdx.x == before.x && threadIdx.y == before.y && threadIdx.z == before.z;
  out[detail::thread_rank()] = same ? value : ~0U;
}

}  // namespace

TEST_CASE("warps that do nothing but shuffle come to their end in blocks of every shape") {
  const Way way = every_way();
  const dim3 block = GENERATE(dim3{64}, dim3{8, 8}, dim3{4, 4, 4}, dim3{2, 2, 16}, dim3{32, 2, 2});
  CAPTURE(way, block.x, block.y, block.z);
  constexpr unsigned kRounds = 3 * 256 + 5;
  std::vector<unsigned> out(block.x * block.y * block.z);
  good_launch(way.apply({.block = block}), go_round, kRounds, out.data());
  for (unsigned thread = 0; thread < out.size(); ++thread) {
    CHECK(out[thread] == thread / kLanes * kLanes + (thread + kRounds) % kLanes);
  }
}
