// SPDX-License-Identifier: Apache-2.0
// Streams, events and asynchronous copies of the native API: what waits for what, what runs side by side, and where
// errors appear.
#include <warpfiber/determinism.hpp>

#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "support/launches.hpp"

using namespace warpfiber;
using namespace warpfiber::test;
using Catch::Matchers::ContainsSubstring;

namespace {

int load(const int& value) {
  return __atomic_load_n(&value, __ATOMIC_ACQUIRE);
}

void store(int& value, int with) {
  __atomic_store_n(&value, with, __ATOMIC_RELEASE);
}

void await(const int& value) {
  while (load(value) == 0) std::this_thread::yield();
}

/// Tells the host that it runs, and ends when the host says so.
void wait_for_host(int* entered, int* flag) {
  atomicExch(entered, 1);
  while (atomicAdd(flag, 0) == 0) {
  }
}

void do_nothing() {}

void append_digit(int* number, int digit) {
  *number = *number * 10 + digit;
}

/// The first thread of each block tells the other kernel that it has come and waits for it.
void meet(int* mine, int* theirs) {
  __syncthreads();
  if (threadIdx.x == 0) {
    atomicAdd(mine, 1);
    while (atomicAdd(theirs, 0) == 0) {
    }
  }
  __syncthreads();
}

void trap(int*) {
  __trap();
}

void add_to_all(int* values, int count, int summand) {
  const auto i = static_cast<int>(global_rank());
  if (i < count) values[i] += summand;
}

void check_refused(const LaunchResult& result) {
  CHECK(result.error() == Error::invalid_resource_handle);
  CHECK(last_error() == Error::invalid_resource_handle);
}

}  // namespace

TEST_CASE("a launch into a stream returns while its kernel runs") {
  Stream stream;
  int entered = 0;
  int flag = 0;
  good_launch({.stream = stream}, wait_for_host, &entered, &flag);
  await(entered);
  CHECK_FALSE(stream.query());
  store(flag, 1);
  CHECK(stream.synchronize().ok());
  CHECK(stream.query());
}

TEST_CASE("a kernel that does nothing takes its turn in a native stream") {
  Stream stream;
  good_launch({.stream = stream}, do_nothing);
  CHECK(stream.synchronize().ok());
  good_launch({.stream = stream}, do_nothing);
  if (!kLeavesOnlyReturn) CHECK(stream.synchronize().ok());
  CHECK(stream.query());
  int entered = 0;
  int flag = 0;
  good_launch({.stream = stream}, wait_for_host, &entered, &flag);
  good_launch({.stream = stream}, do_nothing);
  await(entered);
  CHECK_FALSE(stream.query());
  store(flag, 1);
  CHECK(stream.synchronize().ok());
  CHECK(launch({.block = 2048, .stream = stream}, do_nothing).error() == Error::invalid_value);
}

TEST_CASE("work of a native stream is done in order, whoever runs next") {
  const Way way = every_way();
  CAPTURE(way);
  Stream stream;
  int number = 0;
  for (int digit = 1; digit <= 6; ++digit) {
    good_launch(way.apply({.stream = stream}), append_digit, &number, digit);
  }
  CHECK(stream.synchronize().ok());
  CHECK(number == 123456);
}

TEST_CASE("a launch keeps copies of its kernel and arguments until it runs") {
  Stream stream;
  int entered = 0;
  int flag = 0;
  std::vector<long> sums(2);
  good_launch({.stream = stream}, wait_for_host, &entered, &flag);
  {
    struct Table {
      int entries[100];
    };
    Table table{};
    for (int i = 0; i < 100; ++i) table.entries[i] = i;
    const auto sum_up = [](Table values, long* sum) {
      long all = 0;
      for (const int value : values.entries) all += value;
      *sum = all;
    };
    good_launch({.stream = stream}, sum_up, table, &sums[0]);
    good_launch({.stream = stream}, [table, to = &sums[1]] { *to = table.entries[99]; });
    table = Table{};
  }
  store(flag, 1);
  CHECK(stream.synchronize().ok());
  CHECK(sums == std::vector<long>{4950, 99});
}

TEST_CASE("streams do not wait for each other") {
  Stream first;
  Stream second;
  int entered = 0;
  int flag = 0;
  int number = 0;
  good_launch({.stream = first}, wait_for_host, &entered, &flag);
  good_launch({.stream = second}, append_digit, &number, 7);
  CHECK(second.synchronize().ok());
  CHECK(number == 7);
  CHECK_FALSE(first.query());
  store(flag, 1);
  CHECK(first.synchronize().ok());
}

TEST_CASE("a launch without a stream waits for what streams were given, and they for it") {
  Stream stream;
  int entered = 0;
  int flag = 0;
  int number = 0;
  good_launch({.stream = stream}, wait_for_host, &entered, &flag);
  good_launch({.stream = stream}, append_digit, &number, 1);
  await(entered);
  std::thread host([&flag] { store(flag, 1); });
  good_launch({}, append_digit, &number, 2);
  CHECK(number == 12);
  good_launch({.stream = stream}, append_digit, &number, 3);
  CHECK(stream.synchronize().ok());
  CHECK(number == 123);
  host.join();
}

TEST_CASE("a launch without a stream runs beside a stream that does not block, and can wait for it") {
  Stream stream({.non_blocking = true});
  int came[2] = {0, 0};
  good_launch({.block = 64, .stream = stream}, meet, &came[0], &came[1]);
  good_launch({.block = 64}, meet, &came[1], &came[0]);
  CHECK(stream.synchronize().ok());
}

TEST_CASE("a launch without a stream counts its barriers beside streams too") {
  const Stream stream;
  const auto three_barriers = [] {
    for (int i = 0; i < 3; ++i) __syncthreads();
  };
  CHECK(launch({.grid = 2, .block = 64}, three_barriers).barriers() == 6);
}

TEST_CASE("an event orders one stream behind another") {
  Stream first({.non_blocking = true});
  Stream second({.non_blocking = true});
  Event event;
  CHECK(event.query());
  CHECK(second.wait(event) == Error::success);
  int entered = 0;
  int flag = 0;
  int number = 0;
  good_launch({.stream = first}, wait_for_host, &entered, &flag);
  good_launch({.stream = first}, append_digit, &number, 1);
  CHECK(first.record(event) == Error::success);
  CHECK(second.wait(event) == Error::success);
  good_launch({.stream = second}, append_digit, &number, 2);
  await(entered);
  CHECK_FALSE(event.query());
  CHECK_FALSE(second.query());
  store(flag, 1);
  CHECK(event.synchronize() == Error::success);
  CHECK(event.query());
  CHECK(second.synchronize().ok());
  CHECK(number == 12);
}

TEST_CASE("an event that is gone is still waited for") {
  Stream first;
  Stream second;
  int entered = 0;
  int flag = 0;
  int number = 0;
  good_launch({.stream = first}, wait_for_host, &entered, &flag);
  {
    Event event;
    CHECK(first.record(event) == Error::success);
    Event moved = std::move(event);
    CHECK(second.wait(moved) == Error::success);
    CHECK(first.record(event) == Error::invalid_resource_handle);
    CHECK(second.wait(event) == Error::invalid_resource_handle);
    CHECK(event.synchronize() == Error::invalid_resource_handle);
  }
  good_launch({.stream = second}, append_digit, &number, 5);
  await(entered);
  CHECK(load(number) == 0);
  store(flag, 1);
  CHECK(second.synchronize().ok());
  CHECK(number == 5);
}

TEST_CASE("copies between pinned memory and a buffer are work of their stream") {
  constexpr int kCount = 1000;
  PinnedBuffer<int> in(kCount);
  PinnedBuffer<int> out(kCount);
  for (int i = 0; i < kCount; ++i) in[static_cast<std::size_t>(i)] = i;
  for (int& value : out) value = -1;
  Buffer<int> buffer(kCount);
  Stream stream;
  int entered = 0;
  int flag = 0;
  good_launch({.stream = stream}, wait_for_host, &entered, &flag);
  CHECK(buffer.upload(in, stream) == Error::success);
  good_launch({.grid = 8, .block = 128, .stream = stream}, add_to_all, buffer.data(), kCount, 3);
  CHECK(buffer.download(out, stream) == Error::success);
  await(entered);
  CHECK(load(out[0]) == -1);
  store(flag, 1);
  CHECK(stream.synchronize().ok());
  for (int i = 0; i < kCount; ++i) CHECK(out[static_cast<std::size_t>(i)] == i + 3);
}

TEST_CASE("copies of other memory of the host have read and written it when they return") {
  Buffer<int> buffer(3);
  Stream stream;
  std::vector<int> values{1, 2, 3, 4};
  CHECK(buffer.upload(values, stream) == Error::success);
  values.assign(4, 9);
  CHECK(buffer.download(values, stream) == Error::success);
  CHECK(values == std::vector<int>{1, 2, 3, 9});
  CHECK(buffer.fill(8, stream) == Error::success);
  CHECK(buffer.download() == std::vector<int>(3, 8));
}

TEST_CASE("a buffer's copies without a stream wait for blocking streams") {
  Buffer<int> buffer(1);
  buffer.fill(5);
  Stream stream;
  int entered = 0;
  int flag = 0;
  good_launch({.stream = stream}, wait_for_host, &entered, &flag);
  good_launch({.stream = stream}, append_digit, buffer.data(), 6);
  await(entered);
  std::thread host([&flag] { store(flag, 1); });
  CHECK(buffer.download()[0] == 56);
  host.join();
}

TEST_CASE("memory stays until the work that uses it is over") {
  Stream stream;
  int entered = 0;
  int flag = 0;
  std::thread host;
  {
    Buffer<int> buffer(1);
    buffer.fill(0);
    good_launch({.stream = stream}, wait_for_host, &entered, &flag);
    good_launch({.stream = stream}, append_digit, buffer.data(), 1);
    await(entered);
    host = std::thread([&flag] { store(flag, 1); });
  }
  CHECK(stream.synchronize().ok());
  host.join();
}

TEST_CASE("a launch that fails is told by its stream alone, once, and ends what was given behind it") {
  Stream stream;
  Stream other;
  int number = 0;
  Buffer<int> buffer(1);
  buffer.fill(0);
  good_launch({.stream = stream}, append_digit, &number, 1);
  good_launch({.stream = stream}, trap, nullptr);
  CHECK(launch({.stream = stream}, append_digit, &number, 2).ok());
  good_launch({.stream = other}, append_digit, buffer.data(), 3);
  CHECK(other.synchronize().ok());
  const LaunchResult result = stream.synchronize();
  CHECK(result.error() == Error::launch_failure);
  CHECK(std::string(result.finding()) == "trap");
  CHECK_THAT(result.message(), ContainsSubstring("__trap"));
  CHECK(last_error() == Error::launch_failure);
  CHECK(last_error() == Error::success);
  CHECK(number == 1);
  CHECK(stream.synchronize().ok());
  good_launch({.stream = stream}, append_digit, &number, 4);
  CHECK(stream.synchronize().ok());
  CHECK(number == 14);
  check_correct_launch();
}

TEST_CASE("a copy behind a launch that has failed is left out and says so") {
  Stream stream;
  Buffer<int> buffer(1);
  buffer.fill(1);
  std::vector<int> values{7};
  good_launch({.stream = stream}, trap, nullptr);
  CHECK(buffer.download(values, stream) == Error::launch_failure);
  CHECK(values[0] == 7);
  CHECK(stream.synchronize().error() == Error::launch_failure);
  CHECK(buffer.download(values, stream) == Error::success);
  CHECK(values[0] == 1);
}

TEST_CASE("a launch that is refused is refused at once, and its stream goes on") {
  Stream stream;
  int number = 0;
  const LaunchResult refused = launch({.block = 2048, .stream = stream}, append_digit, &number, 1);
  CHECK(refused.error() == Error::invalid_value);
  CHECK_THAT(refused.message(), ContainsSubstring("2,048 threads"));
  CHECK(last_error() == Error::invalid_value);
  good_launch({.stream = stream}, append_digit, &number, 2);
  CHECK(stream.synchronize().ok());
  CHECK(number == 2);
}

TEST_CASE("two native launches that wait for each other finish where both fit") {
  const Way way = every_way();
  CAPTURE(way);
  Stream streams[2];
  for (int round = 0; round < 10; ++round) {
    int came[2] = {0, 0};
    good_launch(way.apply({.block = 64, .stream = streams[0]}), meet, &came[0], &came[1]);
    good_launch(way.apply({.block = 64, .stream = streams[1]}), meet, &came[1], &came[0]);
    for (Stream& stream : streams) CHECK(stream.synchronize().ok());
  }
}

TEST_CASE("two native launches that wait for each other are a deadlock where one keeps the other out", "[ended]") {
  Stream streams[2];
  int came[2] = {0, 0};
  const DeviceModel* teaching = find_device("teaching");
  // One block an SM, for the memory that it takes.
  const std::size_t shared = teaching->shared_per_block_optin;
  const LaunchConfig all{
      .grid = teaching->sm_count, .dynamic_shared = shared, .stream = streams[0], .device = teaching};
  const LaunchConfig one{.block = 64, .dynamic_shared = shared, .stream = streams[1], .device = teaching};
  good_launch(all, meet, &came[0], &came[1]);
  await(came[0]);
  good_launch(one, meet, &came[1], &came[0]);
  const LaunchResult result = streams[0].synchronize();
  CHECK(result.error() == Error::launch_timeout);
  CHECK(std::string(result.finding()) == "deadlock");
  CHECK_THAT(result.message(), ContainsSubstring("a free SM: meet<<<(1,1,1), (64,1,1)>>>"));
  // Its room is free, and the others have come.
  CHECK(streams[1].synchronize().ok());
  last_error();
}

TEST_CASE("launches on different models do not take each other's room") {
  Stream streams[2];
  int came[2] = {0, 0};
  const DeviceModel* teaching = find_device("teaching");
  const std::size_t shared = teaching->shared_per_block_optin;
  good_launch({.grid = teaching->sm_count, .dynamic_shared = shared, .stream = streams[0], .device = teaching}, meet,
              &came[0], &came[1]);
  good_launch({.dynamic_shared = shared, .stream = streams[1], .device = find_device("H100")}, meet, &came[1],
              &came[0]);
  for (Stream& stream : streams) CHECK(stream.synchronize().ok());
}

TEST_CASE("a kernel that waits for a host that waits for it is a livelock of its stream", "[ended]") {
  Stream stream;
  int entered = 0;
  int flag = 0;
  good_launch({.stream = stream}, wait_for_host, &entered, &flag);
  const LaunchResult result = stream.synchronize();
  CHECK(result.error() == Error::launch_timeout);
  CHECK(std::string(result.finding()) == "livelock");
  last_error();
  check_correct_launch();
}

TEST_CASE("a determinism check compares what is launched into streams, and errors stay the stream's") {
  int number = 0;
  const DeterminismCheck check = check_determinism([&number] {
    Stream streams[2];
    for (int digit = 1; digit <= 4; ++digit) {
      const auto step = [&number, digit] {
        __syncthreads();
        if (threadIdx.x == 0) append_digit(&number, digit);
      };
      good_launch({.block = 64, .stream = streams[digit % 2], .policy = "random", .seed = 5}, step);
    }
    good_launch({.stream = streams[0]}, trap, nullptr);
    CHECK(streams[0].synchronize().error() == Error::launch_failure);
    CHECK(streams[1].synchronize().ok());
  });
  CHECK(check.same);
  CHECK(check.decisions > 0);
  CHECK(number == 12341234);
  last_error();
}

TEST_CASE("a stream that was moved from is no stream") {
  Stream stream;
  Stream moved = std::move(stream);
  int number = 0;
  Buffer<int> buffer(1);
  Event event;
  const StreamRef none = stream;
  check_refused(launch({.stream = stream}, append_digit, &number, 1));
  check_refused(stream.synchronize());
  CHECK(stream.query());
  CHECK(stream.record(event) == Error::invalid_resource_handle);
  CHECK(stream.wait(event) == Error::invalid_resource_handle);
  CHECK(buffer.fill(1, stream) == Error::invalid_resource_handle);
  CHECK(buffer.upload(std::vector<int>{}, none) == Error::invalid_resource_handle);
  good_launch({.stream = moved}, append_digit, &number, 2);
  CHECK(moved.synchronize().ok());
  stream = std::move(moved);
  good_launch({.stream = stream}, append_digit, &number, 3);
  CHECK(stream.synchronize().ok());
  CHECK(number == 23);
}

TEST_CASE("a destroyed stream completes its work and takes no more") {
  int entered = 0;
  int flag = 0;
  int number = 0;
  Event event;
  StreamRef gone;
  {
    Stream stream;
    gone = stream;
    good_launch({.stream = stream}, wait_for_host, &entered, &flag);
    good_launch({.stream = stream}, append_digit, &number, 9);
    CHECK(stream.record(event) == Error::success);
  }
  const LaunchResult refused = launch({.stream = gone}, append_digit, &number, 1);
  CHECK_THAT(refused.message(), ContainsSubstring("the stream does not exist"));
  check_refused(refused);
  store(flag, 1);
  CHECK(event.synchronize() == Error::success);
  CHECK(number == 9);
}

TEST_CASE("streams are nothing for kernels") {
  Stream stream;
  int number = 0;
  Error errors[2] = {};
  const auto misuse = [&] {
    errors[0] = launch({.stream = stream}, append_digit, &number, 1).error();
    errors[1] = stream.synchronize().error();
    const Stream inner;
    if (inner.handle() != nullptr) number = 1;
  };
  good_launch({}, misuse);
  CHECK(errors[0] == Error::not_supported);
  CHECK(errors[1] == Error::not_permitted);
  CHECK(number == 0);
  last_error();
}

TEST_CASE("pinned memory moves with its buffer") {
  PinnedBuffer<int> first(3);
  first[0] = 4;
  int* const place = first.data();
  PinnedBuffer<int> second = std::move(first);
  CHECK(second.data() == place);
  CHECK(first.size() == 0);
  second = PinnedBuffer<int>(0);
  CHECK(second.data() == nullptr);
  CHECK_THROWS_AS(PinnedBuffer<int>(std::size_t{1} << 60), std::bad_alloc);
  CHECK_THROWS_AS(PinnedBuffer<double>((std::size_t{1} << 61) + 1), std::bad_alloc);
}
