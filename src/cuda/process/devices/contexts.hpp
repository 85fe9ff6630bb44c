// SPDX-License-Identifier: Apache-2.0
// The contexts of CUDA's driver interface. A device has one primary context, which the runtime uses, and those that a
// program makes. Contexts of a device share its memory, streams and errors: what differs is only which one is current.
// Each OS thread has a stack of them. Whose current context is set works with its device, and the other way round.
// Invariant: handles are never reused, so a stale one is refused. Any thread may call.
#pragma once

#include <warpfiber/error.hpp>

struct CUctx_st;

namespace warpfiber::process {

using DeviceContext = CUctx_st;

/// cuInit. The runtime does it by itself.
void initialise_driver();
bool driver_is_initialised();

/// initialization_error, and device_uninitialized where no context is current, with the reasons.
Error driver_not_initialised();
Error no_current_context();

/// Null: none is current.
DeviceContext* current_context();
/// Null is accepted: then none is current.
Error set_current_context(DeviceContext* context);
Error push_context(DeviceContext* context);
Error pop_context(DeviceContext** context);

/// A context of the program's own, which becomes current.
Error make_context(DeviceContext** context, unsigned flags, int device);
Error destroy_context(DeviceContext* context);

/// What is known of a context that exists.
struct ContextFacts {
  int device = 0;
  unsigned flags = 0;
  unsigned long long id = 0;
};
Error context_facts(const DeviceContext* context, ContextFacts* facts);

/// Primary contexts have a reference count. One with a count of 0 that no thread has used is inactive.
DeviceContext* primary_context(int device);
Error retain_primary_context(DeviceContext** context, int device);
Error release_primary_context(int device);
Error set_primary_flags(int device, unsigned flags);
bool primary_is_active(int device);
void primary_is_reset(int device);

}  // namespace warpfiber::process
