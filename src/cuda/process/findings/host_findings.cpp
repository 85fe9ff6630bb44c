// SPDX-License-Identifier: Apache-2.0
//
// Builds each finding from the user's call, the calls that led to it, and the object that an address belongs to.
#include "process/findings/host_findings.hpp"

#include <cstdint>
#include <string_view>
#include <utility>

#include "base/forking.hpp"
#include "memory/objects.hpp"
#include "process/findings/findings_log.hpp"
#include "process/host/host_calls.hpp"
#include "process/process_state.hpp"
#include "record/diagnosis.hpp"
#include "report/operations.hpp"

namespace warpfiber::process {
namespace {

/// What the program does in `call`.
record::Party party_of(const UserCall& call, record::Role role, std::string what) {
  record::Party party;
  party.role = role;
  party.who.unit = record::Unit::host;
  party.who.count = 1;
  // Of the call itself, which ends before the instruction that it returns to.
  if (call.returns_to != nullptr) party.place.instruction = static_cast<const char*>(call.returns_to) - 1;
  // What a stream does later is not what the calling thread is in.
  if (call.returns_to == user_call().returns_to) party.returns = host_calls(call.returns_to);
  party.what = std::move(what);
  return party;
}

record::Finding finding_of(record::Verdict verdict, record::Party party) {
  record::Finding made;
  made.verdict = verdict;
  made.parties.push_back(std::move(party));
  return made;
}

/// A launch that the program asks for now.
record::Finding finding_of_launch(const record::LaunchFacts& launch) {
  const record::OperationFacts kernel{.kind = record::OperationKind::kernel, .call = launch.kernel.c_str()};
  record::Finding made = finding_of(record::Verdict::launch_error,
                                    party_of(user_call(), record::Role::call, report::operation_text(kernel)));
  made.launch = launch;
  return made;
}

record::ObjectFacts memory_at(const void* address) {
  record::ObjectFacts object;
  object.address = reinterpret_cast<std::uintptr_t>(address);
  object.space = "global";
  const auto known = memory::object_at(address);
  if (!known.has_value()) return object;
  const auto last_byte = [](const void* returns_to) {
    return returns_to == nullptr ? nullptr : static_cast<const char*>(returns_to) - 1;
  };
  object.name = known->name;
  object.type = known->type;
  object.bytes =
      record::Bytes{static_cast<std::uint64_t>(static_cast<const char*>(address) - known->base), 0, known->bytes};
  object.declared = {.file = known->file, .line = known->line, .instruction = last_byte(known->made_by)};
  if (known->freed) object.freed.instruction = last_byte(known->freed_by);
  return object;
}

}  // namespace

record::Finding refused_launch(Error error, const record::Reason& reason, const record::LaunchFacts& launch) {
  record::Finding made = finding_of_launch(launch);
  made.diagnosis =
      record::StatedDiagnosis{.by = record::StatedDiagnosis::By::refused_launch, .reason = reason, .error = error};
  return made;
}

record::Finding host_functions_asleep(const std::vector<record::OperationFacts>& functions,
                                      const std::vector<UserCall>& waits) {
  record::Finding made;
  made.verdict = record::Verdict::deadlock;
  for (const record::OperationFacts& function : functions)
    made.parties.push_back(
        party_of({function.call, function.returns_to}, record::Role::call, report::operation_text(function)));
  for (const UserCall& call : waits) made.parties.push_back(party_of(call, record::Role::wait, call.function));
  made.diagnosis = record::HostFunctionsAsleep{static_cast<unsigned>(functions.size())};
  return made;
}

record::Finding refused_call(const char* function) {
  return finding_of(record::Verdict::refused_call, party_of(user_call(), record::Role::call, function));
}

record::Finding launch_after_failure(Error error, const record::LaunchFacts& launch) {
  record::Finding made = finding_of_launch(launch);
  if (error == Error::cudart_unloading) {
    made.diagnosis = record::Mistake::launch_at_exit;
  } else {
    made.diagnosis = record::DeviceFailed{error};
  }
  return made;
}

record::Finding host_memory_finding(record::Verdict verdict, const void* address, const UserCall& call) {
  record::Finding made = finding_of(verdict, party_of(call, record::Role::call, call.function));
  made.object = memory_at(address);
  return made;
}

record::Finding invalid_free(const void* address, const record::Reason& why, const UserCall& call) {
  record::Finding made = host_memory_finding(record::Verdict::invalid_free, address, call);
  made.diagnosis = record::StatedDiagnosis{.by = record::StatedDiagnosis::By::free, .reason = why};
  return made;
}

std::uint64_t begin_of_object(const void* address) {
  const auto object = memory::object_at(address);
  return object.has_value() ? reinterpret_cast<std::uintptr_t>(object->base) : 0;
}

record::Finding invalid_transfer(record::Verdict verdict, const void* address, bool writes, const void* destination,
                                 const record::Reason& why) {
  record::Finding made = finding_of(
      verdict, party_of(user_call(), writes ? record::Role::write : record::Role::read, user_call().function));
  made.object = memory_at(address);
  if (!made.object->bytes.has_value()) made.object->space = "host";
  made.left_unwritten = begin_of_object(destination);
  const bool sets = std::string_view(user_call().function).find("Memset") != std::string_view::npos;
  using By = record::StatedDiagnosis::By;
  made.diagnosis = record::StatedDiagnosis{.by = sets ? By::fill : By::copy, .reason = why};
  return made;
}

record::Finding unseen(record::Finding finding) {
  finding.severity = record::Severity::warning;
  finding.error_is_unseen = true;
  return finding;
}

bool host_is_checked() {
  return ProcessState::of_process().program_is_checked.load(std::memory_order_acquire) && !base::is_forked_child();
}

void report_host_finding(record::Finding finding) {
  log_finding(std::move(finding));
}

}  // namespace warpfiber::process
