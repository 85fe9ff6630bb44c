// SPDX-License-Identifier: Apache-2.0
#include "engine/findings/findings.hpp"

#include <cstdio>

#include "base/text.hpp"
#include "engine/findings/calls.hpp"
#include "engine/worker.hpp"
#include "memory/global_heap.hpp"
#include "memory/objects.hpp"
#include "report/symbolise.hpp"

namespace warpfiber::engine {

using record::Finding;
using record::Party;
using record::Role;
using record::Verdict;

namespace {

std::string hexadecimal(const void* address) {
  char text[32];
  std::snprintf(text, sizeof text, "0x%zx", reinterpret_cast<std::uintptr_t>(address));
  return text;
}

/// The thread may be in a function of the runtime, or at the beginning of the one that the compiler makes of the whole
/// kernel, for which debug information has no line of the user's.
std::vector<record::Place> calls_of_overflow(const Worker& worker, const Fault& fault) {
  std::vector<record::Place> calls = calls_from(worker, fault.stack_pointer);
  // The signal interrupted the innermost function at the instruction itself, which is no call.
  const void* before = static_cast<const char*>(fault.instruction) - 1;
  if (!calls.empty() && calls.front().instruction == before) calls.erase(calls.begin());
  const KernelBody& kernel = worker.grid().request.body;
  if (kernel.file != nullptr) {
    calls.push_back({.file = kernel.file, .line = kernel.first_line, .function = worker.grid().request.facts.kernel});
  }
  return calls;
}

Finding stack_overflow(const Worker& worker, Party party) {
  Finding made;
  made.verdict = Verdict::stack_overflow;
  made.parties.push_back(std::move(party));
  made.parties.back().role = Role::overflow;
  made.why = "The thread overflowed its stack of " + base::bytes_text(worker.grid().request.stack_bytes) + ".";
  made.fix =
      "use a stack twice as large (WARPFIBER_STACK, LaunchConfig::stack_bytes), smaller local arrays or less recursion";
  return made;
}

/// What is at an address that cannot be accessed, as the end of a sentence.
std::string belonging(const void* address) {
  if (memory::is_null(address)) return "null, or a small offset from null";
  if (const auto allocation = memory::global_heap().find(address)) {
    return "near an allocation of " + base::bytes_text(allocation->bytes) + " at " + hexadecimal(allocation->base);
  }
  return "not near any allocation";
}

/// An access that faults because what was there has been freed.
void tell_freed(Finding& made, const memory::Object& freed, const void* address) {
  const auto before = [](const void* returns_to) {
    return returns_to == nullptr ? nullptr : static_cast<const char*>(returns_to) - 1;
  };
  made.verdict = Verdict::use_after_free;
  const auto offset = static_cast<std::size_t>(static_cast<const char*>(address) - freed.base);
  made.why = "The memory was freed before this access. The address was byte " + std::to_string(offset) +
             " of an allocation of " + base::bytes_text(freed.bytes) + ".";
  made.fix = "free it after the last kernel that uses it has ended";
  record::Object& about = made.object.emplace();
  about.address = reinterpret_cast<std::uintptr_t>(address);
  about.space = "global";
  about.bytes =
      record::Bytes{static_cast<std::uint64_t>(static_cast<const char*>(address) - freed.base), 1, freed.bytes};
  about.declared.instruction = before(freed.made_by);
  about.freed.instruction = before(freed.freed_by);
}

Role role_of(Fault::Access access) {
  switch (access) {
    case Fault::Access::read: return Role::read;
    case Fault::Access::write: return Role::write;
    case Fault::Access::call: return Role::call;
    case Fault::Access::unknown: return Role::access;
  }
  __builtin_unreachable();
}

Finding bad_access(const Fault& fault, Party party) {
  Finding made;
  made.verdict = Verdict::oob_global;
  party.role = role_of(fault.access);
  made.fix = "check the index against the extent, and the pointer against null, before the access";
  if (fault.access == Fault::Access::unknown) {
    party.what = "access";
    party.detail = "non-canonical address";
    made.why = "The address cannot be accessed. It is not canonical, so the processor does not report its value.";
  } else if (fault.access == Fault::Access::call) {
    party.what = "call of " + hexadecimal(fault.address);
    party.detail = "address " + hexadecimal(fault.address);
    made.why = "There is no function at the called address, which is " + belonging(fault.address) + ".";
    made.fix = "set the function pointer before the call; take the address of a device function in device code";
  } else {
    party.what = "access to " + hexadecimal(fault.address);
    party.detail = "address " + hexadecimal(fault.address);
    made.why = "The address cannot be accessed. It is " + belonging(fault.address) + ".";
    made.sanitizer_term = fault.access == Fault::Access::write ? "Invalid __global__ write" : "Invalid __global__ read";
    const std::optional<memory::Object> object = memory::object_at(fault.address);
    if (object.has_value() && object->freed) tell_freed(made, *object, fault.address);
  }
  made.parties.push_back(std::move(party));
  return made;
}

Finding stopped_by(Party party, const char* what, const char* why, const char* fix) {
  Finding made;
  made.verdict = Verdict::trap;
  party.role = Role::traps;
  party.what = what;
  made.parties.push_back(std::move(party));
  made.why = why;
  made.fix = fix;
  return made;
}

}  // namespace

Finding explain_fault(const Worker& worker, const Fault& fault) {
  Party party = party_at(worker, Role::traps, fault.instruction, "");
  Finding made;
  if (fault.kind == Fault::Kind::arithmetic) {
    made = stopped_by(std::move(party), "integer division",
                      "An integer was divided by zero, or the quotient is out of range. A device computes an undefined "
                      "value here and continues.",
                      "check the divisor before the division");
  } else if (fault.kind == Fault::Kind::floating_point) {
    made = stopped_by(std::move(party), "floating-point operation",
                      "The operation raised an exception for which a thread of the block has enabled traps. A device "
                      "has none: the operation gives infinity or NaN there.",
                      "do not call feenableexcept() or change MXCSR in device code");
  } else if (fault.kind == Fault::Kind::instruction) {
    made = stopped_by(std::move(party), "invalid instruction",
                      "The thread executed __builtin_trap(), or code that the compiler considered unreachable.",
                      "remove the call, or the undefined behaviour, at this line");
  } else if (const Finding* missing = worker.missing_block_at(fault.address); missing != nullptr) {
    made = *missing;
    party.role = role_of(fault.access);
    party.what = "access";
    made.parties.push_back(std::move(party));
  } else if (worker.stacks().overflowed_at(fault.address) != nullptr) {
    made = stack_overflow(worker, std::move(party));
    made.parties.back().stack = calls_of_overflow(worker, fault);
  } else {
    made = bad_access(fault, std::move(party));
  }
  made.launch = worker.grid().request.facts;
  return made;
}

}  // namespace warpfiber::engine
