// SPDX-License-Identifier: Apache-2.0
// How a launch ends before its threads have: the running thread reports a finding and its fiber is left for ever. No
// destructor of the kernel's objects runs then; the stacks are plain memory to the next launch.
#include <warpfiber/detail/claim.hpp>

#include <cxxabi.h>

#include <boost/core/demangle.hpp>
#include <exception>
#include <string>
#include <typeinfo>

#include "base/contract.hpp"
#include "engine/findings/findings.hpp"
#include "engine/worker.hpp"
#include "fiber/tools.hpp"

namespace warpfiber::engine {

void Worker::abandon_fiber() {
  detail::Fiber* self = running();
  enter_host();
  detail::switch_announced(self, &host_);
  WARPFIBER_CONTRACT(false, "a fiber that was left for ever is never resumed");
  __builtin_unreachable();
}

void Worker::fail_here(record::Finding finding) {
  grid_->fail(std::move(finding));
  abandon_fiber();
}

/// Counts what a block uses, and makes the variable look as fresh memory on the device may look: like anything.
void Worker::first_touch(const detail::SharedVariable& variable) {
  ResidentBlock& block = this->block();
  block.shared_touched[variable.index] = block.serial;
  memory::poison(block.shared + variable.offset, variable.bytes);
  if (observer_ != nullptr) observer_->undefine(block.shared + variable.offset, variable.bytes);
  block.shared_used += static_cast<unsigned>(variable.bytes);
  if (block.shared_used <= grid_->request.static_shared_limit) return;
  detail::current_thread.busy = true;
  fail_here(too_much_static_shared(*this, block.shared_used, variable.description));
}

/// The kernel threw: the launch ends once the handler, which must not be left by a switch, has been left.
void Worker::keep_exception() {
  detail::current_thread.busy = true;
  const std::string type = boost::core::demangle(abi::__cxa_current_exception_type()->name());
  try {
    throw;
  } catch (const std::exception& error) {
    grid_->fail(uncaught_exception(*this, type + ": " + error.what()));
  } catch (...) {
    grid_->fail(uncaught_exception(*this, type));
  }
}

}  // namespace warpfiber::engine
