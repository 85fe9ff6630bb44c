// SPDX-License-Identifier: Apache-2.0
// The yardstick for barriers: one jump of Boost.Context in a ring, with nothing counted and no list kept. The ring has
// the OS thread's own stack and one stack each for the other members. The jump is called straight from the loop, so the
// processor's return stack stays in step, and stack tops lie in different cache sets, as the library's own do.
#include <benchmark/benchmark.h>
#include <sys/mman.h>
#include <boost/context/detail/fcontext.hpp>

#include <vector>

#include "measure.hpp"

namespace warpfiber::bench {
namespace {

using boost::context::detail::fcontext_t;
using boost::context::detail::jump_fcontext;
using boost::context::detail::make_fcontext;
using boost::context::detail::transfer_t;

constexpr std::size_t kStack = 64 * 1024;
// Next to no two of a thousand tops this far apart share a set of a second-level cache.
constexpr std::size_t kStride = kStack + 4096 + 64;
constexpr std::size_t kJumps = std::size_t{1} << 22;

struct Member {
  fcontext_t context;
  Member* next;
  Member* previous;
};

inline __attribute__((always_inline)) void jump_to_next(Member* self) {
  Member* next = self->next;
  const transfer_t arrived = jump_fcontext(next->context, next);
  self->previous->context = arrived.fctx;
}

void live(transfer_t arrived) {
  auto* self = static_cast<Member*>(arrived.data);
  self->previous->context = arrived.fctx;
  for (;;) jump_to_next(self);
}

/// Member 0 is the caller; the others are thrown away with their stacks.
class Ring {
 public:
  explicit Ring(std::size_t size) : members_(size), bytes_(size * kStride) {
    memory_ = static_cast<char*>(
        mmap(nullptr, bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
    for (std::size_t i = 0; i < size; ++i) {
      members_[i].next = &members_[(i + 1) % size];
      members_[i].previous = &members_[(i + size - 1) % size];
      members_[i].context = make_fcontext(memory_ + (i + 1) * kStride, kStack, live);
    }
  }
  ~Ring() { munmap(memory_, bytes_); }
  Ring(const Ring&) = delete;
  Ring& operator=(const Ring&) = delete;

  void go_round(std::size_t rounds) {
    for (std::size_t i = 0; i < rounds; ++i) jump_to_next(members_.data());
  }

 private:
  std::vector<Member> members_;
  std::size_t bytes_;
  char* memory_;
};

void raw_jump(benchmark::State& state) {
  const auto size = static_cast<std::size_t>(state.range(0));
  Ring ring(size);
  const double seconds = seconds_of(state, Clock::cpu, [&] { ring.go_round(kJumps / size); });
  state.counters["ns_per_thread"] = seconds * kNanoseconds / kJumps;
}
BENCHMARK(raw_jump)->Arg(32)->Arg(256)->Arg(1024);

}  // namespace
}  // namespace warpfiber::bench
