// SPDX-License-Identifier: Apache-2.0
//
// The sentences of findings, made from their facts. What needs lines of the source as well, the fix of a race, is made
// by fixes/fix.hpp after that.
#pragma once

#include <string>
#include <string_view>

#include "record/diagnosis.hpp"
#include "record/finding.hpp"

namespace warpfiber::report {

/// Sets `why`, `fix` and `sanitizer_term` of a finding, and `detail` of its parties, from its diagnosis and their
/// notes. Where there is none they stay as they are. Called once for each finding, before it is printed.
void explain(record::Finding& finding);

/// What is wrong, and the smallest change that mends it.
struct Sentences {
  std::string why;
  std::string fix;
  std::string sanitizer_term{};  // kInvalidAccess where "read" or "write" is to follow
};

/// In place of the catalogue's term of oob_global, to which "read" or "write" is added.
inline constexpr std::string_view kInvalidAccess = "access";

Sentences sentences_of(record::Mistake mistake);

// One for each of record::Diagnosis.
Sentences sentences_of(const record::OutsideAccess& access);
Sentences sentences_of(const record::OutsideIndex& index);
Sentences sentences_of(const record::UnorderedLaunches& launches);
Sentences sentences_of(const record::HostVariable& variable);
Sentences sentences_of(const record::WideBarriersDiffer& differ);
Sentences sentences_of(const record::CallerOutsideMask& caller);
Sentences sentences_of(const record::GridTooLarge& grid);
Sentences sentences_of(const record::ClusterRankTooLarge& rank);
Sentences sentences_of(const record::StaticSharedTooLarge& used);
Sentences sentences_of(const record::HostMemoryExhausted& exhausted);
Sentences sentences_of(const record::ThreadWithoutEnd& thread);
Sentences sentences_of(const record::LaunchWithoutProgress& launch);
Sentences sentences_of(const record::TimeLimitReached& limit);
Sentences sentences_of(const record::BlocksNotResident& blocks);
Sentences sentences_of(const record::GridsReturned& returned);
Sentences sentences_of(const record::CallsOfMaskDiffer& calls);
Sentences sentences_of(const record::PhaseIncomplete& phase);
Sentences sentences_of(const record::BarrierSkipped& skipped);
Sentences sentences_of(const record::StackOverflowed& overflow);
Sentences sentences_of(const record::AddressInaccessible& address);
Sentences sentences_of(const record::CalledAddress& address);
Sentences sentences_of(const record::UnknownInstruction& instruction);
Sentences sentences_of(const record::FreedAllocation& freed);
Sentences sentences_of(const record::EndedLocal& local);
Sentences sentences_of(const record::SplitBarrierMisused& misuse);
Sentences sentences_of(const record::NamedBarrierCount& count);
Sentences sentences_of(const record::PhaseMisused& misuse);
Sentences sentences_of(const record::SurfaceMisused& misuse);
Sentences sentences_of(const record::CopyMisused& misuse);
Sentences sentences_of(const record::MatrixMisused& misuse);
Sentences sentences_of(const record::DeviceVariableOnHost& variable);
Sentences sentences_of(const record::UnwrittenCopy& copy);
Sentences sentences_of(const record::UnwrittenRows& rows);
Sentences sentences_of(const record::Leak& leak);
Sentences sentences_of(const record::KernelUnfinished& unfinished);
Sentences sentences_of(const record::HostFunctionsAsleep& asleep);
Sentences sentences_of(const record::SparseIndexOutside& outside);
Sentences sentences_of(const record::DeviceFailed& failed);
Sentences sentences_of(const record::StatedDiagnosis& stated);

/// "for thread 0 of their block"; empty for no note. `warp_size`: lanes of a warp of the launch.
std::string note_text(const record::PartyNote& note, unsigned warp_size);

}  // namespace warpfiber::report
