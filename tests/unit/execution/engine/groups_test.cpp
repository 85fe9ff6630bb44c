// SPDX-License-Identifier: Apache-2.0
// Rendezvous of groups that are larger than a warp: each group meets on its own, whoever has returned is left out, and
// calls that never fit together end in a finding.
#include <warpfiber/detail/group.hpp>
#include <warpfiber/detail/thread_set.hpp>

#include <string>
#include <vector>

#include "support/launches.hpp"

using namespace warpfiber;
using namespace warpfiber::test;
using Catch::Matchers::ContainsSubstring;

namespace {

struct SumPart : detail::GroupPart {
  long value;  // in: the thread's; out: the sum of all
};

void complete_sum(const detail::GroupMeeting& meeting) {
  long sum = 0;
  for (unsigned rank = 0; rank < meeting.size; ++rank) {
    if (meeting.parts[rank] != nullptr) sum += static_cast<SumPart*>(meeting.parts[rank])->value;
  }
  for (unsigned rank = 0; rank < meeting.size; ++rank) {
    if (meeting.parts[rank] != nullptr) static_cast<SumPart*>(meeting.parts[rank])->value = sum;
  }
}

constexpr detail::GroupCollective kSum{"sum()", complete_sum};
constexpr detail::GroupCollective kOther{"other()", complete_sum};

/// Sum of `value` over the group of `size` threads that the caller is in.
long group_sum(unsigned size, long value, const detail::GroupCollective& collective = kSum) {
  const unsigned rank = detail::thread_rank();
  SumPart part{{Site::here(), rank % size}, value};
  detail::meet(rank - rank % size, size, collective, &part);
  return part.value;
}

/// Whether the block's last group of `size` threads has fewer warps than the others, for which a device would wait.
bool lacks_warps(unsigned size, unsigned threads) {
  return (threads + 31) / 32 % (size / 32) != 0;
}

long expected_sum(unsigned first, unsigned size, unsigned threads) {
  long sum = 0;
  for (unsigned i = first; i < std::min(first + size, threads); ++i) sum += long{i} * i + 1;
  return sum;
}

}  // namespace

TEST_CASE("a group larger than a warp hands its collective what all its threads bring") {
  const Way way = every_way();
  const unsigned size = GENERATE(64U, 128U, 256U, 512U, 1024U);
  const dim3 block = GENERATE(dim3{1}, dim3{33}, dim3{96}, dim3{1000}, dim3{1024}, dim3{32, 4, 8}, dim3{5, 7, 9});
  CAPTURE(way, size, block.x, block.y, block.z);
  const unsigned threads = block.x * block.y * block.z;
  if (lacks_warps(size, threads)) return;
  std::vector<long> sums(threads * 3);
  good_launch(way.apply({.grid = 3, .block = block}), [&sums, size] {
    const long rank = detail::thread_rank();
    long sum = 0;
    for (int round = 0; round < 3; ++round) sum = group_sum(size, rank * rank + 1);
    sums[global_rank()] = sum;
  });
  for (unsigned i = 0; i < sums.size(); ++i) {
    const unsigned rank = i % threads;
    if (sums[i] != expected_sum(rank - rank % size, size, threads)) FAIL("thread " << i);
  }
}

TEST_CASE("a group of whose warps the block lacks some is misuse") {
  const Way way = every_way();
  const unsigned size = GENERATE(64U, 128U, 1024U);
  const unsigned threads = GENERATE(32U, 130U, 224U);
  CAPTURE(way, size, threads);
  if (!lacks_warps(size, threads)) return;
  const LaunchResult result = failed_launch(way.apply({.block = threads}), [size] { group_sum(size, 1); });
  CHECK(std::string(result.finding()) == "cg-misuse");
}

TEST_CASE("groups of one block do not wait for each other") {
  const Way way = every_way();
  CAPTURE(way);
  std::vector<long> sums(256);
  std::vector<long> expected(256);
  for (unsigned rank = 0; rank < 256; ++rank) expected[rank] = 64 * (rank / 64 + 1);
  int flag = 0;
  good_launch(way.apply({.block = 256}), [&sums, &flag] {
    const unsigned rank = detail::thread_rank();
    while (rank < 128 && atomicAdd(&flag, 0) == 0) {
    }
    for (unsigned round = 0; round <= rank / 64; ++round) sums[rank] += group_sum(64, 1);
    if (rank == 255) atomicExch(&flag, 1);
  });
  CHECK(sums == expected);
}

TEST_CASE("threads that return are not waited for") {
  const Way way = every_way();
  CAPTURE(way);
  std::vector<long> first(256);
  std::vector<long> second(256);
  good_launch(way.apply({.block = 256}), [&first, &second] {
    const unsigned rank = detail::thread_rank();
    if (rank % 3 == 0) return;
    first[rank] = group_sum(128, 1);
    if (rank % 3 == 1) return;
    second[rank] = group_sum(128, 1);
  });
  for (unsigned rank = 0; rank < 256; ++rank) {
    CAPTURE(rank);
    // Which of those that return at once are counted is not told; those that have met are.
    constexpr long kMembers = 128;
    if (rank % 3 != 0) CHECK((first[rank] >= kMembers * 2 / 3 - 1 && first[rank] < kMembers));
    if (rank % 3 == 2) CHECK((second[rank] >= kMembers / 3 - 1 && second[rank] <= kMembers / 3 + 1));
  }
}

TEST_CASE("threads of a block meet in any sets, whoever has returned left out") {
  const Way way = every_way();
  const unsigned threads = GENERATE(1U, 33U, 130U, 1000U);
  const unsigned sets = GENERATE(1U, 3U, 500U);
  CAPTURE(way, threads, sets);
  std::vector<long> sums(threads);
  good_launch(way.apply({.grid = 2, .block = threads}), [&sums, sets, threads] {
    const unsigned me = detail::thread_rank();
    for (unsigned round = 0; round < 3; ++round) {
      if (round == 2 && me % 5 == 0) return;
      detail::ThreadSet mates;
      for (unsigned i = me % sets; i < threads; i += sets) mates.add(i);
      SumPart part{{Site::here(), mates.count_below(me)}, me};
      detail::meet(mates, kSum, &part);
      sums[me] = part.value;
    }
  });
  for (unsigned i = 0; i < threads; ++i) {
    long all = 0, left = 0;
    for (unsigned other = i % sets; other < threads; other += sets) {
      all += other;
      left += other % 5 == 0 ? 0 : other;
    }
    if (sums[i] != (i % 5 == 0 ? all : left)) FAIL("thread " << i);
  }
}

TEST_CASE("who is missing from a group is told in every block") {
  const Way way = every_way();
  CAPTURE(way);
  const LaunchResult result = failed_launch(way.apply({.grid = 3, .block = 128}), [] {
    if (blockIdx.x == 2 && detail::thread_rank() >= 100) __syncthreads();
    group_sum(128, 1);
  });
  CHECK(std::string(result.finding()) == "cg-misuse");
  CHECK_THAT(result.message(), ContainsSubstring("for threads 100-127 of their group"));
}

TEST_CASE("different collectives of one group end in a finding") {
  const Way way = every_way();
  CAPTURE(way);
  const LaunchResult result =
      failed_launch(way.apply({.block = 64}), [] { group_sum(64, 1, detail::thread_rank() < 40 ? kSum : kOther); });
  CHECK(std::string(result.finding()) == "cg-misuse");
  CHECK_THAT(result.message(), ContainsSubstring("different collectives"));
}

TEST_CASE("a collective that part of a group comes to ends in a finding") {
  const Way way = every_way();
  CAPTURE(way);
  const LaunchResult result = failed_launch(way.apply({.block = 128}), [] {
    if (detail::thread_rank() < 100) group_sum(128, 1);
    __syncthreads();
  });
  CHECK(std::string(result.finding()) == "cg-misuse");
  CHECK_THAT(result.message(),
             ContainsSubstring("for threads 100-127 of their group") && ContainsSubstring("__syncthreads()"));
}

TEST_CASE("misuse that a group notices itself names the call") {
  const LaunchResult result = failed_launch({.block = 4}, [] {
    if (threadIdx.x == 2)
      detail::misuse(Site::here(), "tiled_partition()", detail::GroupMisuse::tile_size_not_supported);
  });
  CHECK(std::string(result.finding()) == "cg-misuse");
  CHECK(result.error() == Error::launch_failure);
  CHECK_THAT(result.message(), ContainsSubstring("tiled_partition()") && ContainsSubstring("not a power of two") &&
                                   ContainsSubstring("groups_test.cpp"));
}
