// SPDX-License-Identifier: Apache-2.0
// Memory that is mapped only where enough of the address space is left.
#include "base/system/address_space.hpp"

#include <sys/mman.h>
#include <sys/resource.h>

#include <cstddef>
#include <fstream>

#include "support/catch.hpp"
#include "support/child_process.hpp"

using namespace warpfiber::base;

namespace {

constexpr std::size_t kMebibyte = std::size_t{1} << 20;

/// The process may map `more` bytes from now on.
void limit_to(std::size_t more) {
  constexpr std::size_t kPage = 4096;
  std::size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  rlimit limit{};
  ::getrlimit(RLIMIT_AS, &limit);
  limit.rlim_cur = pages * kPage + more;
  ::setrlimit(RLIMIT_AS, &limit);
}

}  // namespace

TEST_CASE("mapped memory is zero, and may be written where that was asked for") {
  char* memory = map_with_headroom(kMebibyte, PROT_READ | PROT_WRITE);
  REQUIRE(memory != nullptr);
  CHECK(memory[kMebibyte - 1] == 0);
  memory[0] = 1;
  ::munmap(memory, kMebibyte);
}

TEST_CASE("memory is refused that leaves reports no room, and is not kept") {
  const auto end = warpfiber::test::in_child([] {
    limit_to(64 * kMebibyte);
    for (int i = 0; i < 3; ++i) {
      if (map_with_headroom(60 * kMebibyte, PROT_NONE) != nullptr) return 1;
    }
    return map_with_headroom(32 * kMebibyte, PROT_NONE) != nullptr && has_headroom() ? 0 : 1;
  });
  CHECK(end.exit_code == 0);
}

TEST_CASE("more than the address space has is refused") {
  CHECK(map_with_headroom(~std::size_t{0} / 2, PROT_NONE) == nullptr);
}
