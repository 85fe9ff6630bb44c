// SPDX-License-Identifier: Apache-2.0
// The sentences about an access out of bounds: the elements of the object, the index, and how far it is outside.
#include <string>

#include "report/explain/explain.hpp"
#include "support/catch.hpp"

using namespace warpfiber;

namespace {

record::OutsideAccess outside(const std::string& type, std::uint64_t extent, std::int64_t offset, unsigned size,
                              std::int64_t up = 0) {
  return {.name = type.empty() ? "" : "tile",
          .type = type,
          .offset = offset,
          .highest = offset + up,
          .extent = extent,
          .size = size};
}

std::string why(const record::OutsideAccess& access) {
  return report::sentences_of(access).why;
}

}  // namespace

TEST_CASE("an access out of bounds names index, extent and distance") {
  CHECK(why(outside("float [9]", 36, 36, 4)) == "tile has 9 elements; index 9 is one past its end.");
  CHECK(why(outside("float [9]", 36, -8, 4)) == "tile has 9 elements; index -2 is 2 before its beginning.");
  CHECK(why(outside("double [4]", 32, 40, 8, 16)) ==
        "tile has 4 elements; index 5 is 2 past its end, and indices go up to 7.");
  CHECK(why(outside("", 256, 256, 8)) == "The allocation has 32 elements of 8 bytes; index 32 is one past its end.");
  CHECK(why(outside("", 20, 12, 16)) == "The allocation has 20 bytes; the access is up to 8 bytes past its end.");
}

TEST_CASE("of what a pointer leads to it counts the elements of the pointer's type") {
  record::OutsideAccess member = outside("", 184, 188, 4);
  member.element = 92;
  CHECK(why(member) == "The allocation has 2 elements of 92 bytes; index 2 is one past its end.");
  member.name = "nodes";
  CHECK(why(member) == "nodes has 2 elements; index 2 is one past its end.");
  member.offset = member.highest = -4;
  CHECK(why(member) == "nodes has 2 elements; index -1 is one before its beginning.");
  member.extent = 186;
  member.offset = 186;
  CHECK(why(member) == "nodes has 186 bytes; the access is up to 4 bytes past its end.");
}

TEST_CASE("of an array of arrays it names all indices") {
  CHECK(why(outside("float [8][9]", 288, 288, 4)) == "tile has 8 x 9 elements; [8][0] is one past its end.");
  CHECK(why(outside("double [2][2]", 32, -8, 8)) == "tile has 2 x 2 elements; [-1][1] is one before its beginning.");
}

TEST_CASE("of dynamic shared memory it names the bytes that the launch gave and those that it needs") {
  record::OutsideAccess none = outside("", 0, 0, 4, 508);
  none.dynamic_shared = true;
  CHECK(why(none) == "The launch gave 0 bytes of dynamic shared memory, and the kernel uses it up to byte 512.");
  CHECK(report::sentences_of(none).fix ==
        "launch with at least 512 bytes of dynamic shared memory: <<<grid, block, 512>>>");
}

TEST_CASE("of an index that no int can hold it says what it is where it is computed with ints") {
  const record::OutsideAccess far = outside("char [1048576]", 1 << 20, 2'621'440'000, 1);
  CHECK(why(far) ==
        "tile has 1,048,576 elements; index 2621440000 (-1673527296 where it is computed with ints, which cannot hold "
        "it) is 2620391425 past its end.");
  CHECK(report::sentences_of(far).fix == "compute the index in 64 bits, as with (size_t)row * pitch");
}
