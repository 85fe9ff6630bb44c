// SPDX-License-Identifier: Apache-2.0
#include "memory/host/virtual_tables.hpp"

#include <cstdint>
#include <cstring>

#include "memory/host/host_addresses.hpp"
#include "support/catch.hpp"

namespace warpfiber::memory::test {
namespace {

struct Plain {
  virtual ~Plain() = default;
  virtual int number() const { return 1; }
};
struct Derived : Plain {
  int number() const override { return 2; }
};
struct Beside {
  virtual ~Beside() = default;
};
struct OfTwo : Derived, Beside {};

const void* table_of(const void* object) {
  const void* table;
  std::memcpy(&table, object, sizeof table);
  return table;
}

}  // namespace

TEST_CASE("virtual tables: classes without a base, with one and with two") {
  const Plain plain;
  const Derived derived;
  const OfTwo two;
  CHECK(is_virtual_table(table_of(&plain)));
  CHECK(is_virtual_table(table_of(&derived)));
  CHECK(is_virtual_table(table_of(&two)));
  CHECK(is_virtual_table(table_of(static_cast<const Beside*>(&two))));
  CHECK(class_of_virtual_table(table_of(&derived)) == "warpfiber::memory::test::(anonymous namespace)::Derived");
}

TEST_CASE("virtual tables: an entry belongs to the table before it") {
  const OfTwo two;
  const void* const table = table_of(&two);
  CHECK(virtual_table_with(table) == table);
  CHECK(virtual_table_with(static_cast<const void* const*>(table) + 2) == table);
  CHECK(virtual_table_with(nullptr) == nullptr);
  CHECK(virtual_table_with(&two) == nullptr);
}

TEST_CASE("virtual tables: other words are none") {
  static const int number = 3;
  const void* const local = &number;
  CHECK_FALSE(is_virtual_table(nullptr));
  CHECK_FALSE(is_virtual_table(&number));
  CHECK_FALSE(is_virtual_table(&local));
  CHECK_FALSE(is_virtual_table(reinterpret_cast<const void*>(std::uintptr_t{0x123456789abcdef0})));
  CHECK_FALSE(is_virtual_table(static_cast<const char*>(table_of(&typeid(Plain))) + 1));
}

TEST_CASE("virtual tables: a copy to a device and back leaves an object as it was") {
  OfTwo objects[3];
  char copy[sizeof objects];
  std::memcpy(copy, static_cast<const void*>(objects), sizeof copy);
  put_virtual_tables_out_of_reach(copy, sizeof copy);
  CHECK(std::memcmp(copy, static_cast<const void*>(objects), sizeof copy) != 0);
  const void* const faults = table_of(copy + 2 * sizeof(OfTwo));
  CHECK_FALSE(is_virtual_table(faults));
  CHECK(meant_by(faults) == table_of(objects));
  put_virtual_tables_in_reach(copy, sizeof copy);
  CHECK(std::memcmp(copy, static_cast<const void*>(objects), sizeof copy) == 0);
}

}  // namespace warpfiber::memory::test
