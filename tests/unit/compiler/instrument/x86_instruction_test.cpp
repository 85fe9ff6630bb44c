// SPDX-License-Identifier: Apache-2.0
// Instructions are decoded as binutils do it, and copies of them use other memory.
#include "instrument/x86/instruction.hpp"

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "support/catch.hpp"

using namespace warpfiber::instrument::x86;

namespace {

/// Bytes behind an instruction are read with it.
std::vector<std::uint8_t> padded(std::vector<std::uint8_t> code) {
  code.resize(code.size() + 2 * kMostBytes, 0x90);
  return code;
}

MachineInstruction decoded(const std::vector<std::uint8_t>& code) {
  return decode(padded(code).data());
}

#if defined(__x86_64__) && defined(__linux__)

struct Line {
  std::vector<std::uint8_t> bytes;
  std::string text;
};

/// Of "  401000:\t8b 03 \tmov    (%rbx),%eax".
Line read_line(const char* line) {
  Line made;
  const char* at = std::strchr(line, '\t');
  const char* const text = at == nullptr ? nullptr : std::strchr(at + 1, '\t');
  if (text == nullptr) return made;
  made.text = text + 1;
  for (++at; at < text; at += 3) {
    if (*at == ' ') break;
    made.bytes.push_back(static_cast<std::uint8_t>(std::strtoul(at, nullptr, 16)));
  }
  return made;
}

bool is_code(const Line& line) {
  return !line.bytes.empty() && line.text.find("(bad)") == std::string::npos && line.text.find('.') != 0;
}

#endif

}  // namespace

#if defined(__x86_64__) && defined(__linux__)
TEST_CASE("instructions of this program have the lengths and operands that objdump finds") {
  constexpr int kMost = 60'000;
  const std::string program = std::filesystem::read_symlink("/proc/self/exe");
  std::FILE* listing = popen(("objdump -d -j .text --insn-width=16 '" + program + "' | head -70000").c_str(), "r");
  REQUIRE(listing != nullptr);
  int seen = 0;
  int wrong = 0;
  char text[512];
  while (std::fgets(text, sizeof text, listing) != nullptr) {
    const Line line = read_line(text);
    if (!is_code(line) || seen == kMost) continue;
    ++seen;
    const MachineInstruction one = decoded(line.bytes);
    const std::string names = line.text.substr(0, line.text.find('#'));
    const bool is_x87 = names.find("%st") != std::string::npos;
    const bool has_operand = names.find('(') != std::string::npos && !is_x87;
    const bool is_plain = one.flow == Flow::next && one.strings == Strings::none && names.find("pop") != 0;
    const bool is_right = one.bytes == line.bytes.size() && (!is_plain || !has_operand || one.has_memory);
    if (!is_right && wrong++ < 5) UNSCOPED_INFO(text);
  }
  pclose(listing);
  CHECK(seen > 10'000);
  CHECK(wrong == 0);
}
#endif

TEST_CASE("an operand in memory is known by base, index, scale and displacement") {
  Registers registers{};
  registers.general[rbx] = 0x1000;
  registers.general[rcx] = 3;
  registers.general[12] = 0x2000;
  const auto address = [&](const std::vector<std::uint8_t>& code) {
    const std::vector<std::uint8_t> all = padded(code);
    const MachineInstruction one = decode(all.data());
    REQUIRE(one.bytes == code.size());
    REQUIRE(one.has_memory);
    return operand_address(one, all.data(), registers);
  };
  CHECK(address({0x8b, 0x03}) == 0x1000);                                // mov (%rbx),%eax
  CHECK(address({0x89, 0x44, 0x8b, 0xfc}) == 0x1008);                    // mov %eax,-4(%rbx,%rcx,4)
  CHECK(address({0xf3, 0x41, 0x0f, 0x10, 0x44, 0x24, 0x08}) == 0x2008);  // movss 8(%r12),%xmm0
  CHECK(address({0x8b, 0x04, 0x8d, 0x10, 0x00, 0x00, 0x00}) == 0x1c);    // mov 0x10(,%rcx,4),%eax
  CHECK(address({0xc5, 0xfc, 0x11, 0x84, 0x8b, 0, 1, 0, 0}) == 0x110c);  // vmovups %ymm0,0x100(%rbx,%rcx,4)
  CHECK(address({0xc7, 0x83, 4, 0, 0, 0, 7, 0, 0, 0}) == 0x1004);        // movl $7,4(%rbx)
  CHECK(address({0xf0, 0x0f, 0xc1, 0x03}) == 0x1000);                    // lock xadd %eax,(%rbx)
}

TEST_CASE("addresses that are only computed are no accesses") {
  CHECK(decoded({0x48, 0x8d, 0x04, 0x8b}).only_names);        // lea (%rbx,%rcx,4),%rax
  CHECK(decoded({0x0f, 0x1f, 0x44, 0x00, 0x00}).only_names);  // nopl 0(%rax,%rax)
  CHECK_FALSE(decoded({0x8b, 0x03}).only_names);
}

TEST_CASE("jumps are followed, and what leaves the function is told") {
  CHECK(decoded({0x75, 0x10}).flow == Flow::conditional);
  CHECK(decoded({0x75, 0x10}).target == 0x12);
  CHECK(decoded({0x0f, 0x84, 0xfa, 0xff, 0xff, 0xff}).target == 0);
  CHECK(decoded({0xe9, 0x00, 0x01, 0x00, 0x00}).flow == Flow::jump);
  CHECK(decoded({0xe8, 0x00, 0x01, 0x00, 0x00}).flow == Flow::elsewhere);
  CHECK(decoded({0xc3}).flow == Flow::elsewhere);
  CHECK(decoded({0xff, 0x10}).flow == Flow::elsewhere);  // call *(%rax)
  CHECK(decoded({0xff, 0x30}).flow == Flow::next);       // push (%rax)
  constexpr std::uint64_t kZero = 0x40;
  constexpr std::uint64_t kSign = 0x80;
  CHECK(holds(0x4, kZero));
  CHECK_FALSE(holds(0x5, kZero));
  CHECK(holds(0xc, kSign));
  CHECK(holds(0xe, kZero));
  CHECK_FALSE(holds(0xf, kZero));
}

TEST_CASE("string instructions say how much they move") {
  const MachineInstruction moves = decoded({0xf3, 0x48, 0xa5});
  CHECK(moves.strings == Strings::move);
  CHECK(moves.repeats);
  CHECK(moves.width == 8);
  CHECK(decoded({0xf3, 0xaa}).strings == Strings::store);
  CHECK(decoded({0xa7}).strings == Strings::other);
}

TEST_CASE("gathers have several operands") {
  CHECK(decoded({0xc4, 0xe2, 0x69, 0x92, 0x04, 0x88}).has_vector_index);  // vgatherdps %xmm2,(%rax,%xmm1,4),%xmm0
}

TEST_CASE("a copy uses the memory that it is given") {
  std::uint8_t place[64];
  alignas(8) std::uint8_t memory[8] = {};
  const auto copy = [&](const std::vector<std::uint8_t>& code) {
    const std::vector<std::uint8_t> all = padded(code);
    const MachineInstruction one = decode(all.data());
    const unsigned bytes = with_operand(one, all.data(), place, memory);
    REQUIRE(bytes != 0);
    const MachineInstruction copied = decode(padded({place, place + bytes}).data());
    CHECK(copied.bytes == bytes);
    CHECK(copied.is_relative);
    const MachineInstruction there = decode(place);
    CHECK(operand_address(there, place, Registers{}) == reinterpret_cast<std::uintptr_t>(memory));
    return std::vector<std::uint8_t>(place, place + bytes);
  };
  CHECK(copy({0x41, 0x8b, 0x04, 0x24})[0] == 0x40);                       // mov (%r12),%eax
  CHECK(copy({0xc7, 0x43, 0x04, 7, 0, 0, 0}).back() == 0);                // movl $7,4(%rbx)
  CHECK(copy({0x66, 0x41, 0xc7, 0x04, 0x24, 7, 1}).back() == 1);          // movw $0x107,(%r12)
  CHECK((copy({0xc4, 0x81, 0x7a, 0x10, 0x04, 0x8c})[1] & 0x60) == 0x60);  // vmovss (%r12,%r9,4),%xmm0
}
