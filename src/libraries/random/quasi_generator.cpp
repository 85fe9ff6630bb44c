// SPDX-License-Identifier: Apache-2.0
//
// Sobol's sequences: the first part of the array is dimension 0, the next one dimension 1, and so on.
#include <warpfiber/cuda/curand/poisson.hpp>

#include <vector>

#include "random/generator.hpp"
#include "random/poisson_tables.hpp"
#include "random/sobol_tables.hpp"

namespace warpfiber::random {
namespace {

template <class Number, class State, class Draw>
void fill_dimensions(void* to, std::size_t count, std::vector<State>& states, Draw draw) {
  auto* next = static_cast<Number*>(to);
  const std::size_t each = count / states.size();
  for (State& state : states) {
    for (std::size_t i = 0; i < each; ++i) *next++ = draw(&state);
  }
}

template <class State>
class QuasiGenerator final : public NumberGenerator {
 public:
  explicit QuasiGenerator(std::vector<State>&& states) : states_(std::move(states)) {}

  void fill(void* to, std::size_t count, const Numbers& numbers) override {
    const auto mean = static_cast<float>(numbers.a);
    const auto deviation = static_cast<float>(numbers.b);
    switch (numbers.form) {
      case RandomForm::bits:
      case RandomForm::bits64: return fill_bits(to, count);
      case RandomForm::uniform:
        return fill_dimensions<float>(to, count, states_, [](State* state) { return curand_uniform(state); });
      case RandomForm::uniform_double:
        return fill_dimensions<double>(to, count, states_, [](State* state) { return curand_uniform_double(state); });
      case RandomForm::normal:
        return fill_dimensions<float>(to, count, states_,
                                      [=](State* state) { return fmaf(curand_normal(state), deviation, mean); });
      case RandomForm::normal_double:
        return fill_dimensions<double>(
            to, count, states_, [&](State* state) { return fma(curand_normal_double(state), numbers.b, numbers.a); });
      case RandomForm::log_normal:
        return fill_dimensions<float>(to, count, states_,
                                      [=](State* state) { return curand_log_normal(state, mean, deviation); });
      case RandomForm::log_normal_double:
        return fill_dimensions<double>(
            to, count, states_, [&](State* state) { return curand_log_normal_double(state, numbers.a, numbers.b); });
      case RandomForm::poisson: return fill_counts(to, count, numbers.a);
    }
  }

  std::uint64_t position() const override { return states_.front().i; }

 private:
  using Word = decltype(curand(static_cast<State*>(nullptr)));
  static constexpr bool kWide = sizeof(Word) == 8;
  // From these means on counts are searched for in sums, and normal numbers of 32 bits rounded.
  static constexpr double kLeastSearched = kWide ? 0 : 10;
  static constexpr double kGreatestSearched = 8000;

  static bool is_rounded(double mean) { return kWide ? mean >= kLeastWithoutTables : mean > kGreatestSearched; }

  void fill_counts(void* to, std::size_t count, double mean) {
    if (is_rounded(mean)) {
      const double deviation = sqrt(mean);
      return fill_dimensions<unsigned>(to, count, states_, [=](State* state) {
        const auto bits = static_cast<unsigned>(curand(state) >> (kWide ? 32 : 0));
        return rounded_count(inverse_normal_double(bits), mean, deviation);
      });
    }
    if (mean >= kLeastSearched) {
      const PoissonSums sums = poisson_sums(mean);
      return fill_dimensions<unsigned>(to, count, states_,
                                       [&](State* state) { return sums.count_at(unit_double(curand(state))); });
    }
    const HistogramColumns columns = poisson_histogram(mean);
    fill_dimensions<unsigned>(to, count, states_, [histogram = columns.view()](State* state) {
      return count_in(histogram, unit_double(curand(state)));
    });
  }

  void fill_bits(void* to, std::size_t count) {
    fill_dimensions<Word>(to, count, states_, [](State* state) { return curand(state); });
  }

  std::vector<State> states_;
};

template <class State, class Directions, class Word>
std::unique_ptr<NumberGenerator> make(const GeneratorSettings& settings, Directions directions, const Word* constants,
                                      Word offset) {
  std::vector<State> states(settings.dimensions);
  for (unsigned dimension = 0; dimension < settings.dimensions; ++dimension) {
    State& state = states[dimension];
    for (unsigned bit = 0; bit < 8 * sizeof(Word); ++bit) state.direction_vectors[bit] = directions[dimension][bit];
    state.i = offset;
    state.c = constants == nullptr ? 0 : constants[dimension];
    skipahead(Word{0}, &state);
  }
  return std::make_unique<QuasiGenerator<State>>(std::move(states));
}

}  // namespace

std::unique_ptr<NumberGenerator> make_quasi_generator(const GeneratorSettings& settings) {
  const auto offset32 = static_cast<unsigned>(settings.offset);
  const unsigned long long offset64 = settings.offset;
  constexpr const unsigned int* kNone32 = nullptr;
  constexpr const unsigned long long* kNone64 = nullptr;
  switch (settings.method) {
    case Method::scrambled_sobol32:
      return make<curandStateScrambledSobol32>(settings, sobol_directions32(true), sobol_constants32(), offset32);
    case Method::sobol64: return make<curandStateSobol64>(settings, sobol_directions64(false), kNone64, offset64);
    case Method::scrambled_sobol64:
      return make<curandStateScrambledSobol64>(settings, sobol_directions64(true), sobol_constants64(), offset64);
    default: return make<curandStateSobol32>(settings, sobol_directions32(false), kNone32, offset32);
  }
}

}  // namespace warpfiber::random
