// SPDX-License-Identifier: Apache-2.0
// Several copies of the runtime in one process, each with memory, streams and findings of its own: a program that is
// linked with the archive loads a library that is linked with the shared one, or several libraries have an archive
// each.
#pragma once

namespace warpfiber::process {

/// Prints a line where this copy of the runtime has come to others. It is to be called when the copy is loaded.
void report_other_runtimes();

}  // namespace warpfiber::process
