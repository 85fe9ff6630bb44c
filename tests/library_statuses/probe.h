// SPDX-License-Identifier: Apache-2.0
// Calls a function of a library with right arguments, then with each argument by itself wrong, and writes a line for
// each call: "function argument=value -> status". What is right and wrong for an argument goes by its name.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

/// Arguments of these names (separated by blanks): a right value, made anew for each call, and wrong ones.
struct Argument {
  const char* names;
  std::function<long long()> right;
  std::vector<long long> wrong;
};
using Arguments = std::vector<Argument>;

template <class T>
std::function<long long()> fixed(T value) {
  if constexpr (std::is_pointer_v<T>)
    return [value] { return static_cast<long long>(reinterpret_cast<std::intptr_t>(value)); };
  else
    return [value] { return static_cast<long long>(value); };
}

template <class P>
P as(long long value) {
  if constexpr (std::is_pointer_v<P>)
    return reinterpret_cast<P>(static_cast<std::intptr_t>(value));
  else
    return static_cast<P>(value);
}

class Probe {
 public:
  /// Of each `parts` functions the one with number `part` is called; the first `done` calls are left out.
  Probe(std::FILE* to, long part, long parts, long done) : to_(to), part_(part), parts_(parts), left_out_(done) {}

  void know(const Arguments& arguments) { known_ = arguments; }

  /// `names`: the names of the function's arguments, with blanks between them.
  template <class Status, class... P>
  void operator()(const char* function, Status (*called)(P...), const char* names) {
    if (functions_++ % parts_ != part_) return;
    std::vector<const Argument*> arguments;
    std::vector<std::string> words;
    std::istringstream text(names);
    for (std::string word; text >> word; words.push_back(word)) arguments.push_back(&known(word));
    if (arguments.size() != sizeof...(P)) std::fprintf(stderr, "%s: %zu names\n", function, words.size()), std::exit(9);
    const auto call = [&](const std::string& what, int changed, long long value) {
      one(what, [&] {
        std::vector<long long> values;
        for (const Argument* argument : arguments) values.push_back(argument->right());
        if (changed >= 0) values[changed] = value;
        return int(apply(called, values.data(), std::index_sequence_for<P...>{}));
      });
    };
    call(std::string(function), -1, 0);
    for (std::size_t i = 0; i < words.size(); ++i)
      for (const long long value : arguments[i]->wrong)
        call(std::string(function) + " " + words[i] + "=" + std::to_string(value), int(i), value);
  }

 private:
  template <class Status, class... P, std::size_t... I>
  static Status apply(Status (*called)(P...), const long long* values, std::index_sequence<I...>) {
    return called(as<P>(values[I])...);
  }

  template <class Call>
  void one(const std::string& what, Call call) {
    if (left_out_ > 0) {
      --left_out_;
      return;
    }
    std::fprintf(to_, "%s", what.c_str());
    std::fflush(to_);
    const int status = call();
    const cudaError_t after = cudaDeviceSynchronize();
    std::fprintf(to_, " -> %d", status);
    if (after != cudaSuccess) std::fprintf(to_, " then %d", int(after));
    std::fprintf(to_, "\n");
    std::fflush(to_);
    if (after != cudaSuccess) std::_Exit(3);
  }

  const Argument& known(const std::string& word) const {
    for (const Argument& argument : known_) {
      std::istringstream names(argument.names);
      for (std::string name; names >> name;)
        if (name == word) return argument;
    }
    std::fprintf(stderr, "no argument %s\n", word.c_str());
    std::exit(9);
  }

  std::FILE* to_;
  long part_, parts_, left_out_, functions_ = 0;
  Arguments known_;
};

/// `count` bytes of device memory, all zero, that nothing frees.
inline void* device_zeros(std::size_t count) {
  void* at = nullptr;
  cudaMalloc(&at, count);
  cudaMemset(at, 0, count);
  return at;
}

template <class T>
T* device_copy(const std::vector<T>& values) {
  void* at = device_zeros(values.size() * sizeof(T));
  cudaMemcpy(at, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice);
  return static_cast<T*>(at);
}

/// Addresses of four matrices, in device memory.
inline void* device_batch() {
  std::vector<void*> each;
  for (int i = 0; i < 4; ++i) each.push_back(device_zeros(4096));
  return device_copy(each);
}

inline void* host_zeros() {
  return std::calloc(1, 1 << 16);
}

/// No number of any type is 0.
inline void* host_ones() {
  auto* const numbers = static_cast<float*>(host_zeros());
  for (int i = 0; i < 64; ++i) numbers[i] = 1;
  return numbers;
}

constexpr std::size_t kRoom = 1 << 16;

void probe_vectors(Probe& probe);
void probe_matrices(Probe& probe);
void probe_batches(Probe& probe);
void probe_transforms(Probe& probe);
void probe_numbers(Probe& probe);
void probe_sparse(Probe& probe);
void probe_solver(Probe& probe);
