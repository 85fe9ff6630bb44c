// SPDX-License-Identifier: Apache-2.0
// What hooks and the handler of faults ask; what the thread runs meanwhile is in instrument/x86/steps.cpp.
#include "engine/leaving_out/leaving_out.hpp"

#include "engine/state/worker_state.hpp"
#include "instrument/x86/code_area.hpp"
#include "instrument/x86/steps.hpp"

namespace warpfiber::engine {

using instrument::x86::CodeArea;

bool has_left_out_most() {
  const WorkerState* worker = WorkerState::current();
  return worker != nullptr && worker->left_out.count >= kMostLeftOut;
}

bool can_leave_out(const void* code) {
  WorkerState* worker = WorkerState::current();
  if (worker == nullptr || !worker->left_out.is_allowed || has_left_out_most()) return false;
  return !worker->index_is_hidden() && CodeArea::of_this_thread(code) != nullptr;
}

bool begin_leaving_out(const void* code) {
  if (!can_leave_out(code)) return false;
  ++WorkerState::current()->left_out.count;
  return true;
}

const void* leave_out_refused(const std::uint8_t* code, instrument::x86::Registers& registers, const void* address) {
  const instrument::x86::MachineInstruction one = instrument::x86::decode(code);
  if (one.bytes == 0 || one.flow != instrument::x86::Flow::next) return nullptr;
  const std::uint8_t* const behind = code + one.bytes;
  if (one.strings != instrument::x86::Strings::none)
    return instrument::x86::skip_strings(one, registers, reinterpret_cast<std::uintptr_t>(address), 1) ? behind
                                                                                                       : nullptr;
  if (!one.has_memory || one.only_names) return nullptr;
  return CodeArea::known()->without_access(one, code, behind);
}

const void* operand_of(const std::uint8_t* code, const instrument::x86::Registers& registers) {
  const instrument::x86::MachineInstruction one = instrument::x86::decode(code);
  if (one.bytes == 0 || !one.has_memory || one.is_elsewhere || one.has_vector_index || one.is_scaled) return nullptr;
  return reinterpret_cast<const void*>(instrument::x86::operand_address(one, code, registers));
}

const std::uint8_t* original_of_copy(const void* instruction) {
  const CodeArea* area = CodeArea::known();
  return area != nullptr ? area->original_of(instruction) : nullptr;
}

bool was_judged(const void* address) {
  const instrument::x86::Leaving& judged = instrument::x86::leaving();
  return reinterpret_cast<std::uintptr_t>(address) - judged.address < judged.bytes;
}

}  // namespace warpfiber::engine
