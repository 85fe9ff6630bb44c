// SPDX-License-Identifier: Apache-2.0
//
// The random choices of a generator. They depend on the seed alone, on every platform, as long as no two of them are
// made in one expression, whose order a compiler may choose.
#pragma once

#include <cstddef>
#include <cstdint>

#include "tools/fuzz/kernel/program.hpp"

namespace warpfiber::tools::fuzz {

class Drawing {
 public:
  explicit Drawing(std::uint64_t seed) : state_(scramble(seed)) {}

  std::uint64_t bits() { return scramble(state_ += 0x632be59bd9b4e019ull); }
  unsigned below(unsigned limit) { return unsigned(bits() >> 33) % limit; }
  unsigned between(unsigned first, unsigned last) { return first + below(last - first + 1); }
  bool once_in(unsigned times) { return below(times) == 0; }

  template <class T, std::size_t kSize>
  T one_of(const T (&choices)[kSize]) {
    return choices[below(kSize)];
  }

 private:
  std::uint64_t state_;
};

}  // namespace warpfiber::tools::fuzz
