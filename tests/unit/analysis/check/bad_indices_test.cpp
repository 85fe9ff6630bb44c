// SPDX-License-Identifier: Apache-2.0
#include "check/violations/bad_indices.hpp"

#include "record/diagnosis.hpp"
#include "report/explain/explain.hpp"
#include "support/catch.hpp"

using namespace warpfiber;
using namespace warpfiber::check;

namespace {

record::OutsideIndex index_of(const char* type, std::int64_t index) {
  const auto bad = bad_index(type, static_cast<std::uint64_t>(index), 32, true);
  REQUIRE(bad.has_value());
  return *bad;
}

MemoryPlace object(const char* type, std::int64_t offset, std::uint64_t extent) {
  MemoryPlace place;
  place.space = Space::shared;
  place.type = type;
  place.offset = static_cast<std::uint64_t>(offset);
  place.extent = extent;
  return place;
}

}  // namespace

TEST_CASE("the type of an array is read from the text of either compiler") {
  const char* const text = GENERATE("'float [33]'", "'float[33]'", "'Row' (aka 'float[33]')");
  const record::OutsideIndex bad = index_of(text, 40);
  CHECK(bad.array == "float[33]");
  CHECK(bad.elements == 33);
  CHECK_FALSE(bad.elements_are_arrays);
}

TEST_CASE("the bound is that of the outermost dimension") {
  CHECK(index_of("'double [5][6]'", 5).elements == 5);
  CHECK(index_of("'double [5][6]'", 5).elements_are_arrays);
  CHECK(index_of("'Box<int [3]> [8]'", 9).elements == 8);
  CHECK(index_of("'int (*[4])[8]'", 4).elements == 4);
}

TEST_CASE("an array of at most one element stands for as many as there are") {
  const char* const text = GENERATE("'float [1]'", "'float [0]'", "'float []'", "'float'", "'float [1][8]'");
  CHECK_FALSE(bad_index(text, 3, 32, true).has_value());
}

TEST_CASE("a report says how far an index is outside") {
  CHECK(report::sentences_of(index_of("'float [33]'", 33)).why ==
        "The index 33 is outside float[33], one past its end.");
  CHECK(report::sentences_of(index_of("'float [33]'", 40)).why == "The index 40 is outside float[33], 8 past its end.");
  CHECK(report::sentences_of(index_of("'float [33]'", -2)).why ==
        "The index -2 is outside float[33], before its first element.");
}

TEST_CASE("the array has the type that programs write") {
  CHECK(index_of("'short unsigned int [8]'", 8).array == "unsigned short[8]");
}

TEST_CASE("an index without a sign is shown as it is, and as what it was converted from") {
  const auto narrow = bad_index("'int [8]'", 0xffffffff, 32, false);
  const auto wide = bad_index("'int [8]'", ~std::uint64_t{0}, 64, false);
  REQUIRE((narrow.has_value() && wide.has_value()));
  CHECK(report::sentences_of(*narrow).why == "The index 4294967295 is outside int[8]; it is -1 converted to unsigned.");
  CHECK(report::sentences_of(*wide).why ==
        "The index 18446744073709551615 is outside int[8]; it is -1 converted to unsigned.");
}

TEST_CASE("an index in a row belongs to the object that consists of such rows") {
  const record::OutsideIndex bad = index_of("'float [33]'", 40);
  const std::int64_t row = 33 * 4;
  CHECK(is_in_object(bad, object("float [32][33]", 2 * row + 7 * 4, 32 * row)));
  CHECK_FALSE(is_in_object(bad, object("float [32][33]", 2 * row + 8 * 4, 32 * row)));
  CHECK_FALSE(is_in_object(bad, object("int [32][33]", 2 * row + 7 * 4, 32 * row)));
  CHECK_FALSE(is_in_object(bad, object("float [32][32]", 7 * 4, 32 * 32 * 4)));
  CHECK_FALSE(is_in_object(bad, object("", 7 * 4, 4096)));
}

TEST_CASE("an index of a whole object is the element that is accessed") {
  CHECK(is_in_object(index_of("'float [8]'", 9), object("float [8]", 36, 32)));
  CHECK_FALSE(is_in_object(index_of("'float [8]'", 9), object("float [8]", 4, 32)));
  CHECK(is_in_object(index_of("'float [8]'", -1), object("float [8]", -4, 32)));
}

TEST_CASE("only the accesses of a thread right after its index may be the one with it") {
  BadIndices indices;
  IndexSite* const made = indices.begin(7, 100);
  REQUIRE(made != nullptr);
  CHECK(indices.begin(7, 100) == nullptr);
  CHECK(indices.follow(20, 100) == 7U);
  CHECK(indices.before(Side{.thread = 100, .site = 20}) == 7);
  CHECK(indices.before(Side{.thread = 101, .site = 20}) == 0);
  SECTION("of another thread, none is") {
    CHECK_FALSE(indices.follow(20, 101).has_value());
    CHECK_FALSE(indices.waits());
  }
  SECTION("of many, the first are") {
    for (unsigned site = 21; site < 24; ++site) CHECK(indices.follow(site, 100) == 7U);
    CHECK_FALSE(indices.waits());
  }
}
