// SPDX-License-Identifier: Apache-2.0
// What the host sets by setlocale() does not show in what kernels print.
#pragma once

#include <locale.h>

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
