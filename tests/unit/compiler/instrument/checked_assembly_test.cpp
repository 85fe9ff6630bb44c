// SPDX-License-Identifier: Apache-2.0
// What the text of a checked file becomes before it is assembled.
#include "instrument/checked_assembly.hpp"

#include <string>
#include <string_view>

#include "instrument/marked_instructions.hpp"
#include "support/catch.hpp"

using warpfiber::instrument::kCopiesRequest;
using warpfiber::instrument::kCountsRequest;
using warpfiber::instrument::kProgramCountsRequest;
using warpfiber::instrument::with_checked_calls;

namespace {

std::string request(std::string_view symbol) {
  return "asks:\n\t.quad\t" + std::string(symbol) + "\n";
}

/// What `text` becomes with a request behind it, without what is put in front of it and without the request.
std::string made_of(const std::string& text, std::string_view symbol) {
  const std::string front = "\t.set\t" + std::string(symbol) + ", 0\n";
  const std::string made = with_checked_calls(text + request(symbol));
  REQUIRE(made.starts_with(front));
  REQUIRE(made.ends_with(request(symbol)));
  return made.substr(front.size(), made.size() - front.size() - request(symbol).size());
}

const std::string kCounted =
    "\t.pushsection\t.tdata,\"awT\",@progbits\n"
    "\t.balign\t8\n"
    ".Lwarpfiber_counter0:\n"
    "\t.quad\t-1\n"
    "\t.popsection\n"
    "\timulq\t$0x10000, %rdi, %rax\n"
    "\taddq\t%fs:threadIdx@tpoff, %rax\n"
    "\tcmpq\t%rax, %fs:.Lwarpfiber_counter0@tpoff\n"
    "\tje\t.Lwarpfiber_next0\n"
    "\tmovq\t$.Lwarpfiber_counter0@tpoff, %rsi\n"
    "\tcall\twarpfiber_read4\n"
    "\tjmp\t.Lwarpfiber_over0\n"
    ".Lwarpfiber_next0:\n"
    "\t.byte\t100, 72, 129, 4, 37\n"
    "\t.long\t.Lwarpfiber_counter0@tpoff, 262145\n"
    ".Lwarpfiber_over0:\n";

bool writes_marked_instructions() {
  using warpfiber::instrument::MarkedInstruction;
  return !warpfiber::instrument::encoding_of(MarkedInstruction::count_access).empty();
}

}  // namespace

TEST_CASE("assembly that asks for nothing stays as it is") {
  const auto* const text = GENERATE("", "\n", "\tcall\t__tsan_read4@PLT\n\tcall\tmemcpy@PLT",
                                    "\t.ascii\t\"warpfiber_option_B_is_missing_for_copies\"\n",
                                    "\tmovq\twarpfiber_option_B_is_missing_for_copies, %rax\n",
                                    "# .quad warpfiber_option_B_is_missing_for_copies\n");
  CHECK(with_checked_calls(text) == text);
}

TEST_CASE("copies and fills of memory are their hooks where that is asked for") {
  const std::string text = "\tcall\tmemcpy@PLT\n\tcall\t__tsan_read4@PLT\n" + request(kCopiesRequest);
  CHECK(with_checked_calls(text) ==
        "\t.set\twarpfiber_option_B_is_missing_for_copies, 0\n"
        "\t.set\tmemcpy, __tsan_memcpy\n"
        "\t.set\tmemmove, __tsan_memmove\n"
        "\t.set\tmemset, __tsan_memset\n" +
            text);
}

TEST_CASE("requests of several files in one text are one") {
  const std::string text = request(kCopiesRequest) + request(kCopiesRequest);
  const std::string made = with_checked_calls(text);
  CHECK(made.find(".set\tmemcpy") == made.rfind(".set\tmemcpy"));
  CHECK(made.ends_with(text));
}

TEST_CASE("an access of four bytes is counted, or calls a hook that is given the counter") {
  if (!writes_marked_instructions()) return;
  const auto* const call = GENERATE("\tcall\t__tsan_read4@PLT\n", "\tcall\t__tsan_read4\n", " call __tsan_read4@PLT\n",
                                    "\tcall\t__tsan_read4@PLT\t# \n");
  CHECK(made_of(call, kProgramCountsRequest) == kCounted);
}

TEST_CASE("where the runtime may be in a library, the place of threadIdx is looked up") {
  if (!writes_marked_instructions()) return;
  std::string expected = kCounted;
  const std::string known = "\taddq\t%fs:threadIdx@tpoff, %rax\n";
  expected.replace(expected.find(known), known.size(),
                   "\tmovq\tthreadIdx@gottpoff(%rip), %rdx\n\taddq\t%fs:(%rdx), %rax\n");
  CHECK(made_of("\tcall\t__tsan_read4\n", kCountsRequest) == expected);
}

TEST_CASE("each counted access has labels of its own") {
  const std::string made = made_of("\tcall\t__tsan_read4\n\tnop\n\tcall\t__tsan_write4\n", kCountsRequest);
  CHECK(made.find("\tcall\twarpfiber_read4\n\tjmp\t.Lwarpfiber_over0\n") != std::string::npos);
  CHECK(made.find(".Lwarpfiber_over0:\n\tnop\n") != std::string::npos);
  CHECK(made.find("\tcall\twarpfiber_write4\n\tjmp\t.Lwarpfiber_over1\n") != std::string::npos);
}

TEST_CASE("all other calls and lines stay where accesses are counted") {
  const std::string text =
      "\t.file\t\"a.cpp\"\n\tcall\t__tsan_read8@PLT\n\tcall\t__tsan_read4_pc\n\tcall\t*%rax\n\tcall\tmemcpy@PLT\n"
      "\tjmp\t__tsan_read4\n\t.quad\t__tsan_write4\n\tcallq\t__tsan_read4\n# call __tsan_read4\n\n";
  CHECK(made_of(text, kCountsRequest) == text);
}
