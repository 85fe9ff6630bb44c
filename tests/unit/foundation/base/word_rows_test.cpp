// SPDX-License-Identifier: Apache-2.0
#include "base/word_rows.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

#include "support/catch.hpp"

using warpfiber::base::differences;
using warpfiber::base::fill_counting;

TEST_CASE("rows of any length are filled and compared to their ends", "[base]") {
  for (std::size_t count = 0; count < 70; ++count) {
    INFO("count " << count);
    std::vector<std::uint64_t> words(count + 2, 7);
    fill_counting(words.data() + 1, count, 100, std::uint64_t{1} << 33);
    CHECK(words.front() == 7);
    CHECK(words.back() == 7);
    for (std::size_t i = 0; i < count; ++i) REQUIRE(words[i + 1] == 100 + (std::uint64_t{i} << 33));

    words.assign(count + 2, 7);
    words.front() = words.back() = ~std::uint64_t{0};
    CHECK(differences(words.data() + 1, count, 7) == 0);
    for (std::size_t i = 0; i < count; ++i) {
      words[i + 1] ^= std::uint64_t{1} << i % 64;
      REQUIRE(differences(words.data() + 1, count, 7) == std::uint64_t{1} << i % 64);
      words[i + 1] = 7;
    }
  }
}
