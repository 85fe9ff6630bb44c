// SPDX-License-Identifier: Apache-2.0
//
// Generators that fill arrays, in the order in which NVIDIA's host interface does. One thread at a time may use one.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace warpfiber::random {

enum class Method { xorwow, mrg32k3a, philox, mt19937, sobol32, scrambled_sobol32, sobol64, scrambled_sobol64 };

constexpr bool is_quasi(Method method) {
  return method >= Method::sobol32;
}
constexpr bool has_64_bits(Method method) {
  return method >= Method::sobol64;
}

enum class RandomForm {
  bits,
  bits64,
  uniform,
  uniform_double,
  normal,
  normal_double,
  log_normal,
  log_normal_double,
  poisson
};

/// The bytes of one number.
constexpr std::size_t size_of(RandomForm form) {
  const bool wide = form == RandomForm::bits64 || form == RandomForm::uniform_double ||
                    form == RandomForm::normal_double || form == RandomForm::log_normal_double;
  return wide ? 8 : 4;
}

/// `a` and `b` are mean and deviation; of Poisson's distribution `a` is the mean.
struct Numbers {
  RandomForm form = RandomForm::bits;
  double a = 0;
  double b = 1;
};

/// How the numbers of a pseudorandom generator lie in an array. `seeded` is of XORWOW: its streams have seeds instead
/// of subsequences. `legacy` differs from the default for MRG32k3a, which has fewer streams then.
enum class StreamOrder { standard, seeded, legacy };

/// `offset` counts the numbers that are left out; of a quasirandom generator those of each dimension.
struct GeneratorSettings {
  Method method = Method::xorwow;
  std::uint64_t seed = 0;
  std::uint64_t offset = 0;
  unsigned dimensions = 1;
  StreamOrder order = StreamOrder::standard;

  bool operator==(const GeneratorSettings&) const = default;
};

class NumberGenerator {
 public:
  virtual ~NumberGenerator() = default;

  /// The next `count` numbers of the form; of a quasirandom generator as many of each dimension.
  virtual void fill(void* to, std::size_t count, const Numbers& numbers) = 0;

  /// The offset at which a generator with other settings goes on.
  virtual std::uint64_t position() const = 0;
};

std::unique_ptr<NumberGenerator> make_generator(const GeneratorSettings& settings);
std::unique_ptr<NumberGenerator> make_pseudo_generator(const GeneratorSettings& settings);
std::unique_ptr<NumberGenerator> make_quasi_generator(const GeneratorSettings& settings);

}  // namespace warpfiber::random
