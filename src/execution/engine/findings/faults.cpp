// SPDX-License-Identifier: Apache-2.0
// Findings about processor exceptions: what the address belongs to, who accessed it, and how a stack overflowed. Runs
// in the signal handler of the fault.
#include "engine/findings/findings.hpp"

#include <string>

#include "base/text.hpp"
#include "check/objects/objects.hpp"
#include "engine/findings/calls.hpp"
#include "engine/state/worker_state.hpp"
#include "memory/host/host_addresses.hpp"
#include "memory/host/virtual_tables.hpp"
#include "memory/objects.hpp"
#include "record/diagnosis.hpp"
#include "record/stack_depot.hpp"

namespace warpfiber::engine {

using record::Finding;
using record::Mistake;
using record::Party;
using record::Role;
using record::Verdict;

namespace {

/// The thread may be in a function of the runtime, or at the beginning of the one that the compiler makes of the whole
/// kernel, for which debug information has no line of the user's.
void put_calls_of_overflow(const WorkerState& worker, const ProcessorFault& fault, Party& party) {
  record::StackDepot& depot = record::StackDepot::of_process();
  record::StackDepot::Addresses calls = depot.at(calls_from(worker, fault.stack_pointer));
  // The signal interrupted the innermost function at the instruction itself, which is no call.
  const auto interrupted = reinterpret_cast<std::uintptr_t>(fault.instruction);
  if (!calls.empty() && calls.front() == interrupted) calls = calls.subspan(1);
  party.returns = depot.add(calls);
  const KernelBody& kernel = worker.grid().request.body;
  if (kernel.file == nullptr) return;
  party.stack = {{.file = kernel.file, .line = kernel.first_line, .function = worker.grid().request.facts.kernel}};
}

Finding stack_overflow(const WorkerState& worker, Party party) {
  Finding made;
  made.verdict = Verdict::stack_overflow;
  made.parties.push_back(std::move(party));
  made.parties.back().role = Role::overflow;
  made.diagnosis = record::StackOverflowed{worker.grid().request.stack_bytes};
  return made;
}

/// An access that faults because what was there has been freed.
void put_freed(Finding& made, const memory::Object& freed, const void* address) {
  const auto before = [](const void* returns_to) {
    return returns_to == nullptr ? nullptr : static_cast<const char*>(returns_to) - 1;
  };
  made.verdict = Verdict::use_after_free;
  const auto offset = static_cast<std::uint64_t>(static_cast<const char*>(address) - freed.base);
  made.diagnosis = record::FreedAllocation{offset, freed.bytes};
  record::ObjectFacts& about = made.object.emplace();
  about.address = reinterpret_cast<std::uintptr_t>(address);
  about.space = "global";
  about.bytes = record::Bytes{offset, 1, freed.bytes};
  about.declared.instruction = before(freed.made_by);
  about.freed.instruction = before(freed.freed_by);
}

Role role_of(ProcessorFault::Access access) {
  switch (access) {
    case ProcessorFault::Access::read: return Role::read;
    case ProcessorFault::Access::write: return Role::write;
    case ProcessorFault::Access::call: return Role::call;
    case ProcessorFault::Access::unknown: return Role::access;
  }
  __builtin_unreachable();
}

/// An access to host memory by an address that the launch has put out of reach, and the launch.
Finding host_memory(const WorkerState& worker, const ProcessorFault& fault, const void* meant, Party party) {
  Finding made;
  made.verdict = Verdict::oob_global;
  const std::optional<memory::Object> object = memory::object_at(meant);
  const bool calls = fault.access == ProcessorFault::Access::call;
  const void* const table = calls ? nullptr : memory::virtual_table_with(meant);
  if (table != nullptr) {
    made.diagnosis = Mistake::host_virtual_table;
  } else if (object.has_value() || calls) {
    made.diagnosis = Mistake::host_name_of_device;
  } else {
    made.diagnosis = Mistake::pageable_host_memory;
  }
  party.role = role_of(fault.access);
  party.what = calls ? "call of " + base::address_text(meant) : "access to " + base::address_text(meant);
  if (table != nullptr) {
    party.detail = "the host's " + memory::class_of_virtual_table(table);
  } else if (object.has_value() && !object->name.empty()) {
    party.detail = "the host's " + object->name;
  } else {
    party.detail = "address " + base::address_text(meant);
  }
  made.parties.push_back(std::move(party));
  const record::LaunchOrder& order = worker.grid().request.order;
  if (order.returns_to == nullptr) return made;
  Party& launch = made.parties.emplace_back();
  launch.role = Role::call;
  launch.who.unit = record::Unit::host;
  launch.who.count = 1;
  launch.place.instruction = static_cast<const char*>(order.returns_to) - 1;
  launch.what = worker.grid().request.facts.kernel + "<<<>>>";
  launch.detail = "launches the kernel";
  return made;
}

/// An access of 16 bytes at once; the largest power of two that its address is a multiple of is less.
Finding misaligned(const ProcessorFault& fault, Party party) {
  Finding made;
  made.verdict = Verdict::misaligned;
  made.diagnosis = Mistake::access_misaligned;
  const auto address = reinterpret_cast<std::uintptr_t>(fault.address);
  party.role = role_of(fault.access);
  party.what = "access to " + base::address_text(fault.address);
  party.detail = "16 bytes at " + base::address_text(fault.address) + ", a multiple of " +
                 std::to_string(address & (~address + 1));
  if (check::near_address(fault.address).allocation != 0) made.object = record::ObjectFacts{.address = address};
  made.parties.push_back(std::move(party));
  return made;
}

Finding bad_access(const ProcessorFault& fault, Party party) {
  Finding made;
  made.verdict = Verdict::oob_global;
  party.role = role_of(fault.access);
  if (fault.access == ProcessorFault::Access::unknown) {
    party.what = "access";
    party.detail = "non-canonical address";
    made.diagnosis = Mistake::address_not_canonical;
    made.parties.push_back(std::move(party));
    return made;
  }
  const record::NearAddress nearby = check::near_address(fault.address);
  // name_object_of_failure() completes it.
  if (nearby.allocation != 0)
    made.object = record::ObjectFacts{.address = reinterpret_cast<std::uintptr_t>(fault.address)};
  if (fault.access == ProcessorFault::Access::call) {
    party.what = "call of " + base::address_text(fault.address);
    party.detail = "address " + base::address_text(fault.address);
    made.diagnosis = record::CalledAddress{nearby};
  } else {
    party.what = "access to " + base::address_text(fault.address);
    party.detail = "address " + base::address_text(fault.address);
    made.diagnosis = record::AddressInaccessible{nearby};
    const std::optional<memory::Object> object = memory::object_at(fault.address);
    if (object.has_value() && object->freed) put_freed(made, *object, fault.address);
  }
  made.parties.push_back(std::move(party));
  return made;
}

Finding stopped_by(Party party, const char* what, Mistake mistake) {
  Finding made;
  made.verdict = Verdict::trap;
  party.role = Role::traps;
  party.what = what;
  made.parties.push_back(std::move(party));
  made.diagnosis = mistake;
  return made;
}

}  // namespace

Finding explain_fault(const WorkerState& worker, const ProcessorFault& fault) {
  Party party = party_at(worker, Role::traps, fault.instruction, "");
  Finding made;
  if (fault.kind == FaultKind::arithmetic) {
    made = stopped_by(std::move(party), "integer division", Mistake::integer_division);
  } else if (fault.kind == FaultKind::floating_point) {
    made = stopped_by(std::move(party), "floating-point operation", Mistake::floating_point_trap);
  } else if (fault.kind == FaultKind::instruction) {
    made = stopped_by(std::move(party), "invalid instruction", Mistake::invalid_instruction);
  } else if (const Finding* missing = worker.missing_block_at(fault.address); missing != nullptr) {
    made = *missing;
    party.role = role_of(fault.access);
    party.what = "access";
    made.parties.push_back(std::move(party));
  } else if (worker.stacks.overflowed_at(fault.address) != nullptr) {
    made = stack_overflow(worker, std::move(party));
    put_calls_of_overflow(worker, fault, made.parties.back());
  } else if (fault.kind == FaultKind::misaligned) {
    made = misaligned(fault, std::move(party));
  } else if (const void* meant = memory::meant_by(fault.address); meant != nullptr) {
    made = host_memory(worker, fault, meant, std::move(party));
  } else {
    made = bad_access(fault, std::move(party));
  }
  made.launch = worker.grid().request.facts;
  return made;
}

}  // namespace warpfiber::engine
