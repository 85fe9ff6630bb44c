// SPDX-License-Identifier: Apache-2.0
//
// Names of parts: nested arrays and classes, unions, bit-fields, and places beyond the ends.
#include "record/type_layout.hpp"

#include "support/catch.hpp"

using namespace warpfiber::record;

namespace {

const TypeLayout kInt{.form = LayoutForm::number, .encoding = NumberForm::signed_integer, .bytes = 4};
const TypeLayout kFloat{.form = LayoutForm::number, .encoding = NumberForm::floating_point, .bytes = 4};
const TypeLayout kChar{.form = LayoutForm::number, .encoding = NumberForm::signed_integer, .bytes = 1};

TypeLayout array_of(const TypeLayout& element, std::uint64_t elements) {
  return {.form = LayoutForm::array, .bytes = element.bytes * elements, .elements = elements, .element = &element};
}

TypeLayout record_of(std::uint64_t bytes, std::vector<MemberLayout> members) {
  return {.form = LayoutForm::record, .bytes = bytes, .members = std::move(members)};
}

const TypeLayout kChildren = array_of(kFloat, 4);
// struct Node { int id; float children[4]; }
const TypeLayout kNode = record_of(20, {{"id", 0, 4, &kInt}, {"children", 4, 16, &kChildren}});
const TypeLayout kNodes = array_of(kNode, 3);

}  // namespace

TEST_CASE("a member of an element has the names of both") {
  CHECK(part_at(kNodes, 2 * 20 + 12, 4).text == "[2].children[2]");
  CHECK(part_at(kNodes, 2 * 20 + 12, 4).number == &kFloat);
  CHECK(part_at(kNode, 0, 4).text == ".id");
  CHECK(part_from(kNode, 5 * 20, 4).text == "[5].id");
}

TEST_CASE("rows and columns count each for itself, also beyond the ends") {
  const TypeLayout row = array_of(kInt, 5);
  const TypeLayout rows = array_of(row, 4);
  CHECK(part_at(rows, 4 * (2 * 5 + 3), 4).text == "[2][3]");
  CHECK(part_at(rows, 4 * 4 * 5, 4).text == "[4][0]");
  CHECK(part_at(rows, -4, 4).text == "[-1][4]");
  CHECK(part_at(kNodes, -20, 4).text == "[-1].id");
  CHECK(part_at(kNode, 20, 4).text.empty());
}

TEST_CASE("an access to several members names what they are members of") {
  CHECK(part_at(kNodes, 20, 20).text == "[1]");
  CHECK(part_at(kNodes, 20, 20).number == nullptr);
  CHECK(part_at(kNode, 4, 16).text == ".children[0]");
}

TEST_CASE("a part of a number has its name") {
  CHECK(part_at(kNode, 1, 1).text == ".id");
  CHECK(part_at(kNode, 1, 1).number == &kInt);
  CHECK(part_at(kNode, 1, 1).offset == 1);
}

TEST_CASE("members of a union are told apart by the access, or named together") {
  const TypeLayout text = array_of(kChar, 4);
  const TypeLayout both = record_of(4, {{"i", 0, 4, &kInt}, {"text", 0, 4, &text}});
  CHECK(part_at(both, 0, 4).text == ".i");
  CHECK(part_at(both, 2, 1).text == ".text[2]");
  const TypeLayout same = record_of(4, {{"i", 0, 4, &kInt}, {"f", 0, 4, &kFloat}});
  CHECK(part_at(same, 0, 4).text == ".i|f");
  CHECK(part_at(same, 0, 4).number == nullptr);
}

TEST_CASE("what has no name is left out of the name") {
  const TypeLayout point = record_of(8, {{"x", 0, 4, &kFloat}, {"y", 4, 4, &kFloat}});
  const TypeLayout particle = record_of(12, {{"", 0, 8, &point}, {"id", 8, 4, &kInt}});
  CHECK(part_at(particle, 4, 4).text == ".y");
}

TEST_CASE("bit-fields are those that the bytes hold") {
  std::vector<MemberLayout> fields{{"a", 0, 1, &kInt, true}, {"b", 0, 1, &kInt, true}, {"c", 1, 1, &kInt, true}};
  CHECK(part_at(record_of(4, fields), 0, 1).text == ".a|b");
  CHECK(part_at(record_of(4, fields), 1, 1).text == ".c");
  CHECK(part_at(record_of(4, fields), 0, 4).text == ".a|b|c");
  fields.push_back({"d", 2, 1, &kInt, true});
  CHECK(part_at(record_of(4, fields), 0, 4).text.empty());
}

TEST_CASE("of a type that is not known nothing is named") {
  const TypeLayout unknown{.bytes = 8};
  CHECK(part_at(unknown, 4, 4).text.empty());
  CHECK(part_at(array_of(unknown, 4), 12, 4).text == "[1]");
  CHECK(part_at(record_of(8, {{"hidden", 0, 8, &unknown}}), 4, 4).text == ".hidden");
}

TEST_CASE("bytes between members are padding") {
  const TypeLayout nested = record_of(8, {{"flag", 0, 1, &kChar}, {"value", 4, 4, &kInt}});
  const TypeLayout record = record_of(16, {{"in", 0, 8, &nested}, {"key", 8, 4, &kInt}});
  CHECK(part_from(record, 16 + 12, 4).is_padding);
  CHECK(part_from(record, 16 + 1, 3).is_padding);
  CHECK_FALSE(part_from(record, 16 + 0, 4).is_padding);
  CHECK_FALSE(part_from(record, 16 + 8, 8).is_padding);
  const TypeLayout unknown = record_of(16, {});
  CHECK_FALSE(part_from(unknown, 12, 4).is_padding);
}
