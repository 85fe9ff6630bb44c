// SPDX-License-Identifier: Apache-2.0
// Which array of a line an index is for: by the closing bracket, as g++ says, or by where the expression begins.
#include <string>

#include "record/diagnosis.hpp"
#include "report/explain/explain.hpp"
#include "report/fixes/fix.hpp"
#include "support/catch.hpp"

using namespace warpfiber;
using report::indexed_array;

namespace {

/// The column of the `number`th of such texts in the line, from 1.
unsigned column_of(const std::string& line, const std::string& text, unsigned number = 1) {
  std::size_t at = line.find(text);
  for (unsigned i = 1; i < number; ++i) at = line.find(text, at + 1);
  REQUIRE(at != std::string::npos);
  return static_cast<unsigned>(at + 1);
}

std::string by_bracket(const std::string& line, unsigned number = 1) {
  return indexed_array(line, column_of(line, "]", number), 1);
}

std::string by_begin(const std::string& line, const std::string& begin, std::size_t dimensions = 1) {
  return indexed_array(line, column_of(line, begin), dimensions);
}

class OneLine final : public report::SourceText {
 public:
  explicit OneLine(std::string text) : text_(std::move(text)) {}
  std::optional<std::string> line(const std::string& /*file*/, unsigned line) override {
    return line == 7 ? std::optional(text_) : std::nullopt;
  }

 private:
  std::string text_;
};

}  // namespace

TEST_CASE("the bracket behind an index identifies the array") {
  CHECK(by_bracket("bins[i] += 1;") == "bins");
  CHECK(by_bracket("  x = 2 * grid[i][j];") == "grid");
  CHECK(by_bracket("  x = 2 * grid[i][j];", 2) == "grid[i]");
  CHECK(by_bracket("all->parts[map[i]].position [j] = 0;", 1) == "map");
  CHECK(by_bracket("all->parts[map[i]].position [j] = 0;", 2) == "all->parts");
  CHECK(by_bracket("all->parts[map[i]].position [j] = 0;", 3) == "all->parts[map[i]].position");
  CHECK(by_bracket("(all + 1)->more[i] = app::limit[0];") == "(all + 1)->more");
  CHECK(by_bracket("(all + 1)->more[i] = app::limit[0];", 2) == "app::limit");
  CHECK(by_bracket("sum += rows(2)[i];") == "rows(2)");
  CHECK(by_bracket("return (int)bins[i];") == "bins");
}

TEST_CASE("where the expression begins identifies the array, if only one can be meant") {
  CHECK(by_begin("bins[i] += 1;", "bins") == "bins");
  CHECK(by_begin("x = mine.position[i] + 1;", "mine") == "mine.position");
  CHECK(by_begin("x = grid[i][j];", "grid", 2) == "grid");
  CHECK(by_begin("x = grid[i][j];", "grid", 1) == "grid[i]");
  CHECK(by_begin("(all + 1)->more[i] = 0;", "(") == "(all + 1)->more");
  CHECK(by_begin("all->parts[i].position[j] = 0;", "all") == "");
}

TEST_CASE("what is no such expression has no name") {
  CHECK(by_begin("AT(bins, i) = 1;", "AT") == "");
  CHECK(by_begin("x = 4;", "x") == "");
  CHECK(by_bracket("i]") == "");
  CHECK(by_bracket("[i] = 1;") == "");
  CHECK(by_begin("bins[i", "bins") == "");
  CHECK(indexed_array("bins[i]", 0, 1) == "");
  CHECK(indexed_array("bins[i]", 8, 1) == "");
  CHECK(by_bracket("a_name_that_is_longer_than_anybody_wants_to_read_twice[i]") == "");
}

TEST_CASE("the sentence about an index has the name of the array") {
  record::OutsideIndex bad{.array = "int[4]", .elements = 4, .index = 4, .as_passed = 4, .line = 7, .column = 8};
  record::Finding finding;
  finding.diagnosis = bad;
  finding.parties = {{.place = {"a.cu", 7, 0, "k"}}};
  OneLine source("  bins[i] += 1;");
  report::name_array(finding, source);
  report::explain(finding);
  CHECK(finding.why == "The index 4 is outside int[4], one past its end.");
  finding.diagnosis = bad;
  std::get<record::OutsideIndex>(*finding.diagnosis.get()).column = 9;
  report::name_array(finding, source);
  report::explain(finding);
  CHECK(finding.why == "The index 4 is outside bins (int[4]), one past its end.");
}
