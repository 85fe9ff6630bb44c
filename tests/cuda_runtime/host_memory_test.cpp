// SPDX-License-Identifier: Apache-2.0
// How much memory the host has left.
#include "device_memory/host_memory.hpp"

#include <limits>

#include "support/catch.hpp"

using warpfiber::device_memory::available_in_meminfo;

TEST_CASE("the available memory is read in kibibytes") {
  CHECK(available_in_meminfo("MemTotal: 10 kB\nMemFree: 2 kB\nMemAvailable:       5 kB\n") == 5 * 1024);
}

TEST_CASE("a system that states no limit has none") {
  CHECK(available_in_meminfo("") == std::numeric_limits<std::size_t>::max());
  CHECK(available_in_meminfo("MemAvailable: many") == std::numeric_limits<std::size_t>::max());
}

TEST_CASE("this machine has memory left") {
  CHECK(warpfiber::device_memory::available_host_bytes() > 0);
}
