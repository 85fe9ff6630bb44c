// SPDX-License-Identifier: Apache-2.0
// Launches of a program with access hooks. Each runs one block and waits for its end.
#pragma once

#include <warpfiber/warpfiber.hpp>

namespace warpfiber::test {

/// Each of `threads` threads reads a word of `in` and writes one of `out`.
LaunchResult copy_words(const unsigned* in, unsigned* out, unsigned threads, const char* policy);
/// Each adds to one word by an atomic, then executes a fence of the device, then one of the block.
LaunchResult count_threads(unsigned* counter, unsigned threads);
/// Each reads a word of which the compiler knows nothing.
LaunchResult poll_word(const unsigned* word, unsigned threads);
/// Each writes to the word of the next thread, without order.
LaunchResult race(unsigned* words, unsigned threads);

}  // namespace warpfiber::test
