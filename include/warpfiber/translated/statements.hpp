// SPDX-License-Identifier: Apache-2.0
// What translated source calls before each statement of device code where it is built with -fstatements, so that
// executed lines can be counted and stepped through. src/translate/statement_reports.cpp puts the calls in; nothing here
// is meant to be written by hand.
#pragma once

namespace warpfiber::cuda {

/// The calling thread executes a statement of `line` next, in the caller's file: the call may stand on the line before.
/// Does nothing in a function that the host has called.
void statement(unsigned line, const char* file = __builtin_FILE());

}  // namespace warpfiber::cuda
