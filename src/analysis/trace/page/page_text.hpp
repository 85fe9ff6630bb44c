// SPDX-License-Identifier: Apache-2.0
// JSON on its way into a page of HTML, in pieces. Nothing in it ends the element that holds it.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <string>
#include <string_view>

namespace warpfiber::trace {

class PageText {
 public:
  explicit PageText(std::ostream& to) : to_(to) {}

  /// Bytes so far, without what escapes add.
  std::size_t size() const { return written_ + kept_.size(); }

  PageText& operator+=(std::string_view text);
  /// Writes what is kept. Nothing may be added later without another call.
  void flush();

 private:
  std::ostream& to_;
  std::string kept_;
  std::size_t written_ = 0;
};

}  // namespace warpfiber::trace
