// SPDX-License-Identifier: Apache-2.0
#include "runtime/explain.hpp"

#include <atomic>
#include <cstdio>
#include <mutex>
#include <set>
#include <utility>

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

/// What a program that never asks gets to see at its end.
class Unasked {
 public:
  ~Unasked() {
    if (!asked_ && !first_.empty()) print(first_ + " (the program did not ask for errors)");
  }

  void keep(const std::string& line) {
    const std::lock_guard lock(mutex_);
    if (first_.empty()) first_ = line;
  }
  void ask() { asked_.store(true, std::memory_order_relaxed); }

 private:
  std::mutex mutex_;
  std::string first_;
  std::atomic<bool> asked_{false};
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
      unasked().keep(line);
    }
  }
  return remember(error);
}

void program_asks() {
  unasked().ask();
}

Error unmodelled(const char* function) {
  static std::mutex mutex;
  static std::set<std::string>& told = *new std::set<std::string>;
  const std::lock_guard lock(mutex);
  if (told.insert(function).second) print(std::string(function) + " is not modelled: cudaErrorNotSupported");
  return Error::not_supported;
}

}  // namespace warpfiber::runtime
