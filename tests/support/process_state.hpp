// SPDX-License-Identifier: Apache-2.0
// Tests of what holds for a whole process, in the process of the test: its environment, and what it prints.
#pragma once

#include <stdlib.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <iterator>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "runtime/reset.hpp"
#include "support/catch.hpp"

namespace warpfiber::test {

/// The process begins anew with Warpfiber's variables that are given, each as "NAME=VALUE", and no others, for as long
/// as this lives.
class OnlyVariables {
 public:
  /// With blanks between them.
  explicit OnlyVariables(const std::string& variables) : OnlyVariables(words_of(variables)) {}

  explicit OnlyVariables(const std::vector<std::string>& variables) {
    for (char** one = environ; *one != nullptr; ++one) {
      const std::string both = *one;
      if (both.starts_with("WARPFIBER_") || both.starts_with("CUDA_VISIBLE_DEVICES=") ||
          both.starts_with("NO_COLOR=")) {
        const std::size_t equals = both.find('=');
        before_[both.substr(0, equals)] = both.substr(equals + 1);
      }
    }
    for (const auto& [name, value] : before_) ::unsetenv(name.c_str());
    for (const std::string& both : variables) {
      const std::size_t equals = both.find('=');
      set_.push_back(both.substr(0, equals));
      ::setenv(set_.back().c_str(), both.c_str() + equals + 1, 1);
    }
    runtime::reset_process();
  }
  ~OnlyVariables() {
    for (const std::string& name : set_) ::unsetenv(name.c_str());
    for (const auto& [name, value] : before_) ::setenv(name.c_str(), value.c_str(), 1);
    runtime::reset_process();
  }
  OnlyVariables(const OnlyVariables&) = delete;
  OnlyVariables& operator=(const OnlyVariables&) = delete;

 private:
  static std::vector<std::string> words_of(const std::string& text) {
    std::istringstream words(text);
    return {std::istream_iterator<std::string>(words), {}};
  }

  std::map<std::string, std::string> before_;
  std::vector<std::string> set_;
};

/// Standard error goes to a file, which is no terminal, for as long as this lives.
class KeptErrors {
 public:
  KeptErrors() : file_(std::tmpfile()), before_(::dup(STDERR_FILENO)) {
    REQUIRE(file_ != nullptr);
    std::fflush(stderr);
    ::dup2(::fileno(file_), STDERR_FILENO);
  }
  ~KeptErrors() {
    std::fflush(stderr);
    ::dup2(before_, STDERR_FILENO);
    ::close(before_);
    std::fclose(file_);
  }
  KeptErrors(const KeptErrors&) = delete;
  KeptErrors& operator=(const KeptErrors&) = delete;

  std::string text() const {
    std::fflush(stderr);
    std::rewind(file_);
    std::string all;
    std::array<char, 512> part;
    for (std::size_t size; (size = std::fread(part.data(), 1, part.size(), file_)) > 0;) all.append(part.data(), size);
    return all;
  }

 private:
  std::FILE* file_;
  int before_;
};

}  // namespace warpfiber::test
