// SPDX-License-Identifier: Apache-2.0
//
// SIMD-in-a-word intrinsics: each against its definition on one lane, over every pair of bytes, and over corners and
// random pairs of halfwords, with different values in the other lanes so that carries between lanes show.
#include <algorithm>
#include <cstdlib>

#include <warpfiber/intrinsics/simd.hpp>

#include "support/catch.hpp"
#include "unit/execution/intrinsics/sample_inputs.hpp"

namespace {

/// One family: its two functions, whether lanes are signed, and what one lane is for lanes from `least` to `most`.
struct Family {
  const char* name;
  unsigned (*halves)(unsigned, unsigned);
  unsigned (*bytes)(unsigned, unsigned);
  bool is_signed;
  int (*lane)(int x, int y, int least, int most);
};

#define WARPFIBER_BINARY(name, is_signed, result)                                                  \
  {                                                                                                \
#name, name##2, name##4, is_signed,                                                            \
        [](int x, int y, int least, int most) -> int { return (void)least, (void)most, (result); } \
  }
#define WARPFIBER_UNARY(name, result)                                                                            \
  {                                                                                                              \
#name, [](unsigned a, unsigned) { return name##2(a); }, [](unsigned a, unsigned) { return name##4(a); }, true, \
   [](int x, int, int least, int most) -> int { return (void)least, (void)most, (result); } \
  }
#define WARPFIBER_RELATION(name, is_signed, holds)             \
  WARPFIBER_BINARY(__vcmp##name, is_signed, (holds) ? -1 : 0), \
      WARPFIBER_BINARY(__vset##name, is_signed, (holds) ? 1 : 0)

const Family kFamilies[] = {
    WARPFIBER_UNARY(__vabs, std::abs(x)),
    WARPFIBER_UNARY(__vabsss, std::min(std::abs(x), most)),
    WARPFIBER_UNARY(__vneg, 0 - x),
    WARPFIBER_UNARY(__vnegss, std::min(0 - x, most)),
    WARPFIBER_BINARY(__vadd, false, x + y),
    WARPFIBER_BINARY(__vaddss, true, std::clamp(x + y, least, most)),
    WARPFIBER_BINARY(__vaddus, false, std::clamp(x + y, least, most)),
    WARPFIBER_BINARY(__vsub, false, x - y),
    WARPFIBER_BINARY(__vsubss, true, std::clamp(x - y, least, most)),
    WARPFIBER_BINARY(__vsubus, false, std::clamp(x - y, least, most)),
    WARPFIBER_BINARY(__vavgs, true, static_cast<int>(std::round((x + y) / 2.0))),
    WARPFIBER_BINARY(__vavgu, false, static_cast<int>(std::round((x + y) / 2.0))),
    WARPFIBER_BINARY(__vhaddu, false, static_cast<int>(std::floor((x + y) / 2.0))),
    WARPFIBER_BINARY(__vabsdiffs, true, std::abs(x - y)),
    WARPFIBER_BINARY(__vabsdiffu, false, std::abs(x - y)),
    WARPFIBER_BINARY(__vmaxs, true, std::max(x, y)),
    WARPFIBER_BINARY(__vmaxu, false, std::max(x, y)),
    WARPFIBER_BINARY(__vmins, true, std::min(x, y)),
    WARPFIBER_BINARY(__vminu, false, std::min(x, y)),
    WARPFIBER_RELATION(eq, false, x == y),
    WARPFIBER_RELATION(ne, false, x != y),
    WARPFIBER_RELATION(ges, true, x >= y),
    WARPFIBER_RELATION(geu, false, x >= y),
    WARPFIBER_RELATION(gts, true, x > y),
    WARPFIBER_RELATION(gtu, false, x > y),
    WARPFIBER_RELATION(les, true, x <= y),
    WARPFIBER_RELATION(leu, false, x <= y),
    WARPFIBER_RELATION(lts, true, x < y),
    WARPFIBER_RELATION(ltu, false, x < y),
};

/// Lane `index` of a word as a number.
int lane_of(unsigned word, int index, int bits, bool is_signed) {
  const int value = static_cast<int>(word >> (index * bits) & ((1U << bits) - 1));
  return is_signed && value >= 1 << (bits - 1) ? value - (1 << bits) : value;
}

unsigned expected(const Family& family, int bits, unsigned a, unsigned b) {
  const int most = family.is_signed ? (1 << (bits - 1)) - 1 : (1 << bits) - 1;
  const int least = family.is_signed ? -most - 1 : 0;
  unsigned word = 0;
  for (int i = 0; i < 32 / bits; ++i) {
    const int x = lane_of(a, i, bits, family.is_signed);
    const int y = lane_of(b, i, bits, family.is_signed);
    word |= (static_cast<unsigned>(family.lane(x, y, least, most)) & ((1U << bits) - 1)) << (i * bits);
  }
  return word;
}

unsigned expected_sum(unsigned a, unsigned b, int bits, bool is_signed) {
  int sum = 0;
  for (int i = 0; i < 32 / bits; ++i) sum += std::abs(lane_of(a, i, bits, is_signed) - lane_of(b, i, bits, is_signed));
  return static_cast<unsigned>(sum);
}

/// Words that between them hold every byte in every lane, beside other bytes.
std::vector<unsigned> byte_words() {
  std::vector<unsigned> words;
  for (unsigned byte = 0; byte < 256; ++byte)
    words.push_back(byte | (byte ^ 0x80U) << 8 | (255 - byte) << 16 | ((byte * 7) & 255) << 24);
  return words;
}

std::vector<unsigned> half_words() {
  std::vector<unsigned> words = warpfiber::test::random_bits<unsigned>(150);
  const std::vector<short> corners = warpfiber::test::integer_corners<short>();
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const auto low = static_cast<unsigned short>(corners[i]);
    const auto high = static_cast<unsigned short>(corners[(i * 5 + 3) % corners.size()]);
    words.push_back(static_cast<unsigned>(high) << 16 | low);
  }
  return words;
}

}  // namespace

TEST_CASE("SIMD intrinsics on bytes do on each lane what their name says") {
  const std::vector<unsigned> words = byte_words();
  for (const Family& family : kFamilies) {
    INFO(family.name << 4);
    CHECK(warpfiber::test::first_difference(words, words, family.bytes,
                                            [&](unsigned a, unsigned b) { return expected(family, 8, a, b); }) == "");
  }
}

TEST_CASE("SIMD intrinsics on halfwords do on each lane what their name says") {
  const std::vector<unsigned> words = half_words();
  for (const Family& family : kFamilies) {
    INFO(family.name << 2);
    CHECK(warpfiber::test::first_difference(words, words, family.halves,
                                            [&](unsigned a, unsigned b) { return expected(family, 16, a, b); }) == "");
  }
}

TEST_CASE("sums of absolute differences add all lanes") {
  const auto check = [](const std::vector<unsigned>& words, auto function, int bits, bool is_signed) {
    CHECK(warpfiber::test::first_difference(words, words, function, [&](unsigned a, unsigned b) {
            return expected_sum(a, b, bits, is_signed);
          }) == "");
  };
  check(half_words(), __vsads2, 16, true);
  check(half_words(), __vsadu2, 16, false);
  check(byte_words(), __vsads4, 8, true);
  check(byte_words(), __vsadu4, 8, false);
}
