// SPDX-License-Identifier: Apache-2.0
// Streams, events and default streams: what waits for what, and that everything else really runs at the same time.
#include <atomic>
#include <fstream>
#include <mutex>
#include <string>
#include <thread>

#include "launches/kernels/kernel_attributes.hpp"
#include "process/current_device.hpp"
#include "process/errors.hpp"
#include "process/explain.hpp"
#include "process/host/asked.hpp"
#include "runtime/kernel_launch.hpp"
#include "runtime/reset.hpp"
#include "streams/event.hpp"
#include "streams/streams.hpp"
#include "support/launches.hpp"
#include "support/translated_kernels.hpp"

using namespace warpfiber;
using namespace warpfiber::process;
using namespace warpfiber::runtime;
using namespace warpfiber::streams;
using namespace warpfiber::test;

namespace {

/// Memory that is there and must not be written to: a tool that looks at addresses has nothing to say about it.
int* unwritable() {
  static const int constant = 7;
  return const_cast<int*>(&constant);
}

streams::Stream* const kLegacy = nullptr;

/// Ends a thread of the kernel when the host says so, and tells the host that it runs.
void wait_for_host(int* entered, int* flag) {
  auto warpfiber_body = [](int* told, int* asked) -> void {
    atomicExch(told, 1);
    while (atomicAdd(asked, 0) == 0) {
    }
  };
  ABOUT_KERNEL("wait_for_host", , wait_for_host);
  cuda::enter_kernel<warpfiber_about>(warpfiber_body, entered, flag);
}

/// The same with plain loads, as programs with volatile flags do it.
void poll_volatile(volatile int* flag) {
  auto warpfiber_body = [](volatile int* asked) -> void {
    while (*asked == 0) {
    }
  };
  ABOUT_KERNEL("poll_volatile", , poll_volatile);
  cuda::enter_kernel<warpfiber_about>(warpfiber_body, flag);
}

void add_to(int* sum, int summand) {
  auto warpfiber_body = [](int* to, int value) -> void { *to = *to * 10 + value; };
  ABOUT_KERNEL("add_to", , add_to);
  cuda::enter_kernel<warpfiber_about>(warpfiber_body, sum, summand);
}

/// Block 0's first thread tells the others' kernel that it has come and waits for it.
void meet(int* mine, int* theirs) {
  auto warpfiber_body = [](int* own, int* other) -> void {
    __syncthreads();
    if (threadIdx.x == 0) {
      atomicAdd(own, 1);
      while (atomicAdd(other, 0) == 0) {
      }
    }
    __syncthreads();
  };
  ABOUT_KERNEL("meet", , meet);
  cuda::enter_kernel<warpfiber_about>(warpfiber_body, mine, theirs);
}

void store_at(int* where) {
  auto warpfiber_body = [](int* to) -> void { *to = 1; };
  ABOUT_KERNEL("store_at", , store_at);
  cuda::enter_kernel<warpfiber_about>(warpfiber_body, where);
}

void do_nothing() {
  auto warpfiber_body = []() -> void {};
  ABOUT_KERNEL("do_nothing", , do_nothing);
  cuda::enter_kernel<warpfiber_about>(warpfiber_body);
}

streams::Stream* new_stream(unsigned flags = 0) {
  streams::Stream* stream = nullptr;
  REQUIRE(create_stream(&stream, flags, 0) == Error::success);
  return stream;
}

int load(const int& value) {
  return __atomic_load_n(&value, __ATOMIC_ACQUIRE);
}

void store(int& value, int with) {
  __atomic_store_n(&value, with, __ATOMIC_RELEASE);
}

void await(const int& value) {
  while (load(value) == 0) std::this_thread::yield();
}

/// The device as it was before anything went wrong.
void expect_failure(Error error) {
  CHECK(remember(synchronize_device(0)) == error);
  program_asks();  // as cudaGetLastError() does: the process would end as one that ignores what its kernels do
  CHECK(peek_error() == error);
  CHECK(take_error() == error);
  CHECK(take_error() == Error::success);
  CHECK(enter_call() == error);
  CHECK(reset_device() == Error::success);
  CHECK(enter_call() == Error::success);
  take_error();
}

}  // namespace

TEST_CASE("a launch returns while its kernel runs") {
  int entered = 0;
  int flag = 0;
  (cuda::configure(1, 1), wait_for_host(&entered, &flag));
  await(entered);
  CHECK(query_stream(kLegacy) == Error::not_ready);
  store(flag, 1);
  CHECK(synchronize_device(0) == Error::success);
  CHECK(query_stream(kLegacy) == Error::success);
}

TEST_CASE("the host ends a kernel that polls a plain word") {
  int flag = 0;
  (cuda::configure(1, 2), poll_volatile(&flag));
  std::thread writer([&flag] { store(flag, 1); });
  CHECK(synchronize_device(0) == Error::success);
  writer.join();
}

TEST_CASE("work of one stream is done in order") {
  streams::Stream* stream = new_stream();
  int digits = 0;
  for (int digit = 1; digit <= 5; ++digit) (cuda::configure(1, 1, 0, stream), add_to(&digits, digit));
  CHECK(synchronize_stream(stream) == Error::success);
  CHECK(digits == 12345);
  CHECK(destroy_stream(stream) == Error::success);
  CHECK(destroy_stream(stream) == Error::invalid_resource_handle);
  CHECK(synchronize_stream(stream) == Error::invalid_resource_handle);
}

TEST_CASE("a kernel that does nothing takes its turn") {
  streams::Stream* stream = new_stream();
  (cuda::configure(1, 1, 0, stream), do_nothing());
  CHECK(synchronize_stream(stream) == Error::success);
  CHECK(launches::is_empty_kernel(reinterpret_cast<const void*>(&do_nothing)) == kLeavesOnlyReturn);
  int entered = 0;
  int flag = 0;
  (cuda::configure(1, 1, 0, stream), wait_for_host(&entered, &flag));
  (cuda::configure(1, 1, 0, stream), do_nothing());
  (cuda::configure(3, 1), do_nothing());  // in the legacy stream, behind both
  await(entered);
  CHECK(query_stream(stream) == Error::not_ready);
  CHECK(query_stream(kLegacy) == Error::not_ready);
  CHECK(unfinished_kernels().size() == 3);
  store(flag, 1);
  CHECK(synchronize_stream(kLegacy) == Error::success);
  CHECK(query_stream(stream) == Error::success);
  (cuda::configure(1, 1, 0, stream), do_nothing());
  if (!kLeavesOnlyReturn) synchronize_stream(stream);
  CHECK(query_stream(stream) == Error::success);
  (cuda::configure(1, 2000, 0, stream), do_nothing());
  CHECK(take_error() == Error::invalid_value);
  CHECK(destroy_stream(stream) == Error::success);
}

TEST_CASE("a destroyed stream completes its work") {
  streams::Stream* stream = new_stream();
  int entered = 0;
  int flag = 0;
  int digits = 0;
  (cuda::configure(1, 1, 0, stream), wait_for_host(&entered, &flag));
  (cuda::configure(1, 1, 0, stream), add_to(&digits, 7));
  CHECK(destroy_stream(stream) == Error::success);
  store(flag, 1);
  CHECK(synchronize_device(0) == Error::success);
  CHECK(digits == 7);
}

TEST_CASE("the legacy stream waits for blocking streams and they for it") {
  streams::Stream* stream = new_stream();
  int entered = 0;
  int flag = 0;
  int digits = 0;
  (cuda::configure(1, 1, 0, stream), wait_for_host(&entered, &flag));
  (cuda::configure(1, 1), add_to(&digits, 1));
  (cuda::configure(1, 1, 0, stream), add_to(&digits, 2));
  await(entered);
  CHECK(query_stream(kLegacy) == Error::not_ready);
  CHECK(load(digits) == 0);
  store(flag, 1);
  CHECK(synchronize_stream(stream) == Error::success);
  CHECK(digits == 12);
  destroy_stream(stream);
}

TEST_CASE("a stream that does not block runs beside the legacy stream") {
  streams::Stream* stream = new_stream(kNonBlocking);
  int entered = 0;
  int flag = 0;
  int digits = 0;
  (cuda::configure(1, 1, 0, stream), wait_for_host(&entered, &flag));
  await(entered);
  (cuda::configure(1, 1), add_to(&digits, 1));
  CHECK(synchronize_stream(kLegacy) == Error::success);
  CHECK(digits == 1);
  CHECK(query_stream(stream) == Error::not_ready);
  store(flag, 1);
  CHECK(synchronize_stream(stream) == Error::success);
  destroy_stream(stream);
}

TEST_CASE("the default streams of two OS threads are two streams") {
  auto* const per_thread = reinterpret_cast<streams::Stream*>(kPerThreadHandle);
  int entered = 0;
  int flag = 0;
  int digits = 0;
  (cuda::configure(1, 1, 0, per_thread), wait_for_host(&entered, &flag));
  std::thread other([&] {
    (cuda::configure(1, 1, 0, per_thread), add_to(&digits, 3));
    CHECK(synchronize_stream(per_thread) == Error::success);
  });
  other.join();
  CHECK(digits == 3);
  store(flag, 1);
  CHECK(synchronize_stream(per_thread) == Error::success);
}

TEST_CASE("an event stands for what its stream was given before") {
  streams::Stream* first = new_stream(kNonBlocking);
  streams::Stream* second = new_stream(kNonBlocking);
  streams::Event* start = nullptr;
  streams::Event* event = nullptr;
  CHECK(create_event(&start, 0) == Error::success);
  CHECK(create_event(&event, 0) == Error::success);
  float milliseconds = -1;
  CHECK(query_event(event) == Error::success);
  CHECK(elapsed_time(&milliseconds, start, event) == Error::invalid_resource_handle);
  int entered = 0;
  int flag = 0;
  int digits = 0;
  CHECK(record_event(start, first) == Error::success);
  (cuda::configure(1, 1, 0, first), wait_for_host(&entered, &flag));
  CHECK(record_event(event, first) == Error::success);
  CHECK(wait_for_event(second, event) == Error::success);
  (cuda::configure(1, 1, 0, second), add_to(&digits, 4));
  await(entered);
  CHECK(query_event(start) == Error::success);
  CHECK(query_event(event) == Error::not_ready);
  CHECK(elapsed_time(&milliseconds, start, event) == Error::not_ready);
  CHECK(query_stream(second) == Error::not_ready);
  store(flag, 1);
  CHECK(synchronize_event(event) == Error::success);
  CHECK(elapsed_time(&milliseconds, start, event) == Error::success);
  CHECK(milliseconds >= 0);
  CHECK(synchronize_stream(second) == Error::success);
  CHECK(digits == 4);
  for (streams::Event* one : {start, event}) CHECK(destroy_event(one) == Error::success);
  CHECK(query_event(event) == Error::invalid_resource_handle);
  for (streams::Stream* one : {first, second}) CHECK(destroy_stream(one) == Error::success);
}

TEST_CASE("a reset ends the events of the device, as it ends its streams") {
  streams::Event* event = nullptr;
  REQUIRE(create_event(&event, 0) == Error::success);
  REQUIRE(record_event(event, kLegacy) == Error::success);
  REQUIRE(reset_device() == Error::success);
  CHECK(query_event(event) == Error::invalid_resource_handle);
  CHECK(destroy_event(event) == Error::invalid_resource_handle);
  take_error();
}

TEST_CASE("a host function runs in its turn, elsewhere, and may not call CUDA") {
  streams::Stream* stream = new_stream();
  int digits = 0;
  std::thread::id ran_on;
  Error inside = Error::success;
  const auto function = [&] {
    ran_on = std::this_thread::get_id();
    inside = enter_call();
    digits = digits * 10 + 2;
  };
  (cuda::configure(1, 1, 0, stream), add_to(&digits, 1));
  const auto call = [](const HostFunctionOperation& of, Error) { (*static_cast<decltype(function)*>(of.data))(); };
  CHECK(submit_host_function({call, nullptr, const_cast<void*>(static_cast<const void*>(&function)), stream}) ==
        Error::success);
  (cuda::configure(1, 1, 0, stream), add_to(&digits, 3));
  CHECK(synchronize_stream(stream) == Error::success);
  CHECK(digits == 123);
  CHECK(ran_on != std::this_thread::get_id());
  CHECK(inside == Error::not_permitted);
  destroy_stream(stream);
}

TEST_CASE("two kernels that wait for each other finish where both fit") {
  streams::Stream* streams[] = {new_stream(), new_stream()};
  for (int round = 0; round < 20; ++round) {
    int came[2] = {0, 0};
    (cuda::configure(1, 64, 0, streams[0]), meet(&came[0], &came[1]));
    (cuda::configure(1, 64, 0, streams[1]), meet(&came[1], &came[0]));
    CHECK(synchronize_device(0) == Error::success);
  }
  for (streams::Stream* stream : streams) destroy_stream(stream);
}

TEST_CASE("two kernels that wait for each other are a deadlock where one keeps the other out", "[ended]") {
  streams::Stream* streams[] = {new_stream(), new_stream()};
  int came[2] = {0, 0};
  const std::size_t shared = model_of(0).shared_per_block;
  const unsigned all = model_of(0).sm_count * (model_of(0).shared_per_sm / static_cast<unsigned>(shared));
  (cuda::configure(all, 1, shared, streams[0]), meet(&came[0], &came[1]));
  await(came[0]);
  (cuda::configure(1, 64, shared, streams[1]), meet(&came[1], &came[0]));
  expect_failure(Error::launch_timeout);
}

TEST_CASE("a kernel that waits for a host that waits for it is a livelock", "[ended]") {
  int entered = 0;
  int flag = 0;
  (cuda::configure(1, 1), wait_for_host(&entered, &flag));
  expect_failure(Error::launch_timeout);
}

TEST_CASE("a fault stays until the device is reset", "[faults]") {
  streams::Stream* stream = new_stream();
  int digits = 0;
  (cuda::configure(1, 1, 0, stream), store_at(unwritable()));
  CHECK(synchronize_stream(stream) == Error::illegal_address);
  (cuda::configure(1, 1), add_to(&digits, 1));
  CHECK(digits == 0);
  expect_failure(Error::illegal_address);
  CHECK(destroy_stream(stream) == Error::invalid_resource_handle);
  (cuda::configure(1, 1), add_to(&digits, 1));
  CHECK(synchronize_device(0) == Error::success);
  CHECK(digits == 1);
}

TEST_CASE("a fault is no OS thread's last error before a call of that thread has met it", "[faults]") {
  (cuda::configure(1, 1), store_at(unwritable()));
  std::thread([] { CHECK(remember(synchronize_device(0)) == Error::illegal_address); }).join();
  CHECK(peek_error() == Error::success);
  CHECK(take_error() == Error::success);
  expect_failure(Error::illegal_address);
}

TEST_CASE("another kernel's fault ends a kernel that polls", "[faults]") {
  streams::Stream* streams[] = {new_stream(), new_stream()};
  int entered = 0;
  int flag = 0;
  (cuda::configure(1, 1, 0, streams[0]), wait_for_host(&entered, &flag));
  await(entered);
  (cuda::configure(1, 1, 0, streams[1]), store_at(unwritable()));
  expect_failure(Error::illegal_address);
}
