// SPDX-License-Identifier: Apache-2.0
#include "engine/signals/sample.hpp"

#include "support/catch.hpp"

namespace warpfiber::engine {
namespace {

/// Registers that hold a thousand times their number.
std::array<std::uint64_t, 16> numbered() {
  std::array<std::uint64_t, 16> registers{};
  for (std::size_t i = 0; i < registers.size(); ++i) registers[i] = 1000 * i;
  return registers;
}

struct Sample {
  std::array<unsigned char, 16> code;
  std::uint64_t address;
  bool writes;
};

}  // namespace

// The bytes are those that GNU as makes of the instructions beside them.
TEST_CASE("the address of a move of a vector is computed from its registers") {
  const Sample sample = GENERATE(
      Sample{{0x0F, 0x28, 0x00}, 0, false},                                          // movaps (%rax), %xmm0
      Sample{{0x0F, 0x29, 0x47, 0x08}, 7008, true},                                  // movaps %xmm0, 8(%rdi)
      Sample{{0x66, 0x0F, 0x6F, 0x4C, 0x91, 0xF8}, 8992, false},                     // movdqa -8(%rcx,%rdx,4), %xmm1
      Sample{{0x66, 0x41, 0x0F, 0x7F, 0x04, 0x24}, 12000, true},                     // movdqa %xmm0, (%r12)
      Sample{{0x43, 0x0F, 0x28, 0x84, 0xC8, 0x00, 0x01, 0x00, 0x00}, 80256, false},  // movaps 256(%r8,%r9,8), %xmm0
      Sample{{0xC5, 0xF8, 0x28, 0x06}, 6000, false},                                 // vmovaps (%rsi), %xmm0
      Sample{{0xC4, 0xC1, 0x79, 0x7F, 0x07}, 15000, true});                          // vmovdqa %xmm0, (%r15)
  const auto found = vector_access(sample.code.data(), numbered());
  REQUIRE(found.has_value());
  CHECK(found->address == sample.address);
  CHECK(found->writes == sample.writes);
}

TEST_CASE("other instructions move no vector that has to be aligned") {
  using Code = std::array<unsigned char, 16>;
  const Code code = GENERATE(Code{0x0F, 0x28, 0xC1},               // movaps %xmm1, %xmm0
                             Code{0x0F, 0x10, 0x00},               // movups (%rax), %xmm0
                             Code{0x0F, 0x6F, 0x00},               // movq (%rax), %mm0
                             Code{0x48, 0x8B, 0x00},               // mov (%rax), %rax
                             Code{0x0F, 0x28, 0x05, 0x10, 0, 0});  // movaps 16(%rip), %xmm0
  CHECK_FALSE(vector_access(code.data(), numbered()).has_value());
}

}  // namespace warpfiber::engine
