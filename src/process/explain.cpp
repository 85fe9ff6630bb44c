// SPDX-License-Identifier: Apache-2.0
//
// Keeps one explanation for each OS thread, in a thread-local object; a thread that has destroyed it uses one on the
// heap.
#include "process/explain.hpp"

#include <utility>

namespace warpfiber::runtime {
namespace {

constinit thread_local bool is_said = false;

constinit thread_local bool is_gone = false;  // the thread's own explanation, and the thread soon as well

struct OwnExplanation : Explanation {
  OwnExplanation() = default;
  ~OwnExplanation() { is_gone = true; }
  OwnExplanation(const OwnExplanation&) = delete;
  OwnExplanation& operator=(const OwnExplanation&) = delete;
};

/// Of a thread that destroys static objects, and calls CUDA from there.
Explanation& late_explanation() {
  constinit thread_local static Explanation* instance = nullptr;
  if (instance == nullptr) instance = new Explanation;
  return *instance;
}

Explanation& explanation() {
  is_said = true;
  if (is_gone) return late_explanation();
  thread_local OwnExplanation instance;
  return instance;
}

}  // namespace

Explanation take_explanation() {
  if (!is_said) return {};
  Explanation taken = std::exchange(explanation(), {});
  is_said = false;
  return taken;
}

bool is_explained() {
  return is_said;
}

Error fail(Error error, std::string why, std::string fix) {
  explanation().why = std::move(why);
  explanation().fix = std::move(fix);
  return error;
}

void leaves_unwritten(const void* address) {
  explanation().unwritten = address;
}

void warn_verbose(std::string what) {
  explanation().aside = std::move(what);
}

void finding_is_made() {
  explanation().has_finding = true;
}

Error from_earlier(Error error) {
  if (error != Error::success) explanation().is_earlier = true;
  return error;
}

void forget_explanation() {
  static_cast<void>(take_explanation());
}

std::string reason() {
  return explanation().why;
}

}  // namespace warpfiber::runtime
