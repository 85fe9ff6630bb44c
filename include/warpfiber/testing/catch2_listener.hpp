// SPDX-License-Identifier: Apache-2.0
// Makes what is found the failure of the Catch2 test case in which it was found. With version 3 include it in any file
// of a program; with version 2 in the one that defines CATCH_CONFIG_MAIN or CATCH_CONFIG_RUNNER, behind catch.hpp, or
// define CATCH_CONFIG_EXTERNAL_INTERFACES before that. C++17. Source: docs/testing.md.
#pragma once
#if !defined(WARPFIBER_OWN_OBJECT) && !defined(__CUDACC__)
#pragma GCC system_header
#endif

#include <warpfiber/testing/running_test.h>

#ifndef CATCH_VERSION_MAJOR
#if __has_include(<catch2/catch_version_macros.hpp>)
#include <catch2/catch_version_macros.hpp>
#else
#define CATCH_CONFIG_EXTERNAL_INTERFACES
#include <catch2/catch.hpp>
#endif
#endif

#if CATCH_VERSION_MAJOR >= 3
#include <catch2/catch_assertion_info.hpp>
#include <catch2/catch_test_case_info.hpp>
#include <catch2/interfaces/catch_interfaces_capture.hpp>
#include <catch2/internal/catch_assertion_handler.hpp>
#include <catch2/reporters/catch_reporter_event_listener.hpp>
#include <catch2/reporters/catch_reporter_registrars.hpp>
#elif !defined(CATCH_CONFIG_EXTERNAL_INTERFACES)
#error CATCH_CONFIG_EXTERNAL_INTERFACES is to be defined before the first include of catch.hpp
#endif

namespace warpfiber::testing {

#if CATCH_VERSION_MAJOR >= 3
using Catch2ListenerBase = Catch::EventListenerBase;
#else
using Catch2ListenerBase = Catch::TestEventListenerBase;
#endif

class Catch2Listener : public Catch2ListenerBase {
 public:
  using Catch2ListenerBase::Catch2ListenerBase;
  Catch2Listener(const Catch2Listener&) = delete;
  Catch2Listener& operator=(const Catch2Listener&) = delete;
  ~Catch2Listener() override {
    if (reporting_ == this) reporting_ = nullptr;
  }

  /// Each file that includes this has registered a listener: the first of a run reports.
  void testCaseStarting(const Catch::TestCaseInfo& test) override {
    Catch2ListenerBase::testCaseStarting(test);
    if (reporting_ == nullptr) reporting_ = this;
    if (reporting_ == this) warpfiber_test_begins("", test.name.c_str(), 0);
  }

  void sectionStarting(const Catch::SectionInfo& section) override {
    Catch2ListenerBase::sectionStarting(section);
    ++depth_;
  }

  /// The outermost section is the test case, once for each way through its sections. Reporters still have it open when
  /// they get a failure.
  void sectionEnded(const Catch::SectionStats& section) override {
    Catch2ListenerBase::sectionEnded(section);
    if (--depth_ != 0 || reporting_ != this || is_dying_) return;
    const unsigned long errors = warpfiber_take_test_errors(section.assertions.failed != 0 ? 1 : 0);
    for (unsigned long i = 0; i < errors; ++i) fail(i, section.sectionInfo.lineInfo);
    // Reporters, which get the same object next, leave out sections without assertions.
    const_cast<Catch::SectionStats&>(section).assertions.failed += errors;
  }

  void testCaseEnded(const Catch::TestCaseStats& test) override {
    Catch2ListenerBase::testCaseEnded(test);
    depth_ = 0;
    if (reporting_ != this) return;
    const bool has_failed = test.totals.assertions.failed != 0;
    warpfiber_test_ends(has_failed ? WARPFIBER_TEST_FAILED : WARPFIBER_TEST_PASSED);
  }

  /// A signal ends the process, which prints what was found: Catch2 takes no assertion any more.
  void fatalErrorEncountered(Catch::StringRef error) override {
    Catch2ListenerBase::fatalErrorEncountered(error);
    is_dying_ = true;
  }

 private:
  static void fail(unsigned long error, const Catch::SourceLineInfo& otherwise) {
    const char* const file = warpfiber_test_error_file(error);
    const Catch::SourceLineInfo place =
        file == nullptr ? otherwise : Catch::SourceLineInfo(file, warpfiber_test_error_line(error));
    const Catch::AssertionInfo info{warpfiber_test_error_id(error), place, "",
                                    Catch::ResultDisposition::ContinueOnFailure};
    Catch::AssertionReaction not_here;  // nothing is left of the test case that could be ended
    Catch::getResultCapture().handleMessage(info, Catch::ResultWas::ExplicitFailure,
                                            std::string(warpfiber_test_error_report(error)), not_here);
  }

  static inline Catch2Listener* reporting_ = nullptr;
  unsigned depth_ = 0;
  bool is_dying_ = false;
};

CATCH_REGISTER_LISTENER(Catch2Listener)

}  // namespace warpfiber::testing
