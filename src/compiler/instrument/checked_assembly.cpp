// SPDX-License-Identifier: Apache-2.0
//
// Reads the text line by line. A request is the only operand of a directive. What is asked for is defined in front of
// the text; a call of a hook that counts becomes the instructions that do it.
#include "instrument/checked_assembly.hpp"

#include <warpfiber/detail/counted_access.hpp>

#include <algorithm>
#include <cstdint>
#include <initializer_list>

#include "instrument/marked_instructions.hpp"

namespace warpfiber::instrument {
namespace {

constexpr std::string_view kCounters = ".tdata,\"awT\",@progbits";  // a section of thread-local data
constexpr std::string_view kBlank = " \t\r\n";

/// A line without its comment: "call", "__tsan_read4@PLT".
struct AssemblyLine {
  std::string_view word;
  std::string_view operands;
};

std::string_view trimmed(std::string_view text) {
  const std::size_t begin = text.find_first_not_of(kBlank);
  if (begin == std::string_view::npos) return {};
  return text.substr(begin, text.find_last_not_of(kBlank) - begin + 1);
}

AssemblyLine parsed(std::string_view line) {
  const std::string_view text = trimmed(line.substr(0, line.find('#')));
  const std::size_t end = std::min(text.find_first_of(kBlank), text.size());
  return {text.substr(0, end), trimmed(text.substr(end))};
}

/// Calls `action` with each line and its end.
template <class Action>
void each_line(std::string_view text, const Action& action) {
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find('\n', begin), text.size() - 1) + 1;
    action(text.substr(begin, end - begin));
    begin = end;
  }
}

struct Requests {
  bool copies = false;
  bool counts = false;
  bool program_counts = false;
  bool any() const { return copies || counts || program_counts; }
};

Requests requests_in(std::string_view assembly) {
  Requests found;
  each_line(assembly, [&](std::string_view line) {
    const AssemblyLine statement = parsed(line);
    if (!statement.word.starts_with('.')) return;
    found.copies |= statement.operands == kCopiesRequest;
    found.counts |= statement.operands == kCountsRequest;
    found.program_counts |= statement.operands == kProgramCountsRequest;
  });
  return found;
}

void define(std::string& made, std::string_view symbol, std::string_view value) {
  made.append("\t.set\t").append(symbol).append(", ").append(value).append("\n");
}

std::string definitions(const Requests& requests) {
  std::string made;
  if (requests.copies) {
    define(made, kCopiesRequest, "0");
    for (const std::string_view function : {"memcpy", "memmove", "memset"}) {
      define(made, function, "__tsan_" + std::string(function));
    }
  }
  if (requests.counts) define(made, kCountsRequest, "0");
  if (requests.program_counts) define(made, kProgramCountsRequest, "0");
  return made;
}

/// What a hook for an access of four bytes has in its place where the access is counted; empty for all other functions.
std::string_view counting_hook(std::string_view function) {
  constexpr std::string_view kLinkage = "@PLT";
  if (function.ends_with(kLinkage)) function.remove_suffix(kLinkage.size());
  if (function == "__tsan_read4") return "warpfiber_read4";
  if (function == "__tsan_write4") return "warpfiber_write4";
  return {};
}

/// The instruction as MarkedInstruction::count_access: the assembler could choose a shorter one.
std::string counting_instruction() {
  std::string bytes;
  for (const std::uint16_t byte : encoding_of(MarkedInstruction::count_access)) {
    if (byte == kAnyByte) break;
    bytes += (bytes.empty() ? "" : ", ") + std::to_string(byte);
  }
  return bytes;
}

void append_lines(std::string& made, std::initializer_list<std::string> lines) {
  for (const std::string& line : lines) made.append(line).append("\n");
}

/// Adds threadIdx.x and .y in one load. Only in blocks of one row does a counter count, so its y is 0; with any other
/// the sum is no counter's, nor is it counted_nothing.
void append_index(std::string& made, bool in_program) {
  if (in_program) {
    append_lines(made, {"\taddq\t%fs:threadIdx@tpoff, %rax"});
  } else {
    append_lines(made, {"\tmovq\tthreadIdx@gottpoff(%rip), %rdx", "\taddq\t%fs:(%rdx), %rax"});
  }
}

/// An access whose address is in %rdi, the `number`th of the text.
void append_counted(std::string& made, std::string_view hook, std::size_t number, bool in_program) {
  const std::string id = std::to_string(number);
  const std::string counter = ".Lwarpfiber_counter" + id;
  const std::string next = ".Lwarpfiber_next" + id;
  const std::string over = ".Lwarpfiber_over" + id;
  append_lines(made, {"\t.pushsection\t" + std::string(kCounters), "\t.balign\t8", counter + ":",
                      "\t.quad\t" + std::to_string(static_cast<std::int64_t>(detail::counted_nothing)), "\t.popsection",
                      "\timulq\t$0x10000, %rdi, %rax"});
  append_index(made, in_program);
  append_lines(made,
               {"\tcmpq\t%rax, %fs:" + counter + "@tpoff", "\tje\t" + next, "\tmovq\t$" + counter + "@tpoff, %rsi",
                "\tcall\t" + std::string(hook), "\tjmp\t" + over, next + ":", "\t.byte\t" + counting_instruction(),
                "\t.long\t" + counter + "@tpoff, " + std::to_string(detail::counted_step), over + ":"});
}

}  // namespace

std::string with_checked_calls(std::string_view assembly) {
  const Requests requests = requests_in(assembly);
  if (!requests.any()) return std::string(assembly);
  std::string made = definitions(requests);
  std::size_t count = 0;
  each_line(assembly, [&](std::string_view line) {
    const AssemblyLine statement = parsed(line);
    const bool may_count = (requests.counts || requests.program_counts) && statement.word == "call";
    const std::string_view hook = may_count ? counting_hook(statement.operands) : std::string_view();
    if (hook.empty()) {
      made.append(line);
    } else {
      append_counted(made, hook, count++, requests.program_counts);
    }
  });
  return made;
}

}  // namespace warpfiber::instrument
