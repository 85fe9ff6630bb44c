// SPDX-License-Identifier: Apache-2.0
#include "memory/host/built_by_host.hpp"

#include <array>
#include <cstring>
#include <new>

#include "memory/host/host_addresses.hpp"
#include "memory/host/virtual_tables.hpp"
#include "support/catch.hpp"

namespace warpfiber::memory::test {
namespace {

struct Number {
  virtual ~Number() = default;
  virtual int get() const { return 1; }
  long value = 7;
};

/// Memory for four objects, and what it says of them. Nothing is left in the list of the process.
class Objects {
 public:
  Objects() { std::memset(memory_, 0, sizeof memory_); }
  ~Objects() { forget_objects_of_host(memory_, sizeof memory_); }
  Objects(const Objects&) = delete;
  Objects& operator=(const Objects&) = delete;

  char* at(int i) { return memory_ + static_cast<std::size_t>(i) * sizeof(Number); }
  void build(int i) { new (at(i)) Number(); }
  /// As host code that is translated does.
  void build_on_host(int i) {
    build(i);
    note_object_of_host(at(i), sizeof(Number), nullptr);
  }
  const void* table(int i) {
    const void* word;
    std::memcpy(&word, at(i), sizeof word);
    return word;
  }
  bool is_in_reach(int i) { return is_virtual_table(table(i)); }

 private:
  alignas(Number) char memory_[4 * sizeof(Number)];
};

struct Kernel {
  Kernel() { begin_kernel_of_tables(); }
  ~Kernel() { end_kernel_of_tables(); }
};

}  // namespace

TEST_CASE("built by host: tables are out of reach while kernels run") {
  Objects objects;
  objects.build_on_host(0);
  objects.build(1);
  CHECK(objects.is_in_reach(0));
  for (int launch = 0; launch < 2; ++launch) {
    const Kernel one;
    CHECK_FALSE(objects.is_in_reach(0));
    CHECK(is_virtual_table(meant_by(objects.table(0))));
    const Kernel other;
    CHECK(objects.is_in_reach(1));
    objects.build_on_host(2);
    CHECK_FALSE(objects.is_in_reach(2));
  }
  for (int i = 0; i < 3; ++i) CHECK(objects.is_in_reach(i));
}

TEST_CASE("built by host: what a kernel constructs in the place is the kernel's from then on") {
  Objects objects;
  objects.build_on_host(0);
  {
    const Kernel kernel;
    objects.build(0);
    CHECK(objects.is_in_reach(0));
  }
  const Kernel kernel;
  CHECK(objects.is_in_reach(0));
}

TEST_CASE("built by host: memory that has other data, or was freed, is forgotten") {
  Objects objects;
  objects.build_on_host(0);
  objects.build_on_host(1);
  std::memset(objects.at(0), 0, sizeof(Number));
  forget_objects_of_host(objects.at(1), sizeof(Number));
  { const Kernel kernel; }
  objects.build(0);
  const Kernel kernel;
  CHECK(objects.is_in_reach(0));
  CHECK(objects.is_in_reach(1));
}

TEST_CASE("built by host: an array, and what is registered") {
  Objects objects;
  for (int i = 0; i < 4; ++i) objects.build(i);
  SECTION("an array") {
    note_object_of_host(objects.at(0), sizeof(Number), objects.at(4));
  }
  SECTION("registered") {
    note_objects_of_host(objects.at(0), 4 * sizeof(Number));
  }
  const Kernel kernel;
  for (int i = 0; i < 4; ++i) CHECK_FALSE(objects.is_in_reach(i));
}

TEST_CASE("built by host: copies between memory of host, device and both") {
  Objects from;
  Objects to;
  const auto copy = [&](Accessors to_whom, Accessors of_whom) {
    copy_with_tables(to.at(0), to_whom, from.at(0), of_whom, 2 * sizeof(Number));
  };
  const auto is_out_in_kernel = [&](int i) {
    const Kernel kernel;
    return !to.is_in_reach(i);
  };
  from.build_on_host(0);
  from.build(1);
  SECTION("from both to a device: the host's object alone faults") {
    copy(Accessors::device, Accessors::both);
    CHECK_FALSE(to.is_in_reach(0));
    CHECK(to.is_in_reach(1));
  }
  SECTION("from both to both") {
    to.build_on_host(1);
    copy(Accessors::both, Accessors::both);
    CHECK(to.is_in_reach(0));
    CHECK(is_out_in_kernel(0));
    CHECK_FALSE(is_out_in_kernel(1));
  }
  SECTION("from the host to both: either is the host's") {
    copy(Accessors::both, Accessors::host);
    CHECK(to.is_in_reach(0));
    CHECK(is_out_in_kernel(0));
    CHECK(is_out_in_kernel(1));
  }
  SECTION("while a kernel runs, to the host") {
    const Kernel kernel;
    copy(Accessors::host, Accessors::both);
    CHECK(to.is_in_reach(0));
  }
  SECTION("by a device to both") {
    Objects device;
    copy_with_tables(device.at(0), Accessors::device, from.at(0), Accessors::both, 2 * sizeof(Number));
    copy_with_tables(to.at(0), Accessors::both, device.at(0), Accessors::device, 2 * sizeof(Number));
    CHECK(to.is_in_reach(0));
    CHECK(is_out_in_kernel(0));
    CHECK_FALSE(is_out_in_kernel(1));
  }
}

TEST_CASE("built by host: registers of host code get the table back") {
  Objects objects;
  objects.build_on_host(0);
  const void* const table = objects.table(0);
  const Kernel kernel;
  long long word = reinterpret_cast<long long>(objects.table(0));
  long long other = 12345;
  const std::array<long long*, 2> registers{&word, &other};
  CHECK(put_registers_in_reach(reinterpret_cast<const void*>(word + 8), registers.data(), registers.size()));
  CHECK(word == reinterpret_cast<long long>(table));
  CHECK(other == 12345);
  CHECK_FALSE(put_registers_in_reach(nullptr, registers.data(), registers.size()));
}

}  // namespace warpfiber::memory::test
