// SPDX-License-Identifier: Apache-2.0
// What is kept for a thread ends with it, and is not made again.
#include "process/thread_parts.hpp"

#include <thread>

#include "process/explain.hpp"
#include "support/catch.hpp"

using namespace warpfiber::process;

namespace {

int living = 0;

struct Lives {
  Lives() { ++living; }
  ~Lives() { --living; }
  Lives(const Lives&) = delete;
  Lives& operator=(const Lives&) = delete;
};

/// An object of the program's own that ends later than the parts: it was made earlier.
struct EndsLater {
  EndsLater() = default;
  ~EndsLater() {
    if (into != nullptr) *into = ThreadParts::of_caller() == nullptr && own_part(&ThreadParts::explanation) == nullptr;
  }
  EndsLater(const EndsLater&) = delete;
  EndsLater& operator=(const EndsLater&) = delete;

  bool* into = nullptr;
};

}  // namespace

TEST_CASE("a part is made by its first user, and not again after its end") {
  ThreadPart<Lives> part;
  CHECK(living == 0);
  Lives* const made = part.get();
  CHECK(living == 1);
  CHECK(part.get() == made);
  part.end();
  CHECK(living == 0);
  CHECK(part.get() == nullptr);
}

TEST_CASE("a part that nobody has used ends as well") {
  ThreadPart<Lives> part;
  part.end();
  CHECK(part.get() == nullptr);
  CHECK(living == 0);
}

TEST_CASE("threads have parts of their own, which are gone when objects of the program end that are older") {
  const Explanation* const here = own_part(&ThreadParts::explanation);
  const Explanation* there = nullptr;
  bool were_gone = false;
  std::thread([&] {
    static thread_local EndsLater later;
    later.into = &were_gone;
    there = own_part(&ThreadParts::explanation);
    CHECK(own_part(&ThreadParts::explanation) == there);
  }).join();
  CHECK(there != nullptr);
  CHECK(there != here);
  CHECK(were_gone);
}
