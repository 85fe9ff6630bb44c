// SPDX-License-Identifier: Apache-2.0
// What the calling OS thread has of its host program's modes, and a kernel does not: its locale, which does not show in
// what kernels print, and its floating-point controls: rounding, traps and subnormal numbers. A device has one mode;
// the host has whatever the program has set, which new OS threads inherit and signal handlers start without.
// Invariant: code between two changes must compute nothing itself, because compilers move arithmetic across them.
#pragma once

#include <locale.h>

#include "base/arch/portable/float_mode.hpp"
#include "base/arch/x86_64/float_mode.hpp"

namespace warpfiber::base {

/// The C functions of the calling OS thread use the locale "C" for as long as this lives.
class PlainLocale {
 public:
  PlainLocale() : before_(::uselocale(plain())) {}
  ~PlainLocale() { ::uselocale(before_); }
  PlainLocale(const PlainLocale&) = delete;
  PlainLocale& operator=(const PlainLocale&) = delete;

  /// For good, where the object never comes to its end.
  static void leave() { ::uselocale(LC_GLOBAL_LOCALE); }

 private:
  static locale_t plain() {
    static const locale_t made = ::newlocale(LC_ALL_MASK, "C", nullptr);
    return made;
  }

  locale_t before_;
};

}  // namespace warpfiber::base
