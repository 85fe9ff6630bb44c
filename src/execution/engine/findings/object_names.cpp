// SPDX-License-Identifier: Apache-2.0
//
// Debug information says what the program calls memory. A fiber has too little stack to read it.
#include "engine/findings/findings.hpp"

#include <string>
#include <utility>
#include <variant>

#include "base/locks/annotated_mutex.hpp"
#include "check/objects/named_memory.hpp"
#include "engine/state/worker_state.hpp"
#include "record/diagnosis.hpp"
#include "record/stack_depot.hpp"

namespace warpfiber::engine {
namespace {

using record::Finding;
using record::ObjectFacts;

const record::NearAddress* near_of(const Finding& finding) {
  const auto* called = std::get_if<record::CalledAddress>(finding.diagnosis.get());
  if (called != nullptr) return &called->near;
  const auto* accessed = std::get_if<record::AddressInaccessible>(finding.diagnosis.get());
  return accessed == nullptr ? nullptr : &accessed->near;
}

ObjectFacts facts_of(const Finding& finding, const check::NamingContext& context) {
  const auto* address = reinterpret_cast<const char*>(finding.object->address);
  if (const record::NearAddress* near = near_of(finding); near != nullptr)
    return check::facts_near(address, address - near->offset, context);
  ObjectFacts facts = check::facts_of_word(address, context);
  facts.value.clear();
  return facts;
}

void put_name(record::HeldDiagnosis& diagnosis, const std::string& name) {
  if (auto* copy = std::get_if<record::CopyMisused>(diagnosis.get()); copy != nullptr) copy->name = name;
  if (auto* matrix = std::get_if<record::MatrixMisused>(diagnosis.get()); matrix != nullptr) matrix->name = name;
  if (auto* phase = std::get_if<record::PhaseMisused>(diagnosis.get()); phase != nullptr) phase->name = name;
}

void name_object(Finding& finding, const GridRequest& request) {
  const bool has_only_address = finding.object.has_value() && finding.object->space.empty();
  if (!has_only_address) return;
  check::ReachableMemory reach;
  reach.begin(request.closure, request.closure_bytes, request.kernel);
  const std::vector<std::uintptr_t> code = code_of(finding.parties.front());
  ObjectFacts facts = facts_of(finding, {reach, code});
  if (facts.space.empty()) {
    finding.object.reset();
    return;
  }
  if (!facts.bytes.has_value()) put_name(finding.diagnosis, facts.name);
  finding.object = std::move(facts);
}

}  // namespace

std::vector<std::uintptr_t> code_of(const record::Party& party) {
  std::vector<std::uintptr_t> code;
  if (party.place.instruction != nullptr) code.push_back(reinterpret_cast<std::uintptr_t>(party.place.instruction));
  for (const std::uintptr_t returns_to : record::StackDepot::of_process().at(party.returns))
    code.push_back(returns_to - 1);
  return code;
}

void name_object_of_failure(const WorkerState& worker) {
  Grid& grid = worker.grid();
  const base::Lock lock(grid.mutex);
  if (grid.failed_on == &worker) name_object(*grid.finding, grid.request);
  for (LeftOutFault& fault : grid.left_out_faults) {
    if (fault.on == &worker) name_object(fault.finding, grid.request);
  }
}

}  // namespace warpfiber::engine
