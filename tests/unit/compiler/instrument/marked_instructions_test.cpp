// SPDX-License-Identifier: Apache-2.0
// Which bytes of code the engine recognises.
#include "instrument/marked_instructions.hpp"

#include <warpfiber/detail/counted_access.hpp>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "support/catch.hpp"

using warpfiber::instrument::counts_access;
using warpfiber::instrument::does_nothing;
using warpfiber::instrument::encoding_of;
using warpfiber::instrument::kAnyByte;
using warpfiber::instrument::MarkedInstruction;
using Bytes = std::vector<unsigned char>;

namespace {

#if defined(__x86_64__) && defined(__linux__)
constexpr bool kReadsCode = true;
#else
constexpr bool kReadsCode = false;
#endif

bool is_empty(const Bytes& code) {
  return does_nothing(code.data());
}

/// The instruction that counts, with `counter` in place of the bytes that may be any.
Bytes count(unsigned char counter) {
  return {0x64, 0x48, 0x81, 0x04, 0x25, counter, counter, 0xff, 0xff, 0x01, 0x00, 0x04, 0x00};
}

Bytes operator+(Bytes front, const Bytes& back) {
  front.insert(front.end(), back.begin(), back.end());
  return front;
}

}  // namespace

TEST_CASE("a function that does nothing but return shows it") {
  CHECK(is_empty({0xc3}) == kReadsCode);
  CHECK(is_empty({0xf3, 0xc3}) == kReadsCode);
  CHECK(is_empty({0xf3, 0x0f, 0x1e, 0xfa, 0xc3}) == kReadsCode);
  CHECK(is_empty({0xf3, 0x0f, 0x1e, 0xfa, 0xf3, 0xc3}) == kReadsCode);
  CHECK_FALSE(is_empty({0x31, 0xc0, 0xc3}));
  CHECK_FALSE(is_empty({0xf3, 0x0f, 0x1e, 0xfa, 0x90, 0xc3}));
  CHECK_FALSE(is_empty({0xf3, 0x0f, 0x58, 0xc3}));
  CHECK_FALSE(is_empty({0xeb, 0xfe}));
  CHECK_FALSE(does_nothing(nullptr));
}

TEST_CASE("an instruction that counts is recognised whatever its counter is") {
  const auto counter = GENERATE(values<unsigned char>({0x00, 0x64, 0x74, 0xc3, 0xff}));
  CHECK(counts_access(count(counter).data()) == kReadsCode);
  CHECK_FALSE(counts_access(count(counter).data() + 1));
}

TEST_CASE("an addition to a thread-local variable that differs in one byte counts no access") {
  const auto place = GENERATE(values<std::size_t>({0, 1, 2, 3, 4, 9, 10, 11, 12}));
  Bytes code = count(0xe8);
  code[place] ^= 0x10;
  CHECK_FALSE(counts_access(code.data()));
}

TEST_CASE("a jump to an instruction that counts belongs to it, forwards and backwards") {
  const Bytes forwards = Bytes{0x74, 0x05, 0x90, 0x90, 0x90, 0x90, 0x90} + count(0xf0);
  const Bytes backwards = count(0xf0) + Bytes{0x74, 0xf1};
  CHECK(counts_access(forwards.data()) == kReadsCode);
  CHECK(counts_access(backwards.data() + 13) == kReadsCode);
  CHECK_FALSE(counts_access(forwards.data() + 2));
  const Bytes elsewhere = Bytes{0x74, 0x04, 0x90, 0x90, 0x90, 0x90, 0x90} + count(0xf0);
  CHECK_FALSE(counts_access(elsewhere.data()));
}

TEST_CASE("the encoding of the instruction that counts ends with the step of the counters") {
  const auto encoding = encoding_of(MarkedInstruction::count_access);
  REQUIRE(encoding.empty() == !kReadsCode);
  if (!kReadsCode) return;
  std::uint32_t step = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(encoding[encoding.size() - 8 + i] == kAnyByte);
    step |= static_cast<std::uint32_t>(encoding[encoding.size() - 4 + i]) << 8 * i;
  }
  CHECK(step == warpfiber::detail::counted_step);
}
