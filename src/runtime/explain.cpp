// SPDX-License-Identifier: Apache-2.0
#include "runtime/explain.hpp"

#include <atomic>
#include <cstdio>
#include <mutex>
#include <set>
#include <utility>

#include "engine/findings/findings.hpp"
#include "runtime/checking/unwritten_copies.hpp"
#include "runtime/host/user_call.hpp"
#include "runtime/last_error.hpp"
#include "runtime/session.hpp"

namespace warpfiber::runtime {
namespace {

std::string& explanation() {
  thread_local std::string text;
  return text;
}

std::string& remarked() {
  thread_local std::string text;
  return text;
}

void print(const std::string& line) {
  if (!session().quiet) std::fprintf(stderr, "warpfiber: %s\n", line.c_str());
}

/// ", called at app.cu:12", where that is known.
std::string place_text(const UserCall& call) {
  const record::Place place = engine::place_of_call(call.returns_to);
  return place.known() ? ", called at " + place.file + ":" + std::to_string(place.line) : std::string();
}

// Read until the very end of the process.
constinit std::atomic<std::uint64_t> asked{0};
constinit std::atomic<std::uint64_t> named{0};

/// What a program that never asks gets to see at its end.
class Unasked {
 public:
  Unasked() { static_cast<void>(session()); }  // so that it is still there at the end
  ~Unasked() {
    if (asked == 0 && named == 0 && first_) first_();
  }

  void keep(std::function<void()> tell) {
    const std::lock_guard lock(mutex_);
    if (!first_) first_ = std::move(tell);
  }

 private:
  std::mutex mutex_;
  std::function<void()> first_;
};

Unasked& unasked() {
  static Unasked instance;
  return instance;
}

}  // namespace

Error because(Error error, std::string why) {
  explanation() = std::move(why);
  return error;
}

void remark(std::string what) {
  remarked() = std::move(what);
}

Error finish_call(const char* function, Error error) {
  // What a static object frees once the process ends is gone with it, and so is what is kept for reports.
  if (error == Error::cudart_unloading) return remember(error);
  std::string why = std::exchange(explanation(), {});
  const std::string aside = std::exchange(remarked(), {});
  if (error == Error::success) {
    if (!aside.empty() && session().verbose) print(std::string(function) + ": " + aside);
    return error;
  }
  std::string line = std::string(function) + ": " + error_name(error);
  if (!why.empty()) line += ": " + why;
  // Not ready is an answer, and what is not modelled has been told already.
  if (error != Error::not_ready && error != Error::not_supported) {
    if (session().verbose) {
      print(line);
    } else {
      tell_at_the_end(
          [line, call = user_call()] { print(line + place_text(call) + " (the program did not ask for errors)"); });
    }
  }
  return remember(error);
}

std::string reason() {
  return explanation();
}

void tell_at_the_end(std::function<void()> tell) {
  unasked().keep(std::move(tell));
}

void program_asks() {
  asked.fetch_add(1, std::memory_order_relaxed);
}

void program_names_error() {
  named.fetch_add(1, std::memory_order_relaxed);
}

TimesAsked times_asked() {
  return {asked, named};
}

Error unmodelled(const char* function) {
  expect_unwritten();
  static std::mutex mutex;
  static std::set<std::string>& told = *new std::set<std::string>;
  const std::lock_guard lock(mutex);
  if (told.insert(function).second) print(std::string(function) + " is not modelled: cudaErrorNotSupported");
  return Error::not_supported;
}

}  // namespace warpfiber::runtime
