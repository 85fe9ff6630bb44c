// SPDX-License-Identifier: Apache-2.0
// The sentences that are made of a finding's facts, and what is added to them.
#include "report/explain/explain.hpp"
#include "record/diagnosis.hpp"

#include <string>
#include <utility>

#include "support/catch.hpp"

using namespace warpfiber;
using record::Finding;
using record::Mistake;
using record::Verdict;

namespace {

Finding access(record::Role role, record::Diagnosis diagnosis, Verdict verdict = Verdict::oob_global) {
  Finding made{.verdict = verdict, .object = record::ObjectFacts{.space = "global"}, .diagnosis = std::move(diagnosis)};
  made.parties.push_back({.role = role});
  return made;
}

std::string term_of(Finding finding) {
  report::explain(finding);
  return finding.sanitizer_term;
}

}  // namespace

TEST_CASE("each mistake has a sentence, and a fix that is none") {
  for (std::size_t i = 0; i <= static_cast<std::size_t>(record::kLastMistake); ++i) {
    const report::Sentences sentences = report::sentences_of(static_cast<Mistake>(i));
    CAPTURE(sentences.why);
    CHECK(sentences.why.ends_with('.'));
    CHECK_FALSE(sentences.fix.ends_with('.'));
  }
}

TEST_CASE("the vendor's term names the space and what the access does") {
  using record::Role;
  CHECK(term_of(access(Role::read, record::OutsideAccess{})) == "Invalid __global__ read");
  CHECK(term_of(access(Role::write, record::OutsideAccess{}, Verdict::oob_shared)) == "Invalid __shared__ write");
  CHECK(term_of(access(Role::read, record::OutsideAccess{}, Verdict::oob_dsmem)) == "Invalid __remote_shared__ read");
  CHECK(term_of(access(Role::write, Mistake::freed_before_access, Verdict::use_after_free)) ==
        "Invalid __global__ write");
  CHECK(term_of(access(Role::write, record::OutsideIndex{}, Verdict::oob_index)).empty());
}

TEST_CASE("of a strong access that a mistake explains the term does not say whether it reads or writes") {
  Finding freed = access(record::Role::write, Mistake::freed_before_access, Verdict::use_after_free);
  freed.parties.front().strong = true;
  CHECK(term_of(freed) == "Invalid __global__");
  Finding outside = access(record::Role::write, record::OutsideAccess{});
  outside.parties.front().strong = true;
  CHECK(term_of(outside) == "Invalid __global__ write");
}

TEST_CASE("a finding without a diagnosis keeps what it says") {
  Finding made{.verdict = Verdict::trap, .why = "It stopped.", .fix = "let it run"};
  made.parties.push_back({.detail = "here"});
  report::explain(made);
  CHECK(made.why == "It stopped.");
  CHECK(made.fix == "let it run");
  CHECK(made.parties.front().detail == "here");
}

TEST_CASE("who could have helped, and what else is blocked, follows the diagnosis") {
  Finding made{.verdict = Verdict::deadlock,
               .diagnosis = record::Diagnosis(Mistake::memory_unchanged),
               .help = record::OutsideHelp{.by_process = false, .seconds = 30},
               .other_launches = record::OtherLaunches{.kept_out = {"a<<<>>>", "b<<<>>>"}, .blocked = {"c<<<>>>"}}};
  report::explain(made);
  CHECK(made.why ==
        "No runnable thread changes the memory that the spinning threads read. The memory could have been changed by a "
        "thread of the host, which has not happened for 30 seconds (WARPFIBER_WATCHDOG). Launched in other streams and "
        "waiting for a free SM: a<<<>>>, b<<<>>>. Also blocked, in other streams: c<<<>>>.");
  CHECK(made.fix.starts_with("use fewer blocks"));
}

TEST_CASE("notes name threads, arrivals and lanes") {
  using report::note_text;
  CHECK(note_text(record::AwaitedThreads{0, 0, false}, 32) == "for thread 0 of their block");
  CHECK(note_text(record::AwaitedThreads{1, 3, true}, 32) == "for threads 1-3 of their group");
  CHECK(note_text(record::AwaitedArrivals{.expected = 64, .pending = 32}, 32) ==
        "for 32 more arrivals: 32 of 64 have arrived");
  CHECK(note_text(record::AwaitedArrivals{.expected = 64, .bytes = -8}, 32) ==
        "for expect_tx of 8 bytes that were copied");
  CHECK(note_text(record::AwaitedLanes{.lanes = 2, .mask = 3}, 32) == "for lane 1 of mask 0x00000003");
  CHECK(note_text({}, 32).empty());
}

TEST_CASE("an address that cannot be accessed is so far from an allocation") {
  const auto why = [](std::int64_t offset) {
    return report::sentences_of(record::AddressInaccessible{{false, 0x1000, 64, offset}}).why;
  };
  CHECK(why(64) == "The address cannot be accessed. It is 1 byte past the end of an allocation of 64 bytes at 0x1000.");
  CHECK(why(71) ==
        "The address cannot be accessed. It is 8 bytes past the end of an allocation of 64 bytes at 0x1000.");
  CHECK(why(63) == "The address cannot be accessed. It is in an allocation of 64 bytes at 0x1000.");
  CHECK(why(-4) == "The address cannot be accessed. It is 4 bytes before an allocation of 64 bytes at 0x1000.");
}
