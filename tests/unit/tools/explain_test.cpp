// SPDX-License-Identifier: Apache-2.0
//
// Pages as plain text, and the words by which they are found.
#include "tools/explain/explain.hpp"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <regex>
#include <sstream>

#include "support/catch.hpp"

using Catch::Matchers::ContainsSubstring;
using warpfiber::report::Paint;
using namespace warpfiber::tools;
using namespace warpfiber::tools::explain;

namespace {

const std::string kDocs = WARPFIBER_SOURCE "/docs";

std::string plain(std::string_view markdown, std::size_t width = 40) {
  return plain_text(markdown, width, Paint(false));
}

std::string content(const std::filesystem::path& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

}  // namespace

TEST_CASE("markup of a line goes, and what it marks stays") {
  CHECK(without_markup("`a[i](x)` and **two** *words*") == "a[i](x) and two words");
  CHECK(without_markup("see [the page](page.md#part) and [CUDA](https://a.b)") ==
        "see the page and CUDA (https://a.b)");
  CHECK(without_markup("3 * 4 \\* `x*y` s[0]") == "3 * 4 * x*y s[0]");
}

TEST_CASE("paragraphs and lists are wrapped, code is not") {
  CHECK(plain("one two\nthree\n\n- an item that is long enough for two lines\n  of text\n- next\n") ==
        "one two three\n\n- an item that is long enough for two\n  lines of text\n- next\n");
  CHECK(plain("```cpp a.cu\nint a;\n\n  int b; // `kept` as it is, however wide it may be\n```\nend\n") ==
        "    int a;\n\n      int b; // `kept` as it is, however wide it may be\n\nend\n");
  CHECK(plain("# Title\ntext\n## Part\nmore\n") == "Title\n=====\n\ntext\n\nPart\n----\n\nmore\n");
}

TEST_CASE("tables keep their columns, and wide cells are wrapped") {
  CHECK(plain("| a | b |\n|---|---|\n| `x|y` | 1 \\| 2 |\n") == "a    b\n---  -----\nx|y  1 | 2\n");
  CHECK(plain("| id | meaning |\n|---|---|\n| one | words that do not fit one line of a narrow page |\n", 24) ==
        "id   meaning\n---  -------------------\none  words that do not\n     fit one line of a\n     narrow page\n");
}

TEST_CASE("every page of the documentation is plain text") {
  const std::regex markup(R"(\]\([^ ]*(\.md|#|http)|```|^#+ |^\|)");
  for (const auto& file : std::filesystem::recursive_directory_iterator(kDocs)) {
    if (file.path().extension() != ".md") continue;
    constexpr std::size_t kWidth = 78;
    std::istringstream lines(plain_text(content(file.path()), kWidth, Paint(false)));
    for (std::string line; std::getline(lines, line);) {
      INFO(file.path() << ": " << line);
      const bool is_code = line.starts_with("    ");
      CHECK((is_code || !std::regex_search(line, markup)));
    }
  }
}

TEST_CASE("each finding is explained by its page") {
  for (const std::string& id : finding_ids()) {
    const Reply reply = explain::explain(id, kDocs, {});
    INFO(id);
    CHECK(reply.status == 0);
    CHECK(reply.err.empty());
    CHECK(reply.out.starts_with(id + "\n===="));
  }
}

TEST_CASE("a page is found by any spelling of its name") {
  for (const char* word : {"checking", "docs/checking.md", "Checking"}) {
    CHECK(explain::explain(word, kDocs, {}).out.starts_with("Checking a program\n===="));
  }
  CHECK(explain::explain("race_shared", kDocs, {}).out.starts_with("race-shared\n"));
  CHECK_THAT(explain::explain("race-shared", kDocs, {}).out, ContainsSubstring("See also, by warpfiber explain: "));
}

TEST_CASE("without a word all findings and pages are listed") {
  const Reply reply = explain::explain("", kDocs, {});
  CHECK(reply.status == 0);
  for (const std::string& id : finding_ids()) CHECK_THAT(reply.out, ContainsSubstring("\n  " + id + " "));
  for (const std::string& page : pages_in(kDocs)) CHECK_THAT(reply.out, ContainsSubstring("\n  " + page + " "));
}

TEST_CASE("an unknown id is answered with the one that is meant, and the list") {
  const Reply reply = explain::explain("rase-shared", kDocs, {});
  CHECK(reply.status == 1);
  CHECK(reply.out.empty());
  CHECK_THAT(reply.err, ContainsSubstring("'rase-shared' is not a finding or a page; did you mean 'race-shared'?") &&
                            ContainsSubstring("use-after-free"));
  CHECK_THAT(explain::explain("race", kDocs, {}).err,
             ContainsSubstring("did you mean 'race-dsmem', 'race-global' or 'race-shared'?"));
  CHECK_THAT(explain::explain("xyzzy", kDocs, {}).err, !ContainsSubstring("did you mean"));
  CHECK_THAT(explain::explain("trap", "/nowhere", {}).err, ContainsSubstring("/nowhere"));
}
