// SPDX-License-Identifier: Apache-2.0
//
// What the recorded programs of this folder print: a line for each sequence, with its first values as hexadecimal
// words, their number, and a hash of all of them (FNV-1a). nvcc compiles this too.
#pragma once

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

inline void require(bool success, const char* what) {
  if (success) return;
  std::printf("failed: %s\n", what);
  std::exit(1);
}
#define REQUIRE_SUCCESS(call) require((call) == 0, #call)

inline unsigned long long hash_of(const void* data, size_t bytes) {
  unsigned long long hash = 0xcbf29ce484222325;
  for (size_t i = 0; i < bytes; ++i) hash = (hash ^ static_cast<const unsigned char*>(data)[i]) * 0x100000001b3;
  return hash;
}

inline std::string hex(unsigned long long value) {
  char text[32];
  std::snprintf(text, sizeof text, "%llx", value);
  return text;
}

/// Values of several words are printed from the highest word on.
template <class T>
void print_values(const std::string& key, const T* values, size_t count, size_t first = 4) {
  std::printf("%s =", key.c_str());
  for (size_t i = 0; i < count && i < first; ++i) {
    std::printf(" ");
    unsigned words[sizeof(T) / 4];
    std::memcpy(words, &values[i], sizeof(T));
    for (size_t word = sizeof(T) / 4; word-- > 0;) std::printf("%08x", words[word]);
  }
  std::printf(" | %zu %016llx\n", count, hash_of(values, count * sizeof(T)));
}
