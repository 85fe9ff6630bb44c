// SPDX-License-Identifier: Apache-2.0
// Collectives called by the lanes of real launches that part at random: every warp is cut into random groups, each
// group meets a few times with its own mask, and every result is compared with the sequential model.
#include <algorithm>
#include <bit>
#include <optional>
#include <vector>

#include "base/random.hpp"
#include "support/launches.hpp"
#include "unit/models/machine/collective_model.hpp"

using namespace warpfiber;
using namespace warpfiber::test;

namespace {

/// One lane's part in one rendezvous: what it brings and what it got.
struct Part {
  std::uint64_t mask;
  std::uint64_t value;
  int operand;
  int width;
  std::uint64_t result;
};

enum Call { by_index, upwards, downwards, by_xor, all, any, uniform, ballot, match_any, match_all, add, smallest };
constexpr std::uint64_t kCalls = smallest + 1;

std::uint64_t call(Call which, const Part& part) {
  using namespace detail;
  const LaneArgument at{Site::here()};
  const auto word = static_cast<unsigned>(part.value);
  switch (which) {
    case by_index: return shuffle<Formula::index>(part.mask, part.value, part.operand, part.width, at);
    case upwards: return shuffle<Formula::up>(part.mask, part.value, part.operand, part.width, at);
    case downwards: return shuffle<Formula::down>(part.mask, part.value, part.operand, part.width, at);
    case by_xor: return shuffle<Formula::exclusive_or>(part.mask, part.value, part.operand, part.width, at);
    case all: return collect<Operation::vote_all>(part.mask, part.value != 0, at);
    case any: return collect<Operation::vote_any>(part.mask, part.value != 0, at);
    case uniform: return collect<Operation::vote_uniform>(part.mask, part.value != 0, at);
    case ballot: return collect<Operation::ballot>(part.mask, part.value != 0, at);
    case match_any: return collect<Operation::match_any>(part.mask, part.value, at);
    case match_all: return collect<Operation::match_all>(part.mask, part.value, at);
    case add: return collect<Operation::reduce_add>(part.mask, word, at);
    case smallest: return collect<Operation::reduce_min_unsigned>(part.mask, word, at);
  }
  return 0;
}

/// The result for `lane` of a rendezvous; nothing where the device promises nothing.
std::optional<std::uint64_t> expected(Call which, const model::Lanes& lanes, std::size_t lane, int width) {
  using model::Shuffle;
  constexpr Shuffle kKinds[] = {Shuffle::indexed, Shuffle::up, Shuffle::down, Shuffle::exclusive_or};
  switch (which) {
    case all: return model::all(lanes);
    case any: return model::any(lanes);
    case uniform: return model::all(lanes) || !model::any(lanes);
    case ballot: return model::ballot(lanes);
    case match_any: return model::match_any(lanes, lane);
    case match_all: return model::match_all(lanes);
    case add: return model::reduce(lanes, [](unsigned a, unsigned b) { return a + b; });
    case smallest: return model::reduce(lanes, [](unsigned a, unsigned b) { return std::min(a, b); });
    default: return model::shuffle(kKinds[which], lanes, width, static_cast<int>(lanes.size()))[lane];
  }
}

/// A plan of a launch: for each thread the rendezvous it takes part in, `rounds` of them with others of its group.
struct Plan {
  unsigned threads, size;
  int rounds;
  std::vector<Part> parts;  // of thread t from t * rounds on
  std::vector<Call> calls;  // likewise

  Plan(unsigned of_threads, unsigned warp_size, int of_rounds, std::uint64_t seed)
      : threads(of_threads), size(warp_size), rounds(of_rounds), parts(threads * rounds), calls(threads * rounds) {
    base::Random random(seed);
    for (unsigned first = 0; first < threads; first += size) plan_warp(random, first);
  }

  Part& part(unsigned thread, int round) {
    return parts[thread * static_cast<unsigned>(rounds) + static_cast<unsigned>(round)];
  }

  /// Cuts the warp into groups and gives each the same calls with its own mask.
  void plan_warp(base::Random& random, unsigned first) {
    const unsigned lanes = std::min(size, threads - first);
    const std::uint64_t groups = 1 + random.below(4);
    std::vector<std::uint64_t> masks(groups);
    std::vector<std::uint64_t> group_of(lanes);
    for (unsigned lane = 0; lane < lanes; ++lane) {
      group_of[lane] = random.below(groups);
      masks[group_of[lane]] |= std::uint64_t{1} << lane;
    }
    for (int round = 0; round < rounds; ++round) {
      for (std::uint64_t group = 0; group < groups; ++group) {
        const auto which = static_cast<Call>(random.below(kCalls));
        const int width = 1 << random.below(static_cast<std::uint64_t>(std::bit_width(size)));
        const std::uint64_t kinds = 1 + random.below(3);
        for (unsigned lane = 0; lane < lanes; ++lane) {
          if (group_of[lane] != group) continue;
          part(first + lane, round) =
              Part{masks[group], random.below(kinds), static_cast<int>(random.below(40)) - 4, width, 0};
          calls[(first + lane) * static_cast<unsigned>(rounds) + static_cast<unsigned>(round)] = which;
        }
      }
    }
  }

  model::Lanes lanes_of(unsigned thread, int round) {
    const unsigned first = thread / size * size;
    model::Lanes lanes(size);
    for (unsigned lane = 0; lane < size && first + lane < threads; ++lane) {
      const Part& other = part(first + lane, round);
      lanes[lane] = model::Lane{(part(thread, round).mask >> lane & 1) != 0, other.value, other.operand};
    }
    return lanes;
  }

  unsigned wrong() {
    unsigned count = 0;
    for (unsigned thread = 0; thread < threads; ++thread) {
      for (int round = 0; round < rounds; ++round) {
        const Call which = calls[thread * static_cast<unsigned>(rounds) + static_cast<unsigned>(round)];
        const auto right = expected(which, lanes_of(thread, round), thread % size, part(thread, round).width);
        count += right.has_value() && *right != part(thread, round).result;
      }
    }
    return count;
  }
};

void follow(Plan* plan) {
  const unsigned self = threadIdx.x;
  for (int round = 0; round < plan->rounds; ++round) {
    const unsigned at = self * static_cast<unsigned>(plan->rounds) + static_cast<unsigned>(round);
    plan->parts[at].result = call(plan->calls[at], plan->parts[at]);
  }
}

}  // namespace

TEST_CASE("lanes that part at random get the results of the sequential model") {
  const Way way = every_way();
  const unsigned size = GENERATE(1U, 2U, 16U, 32U, 64U);
  const unsigned threads = GENERATE(1U, 33U, 100U, 256U);
  CAPTURE(way, size, threads);
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    Plan plan(threads, size, 12, seed + 100 * threads + size);
    LaunchConfig config = way.apply({.block = threads});
    config.warp_size = size;
    good_launch(config, follow, &plan);
    CHECK(plan.wrong() == 0);
  }
}
