// SPDX-License-Identifier: Apache-2.0
//
// The listener of warpfiber/testing/gtest_listener.hpp for checked programs that link GoogleTest and include no header
// of ours: errors are failures of the test in which they were found. GoogleTest's headers are those of the program, of
// any version, so its functions are named as the linker knows them, and are null where there are none. The places of
// two events in the table of virtual functions are found in the table of GoogleTest's own listener, as they differ
// between versions (checked with 1.8 to 1.18, from static and shared libraries).
#include "abi/hooks/judging.hpp"

#include <warpfiber/testing/running_test.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string>
#include <string_view>

namespace warpfiber::abi {

struct UnitTest;
struct Listeners;

/// testing::TestInfo begins so.
struct TestInfo {
  std::string suite;
  std::string name;
};

}  // namespace warpfiber::abi

#define WARPFIBER_OF_PROGRAM extern "C" __attribute__((weak))

// The names are GoogleTest's.
// NOLINTBEGIN(bugprone-reserved-identifier)

// testing::UnitTest::GetInstance(), listeners()
WARPFIBER_OF_PROGRAM warpfiber::abi::UnitTest* _ZN7testing8UnitTest11GetInstanceEv();
WARPFIBER_OF_PROGRAM warpfiber::abi::Listeners* _ZN7testing8UnitTest9listenersEv(warpfiber::abi::UnitTest* tests);
// testing::TestEventListeners::Append()
WARPFIBER_OF_PROGRAM void _ZN7testing18TestEventListeners6AppendEPNS_17TestEventListenerE(
    warpfiber::abi::Listeners* listeners, void* listener);
// testing::Test::HasFatalFailure(), HasNonfatalFailure(), IsSkipped(); the last since 1.10
WARPFIBER_OF_PROGRAM bool _ZN7testing4Test15HasFatalFailureEv();
WARPFIBER_OF_PROGRAM bool _ZN7testing4Test18HasNonfatalFailureEv();
WARPFIBER_OF_PROGRAM bool _ZN7testing4Test9IsSkippedEv();
// testing::UnitTest::AddTestPartResult(), until 1.17 and since 1.18
// clang-format off
WARPFIBER_OF_PROGRAM void
_ZN7testing8UnitTest17AddTestPartResultENS_14TestPartResult4TypeEPKciRKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEESC_(
    warpfiber::abi::UnitTest* tests, int type, const char* file, int line, const std::string& message,
    const std::string& stack);
WARPFIBER_OF_PROGRAM void
_ZN7testing8UnitTest17AddTestPartResultENS_14TestPartResult4TypeESt17basic_string_viewIcSt11char_traitsIcEEiRKNSt7__cxx1112basic_stringIcS5_SaIcEEESC_(
    warpfiber::abi::UnitTest* tests, int type, std::string_view file, int line, const std::string& message,
    const std::string& stack);
// clang-format on
// testing::internal::TestEventRepeater, which passes events on to all listeners: its table of virtual functions, and of
// those OnTestStart() and OnTestEnd()
WARPFIBER_OF_PROGRAM const void* const _ZTVN7testing8internal17TestEventRepeaterE[];
WARPFIBER_OF_PROGRAM void _ZN7testing8internal17TestEventRepeater11OnTestStartERKNS_8TestInfoE(
    void* repeater, const warpfiber::abi::TestInfo& test);
WARPFIBER_OF_PROGRAM void _ZN7testing8internal17TestEventRepeater9OnTestEndERKNS_8TestInfoE(
    void* repeater, const warpfiber::abi::TestInfo& test);

namespace warpfiber::abi {
namespace {

constexpr auto kGetInstance = _ZN7testing8UnitTest11GetInstanceEv;
constexpr auto kListenersOf = _ZN7testing8UnitTest9listenersEv;
constexpr auto kAppend = _ZN7testing18TestEventListeners6AppendEPNS_17TestEventListenerE;
constexpr auto kHasFatalFailure = _ZN7testing4Test15HasFatalFailureEv;
constexpr auto kHasNonfatalFailure = _ZN7testing4Test18HasNonfatalFailureEv;
constexpr auto kIsSkipped = _ZN7testing4Test9IsSkippedEv;
// clang-format off
constexpr auto kAddUntil17 =
    _ZN7testing8UnitTest17AddTestPartResultENS_14TestPartResult4TypeEPKciRKNSt7__cxx1112basic_stringIcSt11char_traitsIcESaIcEEESC_;
constexpr auto kAddSince18 =
    _ZN7testing8UnitTest17AddTestPartResultENS_14TestPartResult4TypeESt17basic_string_viewIcSt11char_traitsIcEEiRKNSt7__cxx1112basic_stringIcS5_SaIcEEESC_;
// clang-format on
constexpr auto kRepeatStart = _ZN7testing8internal17TestEventRepeater11OnTestStartERKNS_8TestInfoE;
constexpr auto kRepeatEnd = _ZN7testing8internal17TestEventRepeater9OnTestEndERKNS_8TestInfoE;
constexpr auto kRepeaterTable = _ZTVN7testing8internal17TestEventRepeaterE;
// NOLINTEND(bugprone-reserved-identifier)

constexpr int kNonFatalFailure = 1;      // testing::TestPartResult
constexpr std::size_t kBeforeTable = 2;  // words of a table of virtual functions in front of the first of them
constexpr std::size_t kSearched = 16;
constexpr std::size_t kSlots = 64;

void add_failure(const char* file, int line, const std::string& report) {
  if (kAddUntil17 != nullptr) return kAddUntil17(kGetInstance(), kNonFatalFailure, file, line, report, {});
  kAddSince18(kGetInstance(), kNonFatalFailure, file == nullptr ? std::string_view() : file, line, report, {});
}

bool has_failed() {
  return kHasFatalFailure() || kHasNonfatalFailure();
}

void nothing() {}

void test_begins(void*, const TestInfo& test) {
  warpfiber_test_begins(test.suite.c_str(), test.name.c_str(), 0);
}

/// Called before the printer of the results, so that it finds the test failed.
void test_ends(void*, const TestInfo&) {
  const unsigned long errors = warpfiber_take_test_errors(has_failed() ? 1 : 0);
  for (unsigned long i = 0; i < errors; ++i) {
    const char* const file = warpfiber_test_error_file(i);
    add_failure(file, file == nullptr ? -1 : static_cast<int>(warpfiber_test_error_line(i)),
                warpfiber_test_error_report(i));
  }
  const bool skipped = kIsSkipped != nullptr && kIsSkipped();
  warpfiber_test_ends(has_failed() ? WARPFIBER_TEST_FAILED : skipped ? WARPFIBER_TEST_SKIPPED : WARPFIBER_TEST_PASSED);
}

template <class Function>
const void* address_of(Function* function) {
  return reinterpret_cast<const void*>(function);
}

/// The place of a virtual function in the table of the repeater; kSearched where it is none of the first.
std::size_t slot_of(const void* function) {
  const void* const* const first = kRepeaterTable + kBeforeTable;
  return static_cast<std::size_t>(std::find(first, first + kSearched, function) - first);
}

bool has_google_test() {
  return (kAddUntil17 != nullptr || kAddSince18 != nullptr) && kGetInstance != nullptr && kListenersOf != nullptr &&
         kAppend != nullptr && kHasFatalFailure != nullptr && kHasNonfatalFailure != nullptr &&
         kRepeaterTable != nullptr && kRepeatStart != nullptr && kRepeatEnd != nullptr;
}

/// Its first word points to the first virtual function, of which GoogleTest calls all but those of two events in vain.
struct Listener {
  const void* const* functions;
};

}  // namespace

void listen_to_google_test() {
  if (!has_google_test()) return;
  const std::size_t start = slot_of(address_of(kRepeatStart));
  const std::size_t end = slot_of(address_of(kRepeatEnd));
  if (start == kSearched || end == kSearched || warpfiber_is_first_listener("GoogleTest") == 0) return;
  static std::array<const void*, kBeforeTable + kSlots> table;
  static Listener listener{table.data() + kBeforeTable};
  std::fill(table.begin() + kBeforeTable, table.end(), address_of(nothing));
  table[kBeforeTable + start] = address_of(test_begins);
  table[kBeforeTable + end] = address_of(test_ends);
  kAppend(kListenersOf(kGetInstance()), &listener);
}

}  // namespace warpfiber::abi
