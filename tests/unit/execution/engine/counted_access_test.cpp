// SPDX-License-Identifier: Apache-2.0
// What calls to hooks become in the code of checked programs. The hook is this file's own, and so is the code: as in an
// executable of its own.
#if defined(__x86_64__) && defined(__linux__) && !defined(__clang__)
#define WARPFIBER_CHECKED
#undef __PIE__
#define __PIE__ 2
#include <warpfiber/detail/counted_access.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/preempt.hpp"
#include "support/catch.hpp"

using warpfiber::detail::counted_nothing;
using warpfiber::detail::counted_state;
using warpfiber::detail::counted_step;

namespace {

struct IndexOfThread {
  unsigned x, y, z;
};
extern constinit thread_local IndexOfThread running asm("threadIdx") __attribute__((tls_model("initial-exec")));

struct Call {
  const void* at;
  std::uint64_t* counter;
};
std::vector<Call> calls;

}  // namespace

extern "C" void warpfiber_read4(const void* at, std::ptrdiff_t counter) {
  calls.push_back({at, reinterpret_cast<std::uint64_t*>(static_cast<char*>(__builtin_thread_pointer()) + counter)});
}

extern "C" const unsigned char access_begin[], access_end[];

namespace {

__attribute__((noinline, noclone)) void read(const void* address) {
  asm volatile(
      "mov %%rsp, %%rbx\n\tsub $256, %%rsp\n\tand $-16, %%rsp\n"
      "access_begin:\n\t"
      "call __tsan_read4@PLT\n"
      "access_end:\n\t"
      "mov %%rbx, %%rsp"
      : "+D"(address)
      :
      : "rax", "rbx", "rcx", "rdx", "rsi", "r8", "r9", "r10", "r11", "xmm0", "xmm1", "memory", "cc");
}

void read(const void* address, unsigned x) {
  running.x = x;
  read(address);
}

}  // namespace

TEST_CASE("the access that a counter waits for is counted, and no other", "[checked]") {
  const int words[8] = {};
  calls.clear();
  read(&words[0], 0);
  REQUIRE(calls.size() == 1);
  CHECK(calls[0].at == &words[0]);
  std::uint64_t& counter = *calls[0].counter;
  CHECK(counter == counted_nothing);

  const std::uint64_t begun = counted_state(reinterpret_cast<std::uint64_t>(&words[1]), 1);
  counter = begun;
  read(&words[1], 1);
  read(&words[2], 2);
  CHECK(calls.size() == 1);
  CHECK(counter == begun + 2 * counted_step);

  read(&words[3], 4);
  read(&words[4], 3);
  read(&words[2], 2);
  CHECK(calls.size() == 4);
  CHECK(counter == begun + 2 * counted_step);
  read(&words[3], 3);
  CHECK(calls.size() == 4);
  counter = counted_nothing;
  running.x = 0;
}

TEST_CASE("no access is counted where a counter waits for none", "[checked]") {
  calls.clear();
  read(nullptr, 0);
  read(nullptr, 1);
  CHECK(calls.size() == 2);
  running.x = 0;
}

TEST_CASE("nobody takes a thread's turn between its look at a counter and the count", "[checked]") {
  std::vector<std::ptrdiff_t> places;
  for (const unsigned char* at = access_begin; at < access_end; ++at) {
    if (warpfiber::engine::never_waits_in(at)) places.push_back(at - access_begin);
  }
  REQUIRE(places.size() == 2);
  CHECK(access_begin[places[0]] == 0x74);  // je
  CHECK(access_begin + places[1] + 13 == access_end);
}
#endif
