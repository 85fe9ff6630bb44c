// SPDX-License-Identifier: Apache-2.0
//
// Keeps one explanation for each OS thread, which ends with the thread; a thread that has destroyed it uses another.
#include "process/explain.hpp"

#include "process/host_thread.hpp"
#include "process/thread_parts.hpp"

#include <utility>

namespace warpfiber::process {
namespace {

/// Of a thread that destroys static objects, and calls CUDA from there.
Explanation& late_explanation() {
  Explanation*& late = HostThreadState::of_caller().late_explanation;
  if (late == nullptr) late = new Explanation;
  return *late;
}

Explanation& explanation() {
  HostThreadState::of_caller().is_explained = true;
  Explanation* const own = own_part(&ThreadParts::explanation);
  return own != nullptr ? *own : late_explanation();
}

}  // namespace

Explanation take_explanation() {
  if (!is_explained()) return {};
  Explanation taken = std::exchange(explanation(), {});
  HostThreadState::of_caller().is_explained = false;
  return taken;
}

bool is_explained() {
  return HostThreadState::of_caller().is_explained;
}

Error fail(Error error, record::Reason why, record::Reason fix) {
  explanation().why = std::move(why);
  explanation().fix = std::move(fix);
  return error;
}

void leaves_unwritten(const void* address) {
  explanation().unwritten = address;
}

void warn_verbose(record::Reason what) {
  explanation().aside = std::move(what);
}

void finding_is_made() {
  explanation().has_finding = true;
}

Error from_earlier(Error error) {
  if (error != Error::success) explanation().is_earlier = true;
  return error;
}

void concerns_user() {
  explanation().concerns_user = true;
}

void forget_explanation() {
  static_cast<void>(take_explanation());
}

record::Reason reason_of_call() {
  return explanation().why;
}

}  // namespace warpfiber::process
