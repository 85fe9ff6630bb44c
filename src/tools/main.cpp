// SPDX-License-Identifier: Apache-2.0
//
// The command `warpfiber`: hands its arguments to tools::command and prints the reply. Nothing else lives here, so that
// tests call the command without a process.
#include <cstdio>

#include "tools/command.hpp"

int main(int argc, char** argv) {
  const warpfiber::tools::Reply reply = warpfiber::tools::command({argv + 1, argv + argc});
  std::fputs(reply.out.c_str(), stdout);
  std::fputs(reply.err.c_str(), stderr);
  return reply.status;
}
