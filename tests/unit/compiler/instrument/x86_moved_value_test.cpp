// SPDX-License-Identifier: Apache-2.0
// A value that compiled code only moves is told from one that it uses. The instructions are as g++ and clang++ make
// them behind the hook of a load.
#include "instrument/x86/moved_value.hpp"

#include <cstdint>
#include <initializer_list>
#include <vector>

#include "support/catch.hpp"

using namespace warpfiber::instrument::x86;

namespace {

class Code {
 public:
  Code& add(std::initializer_list<std::uint8_t> bytes) {
    bytes_.insert(bytes_.end(), bytes);
    return *this;
  }
  /// Whether a function of these instructions and a return only moves what it loads. Its calls go to hooks, or not.
  bool only_moves(bool calls_hooks = true) {
    std::vector<std::uint8_t> code = bytes_;
    code.push_back(0xc3);
    code.resize(code.size() + 64, 0xcc);
    return warpfiber::instrument::x86::only_moves(code.data(), [=](const std::uint8_t*) { return calls_hooks; });
  }

 private:
  std::vector<std::uint8_t> bytes_;
};

constexpr std::initializer_list<std::uint8_t> kLoadEbp = {0x8b, 0x6d, 0x00};                   // mov ebp, [rbp]
constexpr std::initializer_list<std::uint8_t> kLoad = {0x41, 0x8b, 0x2c, 0x24};                // mov ebp, [r12]
constexpr std::initializer_list<std::uint8_t> kLoadXmm0 = {0xf3, 0x0f, 0x10, 0x45, 0x00};      // movss xmm0, [rbp]
constexpr std::initializer_list<std::uint8_t> kSpill = {0xf3, 0x0f, 0x11, 0x44, 0x24, 0x0c};   // movss [rsp+12], xmm0
constexpr std::initializer_list<std::uint8_t> kReload = {0xf3, 0x0f, 0x10, 0x44, 0x24, 0x0c};  // movss xmm0, [rsp+12]
constexpr std::initializer_list<std::uint8_t> kCallHook = {0x48, 0x89, 0xdf, 0xe8,
                                                           0,    0x10, 0,    0};      // mov rdi, rbx; call
constexpr std::initializer_list<std::uint8_t> kStoreEbp = {0x89, 0x2b};               // mov [rbx], ebp
constexpr std::initializer_list<std::uint8_t> kStoreXmm0 = {0xf3, 0x0f, 0x11, 0x03};  // movss [rbx], xmm0

}  // namespace

TEST_CASE("a value that goes from a load to a store is moved", "[instrument]") {
  CHECK(Code().add(kLoadEbp).add(kCallHook).add(kStoreEbp).only_moves());
  CHECK(Code().add(kLoadXmm0).add(kSpill).add(kCallHook).add(kReload).add(kStoreXmm0).only_moves());
  // Another register takes it, and the first one holds something else then: mov eax, ebp; mov ebp, 1; add ebp, 1
  CHECK(Code().add(kLoadEbp).add({0x89, 0xe8, 0xbd, 1, 0, 0, 0, 0x83, 0xc5, 1, 0x89, 0x03}).only_moves());
}

TEST_CASE("a value that code computes with or looks at is used, though it is stored as well", "[instrument]") {
  const std::vector<std::initializer_list<std::uint8_t>> uses = {
      {0x85, 0xed},                                // test ebp, ebp
      {0x83, 0xfd, 0x05},                          // cmp ebp, 5
      {0x0f, 0x4f, 0xc5},                          // cmovg eax, ebp
      {0x8b, 0x04, 0xab},                          // mov eax, [rbx+rbp*4]
      {0x8d, 0x45, 0x01},                          // lea eax, [rbp+1]
      {0x48, 0x63, 0xc5},                          // movsxd rax, ebp
      {0xf3, 0x0f, 0x2a, 0xc5},                    // cvtsi2ss xmm0, ebp
      {0x89, 0xef, 0xe8, 0x00, 0x10, 0x00, 0x00},  // mov edi, ebp; call
      {0x75, 0x02, 0x89, 0x2b, 0x01, 0xe8},        // jne over the store; add eax, ebp
  };
  for (const auto& use : uses) CHECK_FALSE(Code().add(kLoadEbp).add(use).add(kStoreEbp).only_moves());
  CHECK_FALSE(Code().add(kLoadXmm0).add({0x0f, 0x2f, 0xc1}).add(kStoreXmm0).only_moves());                // comiss
  CHECK_FALSE(Code().add(kLoadXmm0).add({0xf3, 0x0f, 0x5f, 0xc1}).add(kStoreXmm0).only_moves());          // maxss
  CHECK_FALSE(Code().add(kLoadXmm0).add(kSpill).add({0xf3, 0x0f, 0x58, 0x4c, 0x24, 0x0c}).only_moves());  // addss
  CHECK_FALSE(Code().add({0x3b, 0x03}).add(kStoreEbp).only_moves());  // cmp eax, [rbx]
}

TEST_CASE("what is behind the store counts, and what other functions get", "[instrument]") {
  CHECK_FALSE(Code().add(kLoadEbp).add(kStoreEbp).add({0x01, 0xe8}).only_moves());  // add eax, ebp
  CHECK_FALSE(Code().add({0x8b, 0x45, 0x00}).only_moves());                         // mov eax, [rbp]; ret
  CHECK_FALSE(Code().add(kLoadXmm0).add(kSpill).add(kCallHook).add(kReload).add(kStoreXmm0).only_moves(false));
  CHECK(Code().add(kLoadEbp).add(kCallHook).add(kStoreEbp).only_moves(false));
}

TEST_CASE("a value goes around a loop", "[instrument]") {
  // The load, the store, and a jump back to the load.
  CHECK(Code().add(kLoad).add(kStoreEbp).add({0x75, 0xf8}).only_moves());
  // A jump to before the load: what was loaded before is compared.
  CHECK_FALSE(Code().add({0xeb, 0x02, 0x39, 0xe8}).add(kLoad).add(kStoreEbp).add({0x75, 0xf6}).only_moves());
}
