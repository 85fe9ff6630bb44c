// SPDX-License-Identifier: Apache-2.0
#include "translate/text/tokens.hpp"

#include <string>
#include <vector>

#include "support/catch.hpp"
#include "translate/text/lines.hpp"

namespace warpfiber::translate {
namespace {

std::vector<std::string> spellings(std::string_view text) {
  const Tokens tokens(text);
  std::vector<std::string> all;
  for (std::size_t i = 0; i < tokens.size(); ++i) all.emplace_back(tokens.text(i));
  return all;
}

using Spellings = std::vector<std::string>;

TEST_CASE("identifiers, numbers, strings and marks are told apart") {
  CHECK(spellings("int a1=0x1F'ffp-3+1'000.5e+10f;") ==
        Spellings{"int", "a1", "=", "0x1F'ffp-3", "+", "1'000.5e+10f", ";"});
  CHECK(spellings("'a' '\\'' L'x' \"b\\\"c\" u8\"d\"s") ==
        Spellings{"'a'", "'\\''", "L'x'", "\"b\\\"c\"", "u8\"d\"", "s"});
  CHECK(spellings("a->b::c ... d<=>e") == Spellings{"a", "->", "b", "::", "c", "...", "d", "<=>", "e"});
}

TEST_CASE("letters of any language are letters, as themselves and as gcc's preprocessor writes them") {
  CHECK(spellings("größe<1") == Spellings{"größe", "<", "1"});
  CHECK(spellings("gr\\U000000f6\\u00DFe<1") == Spellings{"gr\\U000000f6\\u00DFe", "<", "1"});
  CHECK(spellings("\\U00006838<int>") == Spellings{"\\U00006838", "<", "int", ">"});
  for (const std::string incomplete : {"\\", "\\u", "\\u00f", "\\U000000f", "\\u00fg"})
    CHECK(spellings(incomplete).front() == "\\");
}

TEST_CASE("raw strings end at their delimiter") {
  CHECK(spellings("R\"x(a)\" <<< )x\" b") == Spellings{"R\"x(a)\" <<< )x\"", "b"});
  CHECK(spellings("LR\"(\n)\" c") == Spellings{"LR\"(\n)\"", "c"});
}

TEST_CASE("two closing angles are two tokens, so that they close two lists") {
  CHECK(spellings("A<B<int>>") == Spellings{"A", "<", "B", "<", "int", ">", ">"});
}

TEST_CASE("comments and directives are no tokens") {
  CHECK(spellings("a /* <<< */ b // c\n#pragma unroll\n# 3 \"x.cu\"\nd") == Spellings{"a", "b", "d"});
}

TEST_CASE("<<< and << < are a launch, but not after operator and not of four") {
  const auto launches = [](std::string_view text) {
    const Tokens tokens(text);
    std::size_t count = 0;
    for (const auto i : tokens.keywords()) count += tokens[i].keyword == Keyword::launch ? 1 : 0;
    return count;
  };
  CHECK(launches("k<<<1, 2>>>()") == 1);
  CHECK(launches("k<int><<<1, 2>>>()") == 1);
  CHECK(launches("friend S& operator<<<>(S&, int)") == 0);
  CHECK(launches("k << <1, 2>> >()") == 1);
  CHECK(launches("k<int><<\n<1, 2>>>()") == 1);
  CHECK(launches("k < <<1, 2>>>()") == 0);
  CHECK(launches("stream.operator<< <int>(1)") == 0);
  CHECK(launches("a <<<< b") == 0);
  CHECK(launches("\"<<<\" '<' R\"(<<<)\"") == 0);
}

TEST_CASE("brackets know their partners, whatever is missing") {
  const Tokens tokens("f ( a [ 1 ] ) { ( }");
  CHECK(tokens.match(1) == 6);
  CHECK(tokens.match(6) == 1);
  CHECK(tokens.match(3) == 5);
  CHECK(tokens.match(7) == 9);
  CHECK(tokens.match(8) == kNone);
}

TEST_CASE("line markers say where a token stands") {
  const std::string_view text = "a\n# 12 \"dir/b.cu\" 2\nb\n\n  c\n# 7 \"e\\\"f.h\" 1\nd";
  const Tokens tokens(text);
  const auto at = [&](std::size_t i) {
    const Position position = locate(tokens, tokens[i].begin);
    return std::string(position.file) + ":" + std::to_string(position.line) + ":" + std::to_string(position.column);
  };
  CHECK(at(0) == ":1:1");
  CHECK(at(1) == "dir/b.cu:12:1");
  CHECK(at(2) == "dir/b.cu:14:3");
  CHECK(at(3) == "e\\\"f.h:7:1");
}

}  // namespace
}  // namespace warpfiber::translate
