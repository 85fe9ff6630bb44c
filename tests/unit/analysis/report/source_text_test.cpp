// SPDX-License-Identifier: Apache-2.0
//
// Reading source lines and cutting them down to quotations.
#include "report/source_text.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

#include "support/catch.hpp"

using namespace warpfiber::report;

TEST_CASE("a quotation is the statement without its surroundings") {
  const auto [line, quotation] = GENERATE(table<std::string, std::string>({
      {"  __syncthreads();", "__syncthreads()"},
      {"\twhile (load(arrived) < gridDim.x) {  // @A  until all are here", "while (load(arrived) < gridDim.x)"},
      {"    while (*flag == 0) ;\r", "while (*flag == 0)"},
      {"puts(\"// no comment\");  // comment", "puts(\"// no comment\")"},
      {"puts(\"a \\\" // still none\");", "puts(\"a \\\" // still none\")"},
      {"c = '\"'; // quote", "c = '\"'"},
      {"a  =\t b;", "a = b"},
      {"", ""},
      {"   // only a comment", ""},
      {"{", ""},
      {"for (;;) {", "for (;;)"},
  }));
  CHECK(quote(line) == quotation);
}

TEST_CASE("a long line is cut at a character, not inside one") {
  std::string begin(59, 'x');
  CHECK(quote(std::string(100, 'x')) == begin.append("…"));
  CHECK(quote("ääääää", 4) == "äää…");
  CHECK(quote("ääää", 4) == "ääää");
}

TEST_CASE("lines are counted from one, and what cannot be read is nothing") {
  const auto path = std::filesystem::temp_directory_path() / ("warpfiber_source_text." + std::to_string(::getpid()));
  std::ofstream(path) << "first\n  second\nthird";
  SourceFiles sources;
  const std::string file = path.string();
  CHECK(sources.line(file, 1) == "first");
  CHECK(sources.line(file, 2) == "  second");
  CHECK(sources.line(file, 3) == "third");
  CHECK_FALSE(sources.line(file, 0).has_value());
  CHECK_FALSE(sources.line(file, 4).has_value());
  std::filesystem::remove(path);
  CHECK(sources.line(file, 1) == "first");
  CHECK_FALSE(SourceFiles().line(file, 1).has_value());
  CHECK_FALSE(sources.line(path.parent_path().string(), 1).has_value());
}
