// SPDX-License-Identifier: Apache-2.0
//
// The table: Intel SDM, volume 2, ADD, JZ, RET and ENDBR64. A REP before a RET is for old processors.
#include "instrument/marked_instructions.hpp"

#include <warpfiber/detail/counted_access.hpp>

#include <algorithm>
#include <cstddef>

#include "base/targets.hpp"

namespace warpfiber::instrument {
namespace {

static_assert(detail::counted_step < (std::uint64_t{1} << 31), "fits the instruction's operand");

constexpr std::uint16_t step_byte(unsigned index) {
  return static_cast<std::uint16_t>(detail::counted_step >> 8 * index & 0xff);
}

// addq $counted_step, %fs:counter, with four bytes for the place of the counter
constexpr std::uint16_t kCountAccess[] = {0x64,         0x48,         0x81,        0x04,     0x25,
                                          kAnyByte,     kAnyByte,     kAnyByte,    kAnyByte, step_byte(0),
                                          step_byte(1), step_byte(2), step_byte(3)};
constexpr std::uint16_t kJumpIfEqual[] = {0x74, kAnyByte};  // and how far, with a sign
constexpr std::uint16_t kReturn[] = {0xc3};
constexpr std::uint16_t kRepeatedReturn[] = {0xf3, 0xc3};
constexpr std::uint16_t kTargetReturn[] = {0xf3, 0x0f, 0x1e, 0xfa, 0xc3};
constexpr std::uint16_t kTargetRepeatedReturn[] = {0xf3, 0x0f, 0x1e, 0xfa, 0xf3, 0xc3};

struct TableRow {
  MarkedInstruction instruction;
  Encoding encoding;
};
constexpr TableRow kTable[] = {
    {MarkedInstruction::count_access, kCountAccess}, {MarkedInstruction::jump_if_may_count, kJumpIfEqual},
    {MarkedInstruction::only_return, kReturn},       {MarkedInstruction::only_return, kRepeatedReturn},
    {MarkedInstruction::only_return, kTargetReturn}, {MarkedInstruction::only_return, kTargetRepeatedReturn}};

constexpr bool kReadsCode = base::kIsX86;

bool fits(Encoding encoding, const unsigned char* code) {
  return std::equal(encoding.begin(), encoding.end(), code, [](std::uint16_t expected, unsigned char byte) {
    return expected == kAnyByte || expected == byte;
  });
}

bool is_at(MarkedInstruction instruction, const unsigned char* code) {
  return kReadsCode && std::ranges::any_of(kTable, [=](const TableRow& row) {
           return row.instruction == instruction && fits(row.encoding, code);
         });
}

}  // namespace

Encoding encoding_of(MarkedInstruction instruction) {
  return kReadsCode ? std::ranges::find(kTable, instruction, &TableRow::instruction)->encoding : Encoding{};
}

bool counts_access(const void* code) {
  const auto* at = static_cast<const unsigned char*>(code);
  if (is_at(MarkedInstruction::jump_if_may_count, at)) at += std::size(kJumpIfEqual) + static_cast<signed char>(at[1]);
  return is_at(MarkedInstruction::count_access, at);
}

bool does_nothing(const void* code) {
  return code != nullptr && is_at(MarkedInstruction::only_return, static_cast<const unsigned char*>(code));
}

}  // namespace warpfiber::instrument
