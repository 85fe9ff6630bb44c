// SPDX-License-Identifier: Apache-2.0
// One seed is one run: with one worker, the order of everything threads do is the same each time, whatever ran before;
// other seeds give other orders; a recording of the decisions can be followed again.
#include <warpfiber/determinism.hpp>

#include <set>
#include <string>
#include <vector>

#include "engine/run.hpp"
#include "report/reasons/reasons.hpp"
#include "support/launches.hpp"

using namespace warpfiber;
using namespace warpfiber::test;

namespace {

/// Events of all threads in the order in which they happen.
struct Log {
  int* next;
  int* events;

  void add(int what) const { events[atomicAdd(next, 1)] = static_cast<int>(global_rank()) * 10 + what; }
};

/// Meets at barriers, in warps and at a lock, sleeps, and asks who is there.
void do_a_bit_of_everything(Log log, int* lock) {
  log.add(0);
  if (threadIdx.x % 7 == 3) __nanosleep(1);
  __syncthreads();
  log.add(1);
  const unsigned together = __activemask();
  log.add(2 + static_cast<int>(__popc(together) % 3));
  __syncwarp();
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  log.add(5);
  atomicExch(lock, 0);
  __syncthreads();
  if (threadIdx.x % 2 == 0) return;
  __syncthreads();
  log.add(6);
}

constexpr unsigned kBlocks = 3, kThreads = 40;

std::vector<int> order_of(LaunchConfig config) {
  std::vector<int> events(kBlocks * kThreads * 6);
  int next = 0;
  int lock = 0;
  config.grid = kBlocks;
  config.block = kThreads;
  good_launch(config, do_a_bit_of_everything, Log{&next, events.data()}, &lock);
  events.resize(static_cast<std::size_t>(next));
  return events;
}

LaunchConfig with_policy(const char* policy, std::uint64_t seed, const char* convergence) {
  LaunchConfig config;
  config.policy = policy;
  config.seed = seed;
  config.convergence = convergence;
  config.workers = 1;
  return config;
}

void fail_somewhere(unsigned thread) {
  if (threadIdx.x == thread) __trap();
  __syncthreads();
}

/// The same kernel through the engine's own door, for what only it hands out.
struct EngineRun {
  std::vector<int> order;
  schedule::Recording decisions;
  bool ok = false;
};

EngineRun run_engine(const schedule::PolicyOptions& policy) {
  EngineRun run;
  run.order.resize(kBlocks * kThreads * 6);
  int next = 0;
  int lock = 0;
  const auto body = [log = Log{&next, run.order.data()}, at = &lock] { do_a_bit_of_everything(log, at); };
  engine::GridRequest request;
  request.grid = kBlocks;
  request.block = kThreads;
  request.run_threads = &detail::run_threads<std::remove_const_t<decltype(body)>>;
  request.closure = &body;
  request.resident_blocks = 2;
  request.policy = policy;
  request.record_decisions = true;
  engine::GridOutcome outcome = engine::run_grid(request);
  run.ok = !outcome.finding.has_value();
  run.decisions = std::move(outcome.decisions);
  run.order.resize(static_cast<std::size_t>(next));
  return run;
}

schedule::PolicyOptions policy_of(const char* text, std::uint64_t seed) {
  schedule::PolicyOptions options = schedule::parse_policy(text).value();
  options.seed = seed;
  return options;
}

const char* every_policy() {
  static const char* const kPolicies[] = {"in-order", "random", "pct:1", "pct:3", "pct:5:200"};
  return kPolicies[GENERATE(range(0, 5))];
}

}  // namespace

TEST_CASE("one seed gives the same events in the same order") {
  const char* const policy = every_policy();
  const std::uint64_t seed = GENERATE(1ULL, 2ULL, 0x5d1ULL);
  const char* const convergence = seed == 2 ? "random" : "full";
  CAPTURE(policy, seed);
  const LaunchConfig config = with_policy(policy, seed, convergence);
  const std::vector<int> first = order_of(config);
  CHECK(first.size() > kBlocks * kThreads * 4);
  for (int again = 0; again < 3; ++again) CHECK((order_of(config) == first));
}

TEST_CASE("what ran before does not show in the order of events") {
  const char* const policy = every_policy();
  CAPTURE(policy);
  const LaunchConfig config = with_policy(policy, 7, "random");
  const std::vector<int> first = order_of(config);
  failed_launch({.grid = 2, .block = 64}, fail_somewhere, 33U);
  order_of(with_policy("random", 99, "full"));
  CHECK((order_of(config) == first));
}

TEST_CASE("different seeds give different orders") {
  const char* const policies[] = {"random", "pct:3"};
  const char* const policy = policies[GENERATE(0, 1)];
  CAPTURE(policy);
  std::set<std::vector<int>> orders;
  for (std::uint64_t seed = 1; seed <= 8; ++seed) orders.insert(order_of(with_policy(policy, seed, "full")));
  CHECK(orders.size() == 8);
}

TEST_CASE("a policy other than in order runs threads in another order") {
  const std::vector<int> in_order = order_of(with_policy("in-order", 1, "full"));
  CHECK((order_of(with_policy("random", 1, "full")) != in_order));
  CHECK((order_of(with_policy("pct:3", 1, "full")) != in_order));
}

TEST_CASE("two runs of one seed take the same decisions") {
  const char* const policy = every_policy();
  CAPTURE(policy);
  const EngineRun first = run_engine(policy_of(policy, 5));
  const EngineRun second = run_engine(policy_of(policy, 5));
  REQUIRE(first.ok);
  CHECK((first.order == second.order));
  CHECK(first.decisions.size() > 100);
  const auto difference = schedule::first_difference(first.decisions, second.decisions);
  INFO((difference ? report::reason_text(difference->reason) : ""));
  CHECK_FALSE(difference.has_value());
}

TEST_CASE("a recording, followed again, gives the run it was made of") {
  const char* const policies[] = {"random", "pct:3"};
  const char* const policy = policies[GENERATE(0, 1)];
  CAPTURE(policy);
  const EngineRun recorded = run_engine(policy_of(policy, 11));
  schedule::PolicyOptions replay;
  replay.kind = schedule::PolicyKind::replay;
  replay.seed = 11;
  replay.recording = recorded.decisions;
  const EngineRun followed = run_engine(replay);
  CHECK(followed.ok);
  CHECK((followed.order == recorded.order));
  CHECK_FALSE(schedule::first_difference(recorded.decisions, followed.decisions).has_value());
}

TEST_CASE("a failing launch fails in the same way with the same seed") {
  const char* const policy = every_policy();
  CAPTURE(policy);
  const auto stop_race = [](int* next) {
    __syncthreads();
    // Which thread draws number 20 depends on the order alone.
    if (atomicAdd(next, 1) == 20) __trap();
  };
  std::vector<std::string> reports;
  for (int i = 0; i < 3; ++i) {
    int next = 0;
    LaunchConfig config = with_policy(policy, 3, "full");
    config.block = 64;
    reports.emplace_back(failed_launch(config, stop_race, &next).message());
  }
  CHECK(reports[0] == reports[1]);
  CHECK(reports[0] == reports[2]);
}

TEST_CASE("a thread that only does atomics has turns of the same length in each run") {
  const auto count = [](int* counter, int* seen) {
    for (int i = 0; i < 1'000'000; ++i) atomicAdd(counter, 1);
    seen[threadIdx.x] = *counter;
  };
  std::set<std::vector<int>> results;
  for (int run = 0; run < 3; ++run) {
    int counter = 0;
    std::vector<int> seen(3);
    good_launch({.block = 3, .workers = 1}, count, &counter, seen.data());
    results.insert(seen);
  }
  REQUIRE(results.size() == 1);
  // They took turns: nobody was done before the others had begun.
  CHECK((*results.begin())[0] > 1'000'000);
}

TEST_CASE("the clock of a launch on one worker is the same in each run") {
  const auto wait = [](long long* reads) {
    const long long start = clock64();
    while (clock64() - start < 100'000) ++*reads;
    *reads += clock64() - start;
  };
  std::set<long long> results;
  for (int run = 0; run < 3; ++run) {
    const DeterminismCheck check = check_determinism([&] {
      Buffer<long long> reads(1);
      reads.fill(0);
      good_launch({.workers = 1}, wait, reads.data());
      results.insert(reads.download()[0]);
    });
    CHECK(check.difference.empty());
  }
  CHECK(results.size() == 1);
}

TEST_CASE("a determinism check says where two runs differ") {
  int run = 0;
  const auto launch_with = [&run](auto kernel) {
    run = 0;
    return check_determinism([&run, &kernel] {
      Buffer<int> out(4);
      out.fill(0);
      good_launch({.block = 4, .workers = 1, .policy = "random", .seed = 3}, kernel, out.data(), run++);
      return out.download();
    });
  };
  const auto stores = [](int* out, int number) { out[threadIdx.x] = threadIdx.x == 2 ? number : 7; };
  CHECK(launch_with(stores).difference == "copy to the host 1: byte 8 is 0x01, and 0x00 in the first run");
  const auto meets = [](int*, int number) {
    for (int i = 0; i < number; ++i) __syncthreads();
  };
  const std::string difference = launch_with(meets).difference;
  CHECK(difference.starts_with("launch 1 ("));
  const auto same = [](int* out, int) { atomicAdd(out, 1); };
  CHECK(launch_with(same).same);
}

TEST_CASE("a determinism check compares what the program returns") {
  int run = 0;
  const DeterminismCheck check = check_determinism([&run] { return run++; });
  CHECK_FALSE(check.same);
  CHECK(check.difference == "the two runs return different values");
}
