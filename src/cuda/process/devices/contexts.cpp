// SPDX-License-Identifier: Apache-2.0
//
// Keeps all contexts that were ever made. A thread whose stack is empty and that has used the runtime has the primary
// context of its device, and one that has chosen a device has that device's in place of the current one. They get their
// place in the stack where the stack is looked at.
#include "process/devices/contexts.hpp"

#include <algorithm>
#include <deque>
#include <vector>

#include "base/locks/annotated_mutex.hpp"
#include "process/current_device.hpp"
#include "process/explain.hpp"
#include "process/host_thread.hpp"
#include "process/process_state.hpp"
#include "process/thread_parts.hpp"

struct CUctx_st {
  warpfiber::process::ContextFacts facts{};
  unsigned users = 0;
  bool is_primary = false;
  bool exists = true;
};

namespace warpfiber::process {

struct Contexts {
  base::Mutex mutex;
  std::deque<DeviceContext> all WARPFIBER_GUARDED_BY(mutex);  // the primary ones first
};

struct ContextStack {
  std::vector<DeviceContext*> contexts;
};

namespace {

DeviceContext* add(Contexts& contexts, const ContextFacts& facts, bool is_primary) WARPFIBER_REQUIRES(contexts.mutex) {
  contexts.all.push_back({facts, 0, is_primary, true});
  contexts.all.back().facts.id = contexts.all.size();
  return &contexts.all.back();
}

Contexts& of_process() {
  Contexts& contexts = ProcessState::of_process().contexts.get();
  const base::Lock lock(contexts.mutex);
  if (contexts.all.empty()) {
    for (int device = 0; device < device_count(); ++device) add(contexts, {.device = device}, true);
  }
  return contexts;
}

Error no_such_context() {
  return fail(Error::device_uninitialized, {ReasonKind::handle_unknown, "context"});
}

bool exists(Contexts& contexts, const DeviceContext* context) {
  const base::Lock lock(contexts.mutex);
  return std::ranges::any_of(contexts.all, [=](const DeviceContext& one) { return &one == context && one.exists; });
}

/// The stack of the calling thread; null after the thread's end.
std::vector<DeviceContext*>* stack() {
  ContextStack* const own = own_part(&ThreadParts::contexts);
  if (own == nullptr) return nullptr;
  HostThreadState& thread = HostThreadState::of_caller();
  if (thread.chose_primary && !own->contexts.empty()) own->contexts.pop_back();
  thread.chose_primary = false;
  if (own->contexts.empty() && thread.uses_primary) own->contexts.push_back(primary_context(thread.device));
  return &own->contexts;
}

/// The thread works with the device of its current context.
void follow(const std::vector<DeviceContext*>& contexts) {
  HostThreadState& thread = HostThreadState::of_caller();
  thread.uses_primary = false;
  if (!contexts.empty()) thread.device = contexts.back()->facts.device;
}

}  // namespace

void initialise_driver() {
  if (!driver_is_initialised()) ProcessState::of_process().driver_is_initialised.store(true);
}

bool driver_is_initialised() {
  return ProcessState::of_process().driver_is_initialised.load();
}

Error driver_not_initialised() {
  return fail(Error::initialization_error, ReasonKind::driver_not_initialised);
}

Error no_current_context() {
  return fail(Error::device_uninitialized, ReasonKind::context_missing);
}

DeviceContext* current_context() {
  const std::vector<DeviceContext*>* const contexts = stack();
  return contexts == nullptr || contexts->empty() ? nullptr : contexts->back();
}

Error set_current_context(DeviceContext* context) {
  if (context != nullptr && !exists(of_process(), context)) return no_such_context();
  std::vector<DeviceContext*>* const contexts = stack();
  if (contexts == nullptr) return Error::cudart_unloading;
  if (!contexts->empty()) contexts->pop_back();
  if (context != nullptr) contexts->push_back(context);
  follow(*contexts);
  return Error::success;
}

Error push_context(DeviceContext* context) {
  if (!exists(of_process(), context)) return no_such_context();
  std::vector<DeviceContext*>* const contexts = stack();
  if (contexts == nullptr) return Error::cudart_unloading;
  contexts->push_back(context);
  follow(*contexts);
  return Error::success;
}

Error pop_context(DeviceContext** context) {
  std::vector<DeviceContext*>* const contexts = stack();
  if (contexts == nullptr || contexts->empty()) return no_current_context();
  if (context != nullptr) *context = contexts->back();
  contexts->pop_back();
  follow(*contexts);
  return Error::success;
}

Error make_context(DeviceContext** context, unsigned flags, int device) {
  if (context == nullptr) return fail(Error::invalid_value, ReasonKind::result_pointer_null);
  if (!is_device(device)) return no_such_device(device);
  Contexts& contexts = of_process();
  {
    const base::Lock lock(contexts.mutex);
    *context = add(contexts, {.device = device, .flags = flags}, false);
  }
  return push_context(*context);
}

Error destroy_context(DeviceContext* context) {
  Contexts& contexts = of_process();
  if (!exists(contexts, context) || context->is_primary) return no_such_context();
  if (current_context() == context) static_cast<void>(pop_context(nullptr));
  const base::Lock lock(contexts.mutex);
  context->exists = false;
  return Error::success;
}

Error context_facts(const DeviceContext* context, ContextFacts* facts) {
  Contexts& contexts = of_process();
  if (!exists(contexts, context)) return no_such_context();
  const base::Lock lock(contexts.mutex);
  *facts = context->facts;
  return Error::success;
}

DeviceContext* primary_context(int device) {
  Contexts& contexts = of_process();
  const base::Lock lock(contexts.mutex);
  return &contexts.all[static_cast<std::size_t>(device)];
}

Error retain_primary_context(DeviceContext** context, int device) {
  if (context == nullptr) return fail(Error::invalid_value, ReasonKind::result_pointer_null);
  if (!is_device(device)) return no_such_device(device);
  Contexts& contexts = of_process();
  *context = primary_context(device);
  const base::Lock lock(contexts.mutex);
  ++(*context)->users;
  return Error::success;
}

Error release_primary_context(int device) {
  if (!is_device(device)) return no_such_device(device);
  Contexts& contexts = of_process();
  DeviceContext* const primary = primary_context(device);
  const base::Lock lock(contexts.mutex);
  if (primary->users == 0) return fail(Error::device_uninitialized, ReasonKind::primary_not_retained);
  --primary->users;
  return Error::success;
}

Error set_primary_flags(int device, unsigned flags) {
  if (!is_device(device)) return no_such_device(device);
  Contexts& contexts = of_process();
  DeviceContext* const primary = primary_context(device);
  const base::Lock lock(contexts.mutex);
  primary->facts.flags = flags;
  return Error::success;
}

bool primary_is_active(int device) {
  const HostThreadState& thread = HostThreadState::of_caller();
  Contexts& contexts = of_process();
  const DeviceContext* const primary = primary_context(device);
  const base::Lock lock(contexts.mutex);
  return primary->users > 0 || (thread.uses_primary && thread.device == device);
}

void primary_is_reset(int device) {
  Contexts& contexts = of_process();
  DeviceContext* const primary = primary_context(device);
  const base::Lock lock(contexts.mutex);
  primary->facts.flags = 0;
}

}  // namespace warpfiber::process
