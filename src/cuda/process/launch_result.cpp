// SPDX-License-Identifier: Apache-2.0
//
// What a launch returns, with texts of its own: streams keep it until the program asks.
#include <warpfiber/launch.hpp>

#include <cstring>
#include <utility>

namespace warpfiber {
namespace {

char* copy_of(const char* text) {
  if (text == nullptr || *text == '\0') return nullptr;
  const std::size_t size = std::strlen(text) + 1;
  return static_cast<char*>(std::memcpy(new char[size], text, size));
}

}  // namespace

LaunchResult::LaunchResult(Error error, const char* finding, const char* message)
    : error_(error), finding_(copy_of(finding)), message_(copy_of(message)) {}
LaunchResult::LaunchResult(const LaunchResult& other) : LaunchResult(other.error_, other.finding_, other.message_) {
  barriers_ = other.barriers_;
}
LaunchResult::LaunchResult(LaunchResult&& other) noexcept
    : error_(other.error_),
      barriers_(other.barriers_),
      finding_(std::exchange(other.finding_, nullptr)),
      message_(std::exchange(other.message_, nullptr)) {}
LaunchResult& LaunchResult::operator=(LaunchResult other) noexcept {
  std::swap(error_, other.error_);
  std::swap(barriers_, other.barriers_);
  std::swap(finding_, other.finding_);
  std::swap(message_, other.message_);
  return *this;
}
LaunchResult::~LaunchResult() {
  delete[] finding_;
  delete[] message_;
}

}  // namespace warpfiber
