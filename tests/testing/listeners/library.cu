// SPDX-License-Identifier: Apache-2.0
// A library whose functions Python calls.
#include "kernels.cuh"

extern "C" {

void right() {
  rotate_right();
}

void wrong() {
  rotate_wrong();
}

void unawaited() {
  launch_unawaited();
}

int refused() {
  return ask_for_too_much();
}

}  // extern "C"
