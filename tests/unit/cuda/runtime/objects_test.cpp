// SPDX-License-Identifier: Apache-2.0
// What CUDA's calls and declarations make known of the memory of devices: kinds, names, and the user's lines.
#include "memory/objects.hpp"

#include <cuda_runtime.h>
#include <warpfiber/translated/kernels.hpp>

#include <string>

#include "engine/findings/findings.hpp"
#include "memory/device_space.hpp"
#include "support/catch.hpp"

using namespace warpfiber;
using memory::Object;
using memory::object_at;
using memory::ObjectKind;

namespace {

int table_of_tests[6] = {1, 2};
const cuda::Variable registered_table{table_of_tests, "table_of_tests", cuda::VariableKind::constant};
const unsigned table_line = __LINE__;  // of the line behind

/// Whether a call that was made in this file's line returns to the address.
bool is_line(const void* returns_to, unsigned line) {
  const record::Place place = engine::place_of_call(returns_to);
  return place.line == line && place.file.ends_with("objects_test.cpp");
}

}  // namespace

TEST_CASE("memory of every kind is an object, with the lines that allocated and freed it") {
  float* device = nullptr;
  int* managed = nullptr;
  void* pinned = nullptr;
  // clang-format off
  REQUIRE(cudaMalloc(&device, 100) == cudaSuccess); const unsigned device_line = __LINE__;
  REQUIRE(cudaMallocManaged(&managed, 200) == cudaSuccess); const unsigned managed_line = __LINE__;
  REQUIRE(cudaMallocHost(&pinned, 300) == cudaSuccess); const unsigned pinned_line = __LINE__;
  // clang-format on
  const auto check = [](const void* base, std::size_t bytes, ObjectKind kind, bool initialised, unsigned line) {
    CAPTURE(line);
    CHECK(memory::in_device_space(base));
    const auto object = object_at(static_cast<const char*>(base) + bytes - 1);
    REQUIRE(object.has_value());
    CHECK(object->base == base);
    CHECK(object->bytes == bytes);
    CHECK(object->kind == kind);
    CHECK(object->initialised == initialised);
    CHECK(is_line(object->made_by, line));
    CHECK_FALSE(object->freed);
  };
  check(device, 100, ObjectKind::global, false, device_line);
  check(managed, 200, ObjectKind::managed, true, managed_line);
  check(pinned, 300, ObjectKind::pinned, false, pinned_line);
  // clang-format off
  REQUIRE(cudaFree(device) == cudaSuccess); const unsigned freed_line = __LINE__;
  // clang-format on
  const auto freed = object_at(device);
  REQUIRE(freed.has_value());
  CHECK(freed->freed);
  CHECK(is_line(freed->made_by, device_line));
  CHECK(is_line(freed->freed_by, freed_line));
  CHECK(cudaFree(managed) == cudaSuccess);
  CHECK(cudaFreeHost(pinned) == cudaSuccess);
  CHECK(object_at(managed)->freed);
  CHECK(object_at(pinned)->freed);
}

TEST_CASE("memory that is freed in a stream is freed by the call, not by the thread that does it") {
  int* memory = nullptr;
  // clang-format off
  REQUIRE(cudaMallocAsync(&memory, 64, cudaStreamPerThread) == cudaSuccess); const unsigned made_line = __LINE__;
  REQUIRE(cudaFreeAsync(memory, cudaStreamPerThread) == cudaSuccess); const unsigned freed_line = __LINE__;
  // clang-format on
  REQUIRE(cudaStreamSynchronize(cudaStreamPerThread) == cudaSuccess);
  const auto freed = object_at(memory);
  REQUIRE(freed.has_value());
  CHECK(is_line(freed->made_by, made_line));
  CHECK(is_line(freed->freed_by, freed_line));
}

TEST_CASE("registered host memory is an object while it is registered") {
  static char own[8192];
  REQUIRE(cudaHostRegister(own, sizeof own, 0) == cudaSuccess);
  const auto object = object_at(own + 5000);
  REQUIRE(object.has_value());
  CHECK(object->kind == ObjectKind::pinned);
  CHECK(object->initialised);
  CHECK(cudaHostUnregister(own) == cudaSuccess);
  CHECK_FALSE(object_at(own + 5000).has_value());
}

TEST_CASE("a variable of the device is an object with its name, type and line") {
  const auto object = object_at(table_of_tests + 5);
  REQUIRE(object.has_value());
  CHECK(object->base == reinterpret_cast<const char*>(table_of_tests));
  CHECK(object->bytes == sizeof table_of_tests);
  CHECK(object->kind == ObjectKind::constant);
  CHECK(object->initialised);
  CHECK(object->name == "table_of_tests");
  CHECK_THAT(object->type, Catch::Matchers::StartsWith("int"));
  CHECK_THAT(object->type, Catch::Matchers::EndsWith("[6]"));
  CHECK_THAT(object->file, Catch::Matchers::EndsWith("objects_test.cpp"));
  CHECK(object->line + 1 == table_line);
}

TEST_CASE("whoever calls nothing has no line") {
  CHECK_FALSE(engine::place_of_call(nullptr).known());
}
