// SPDX-License-Identifier: Apache-2.0
// A library that takes the space that the C library leaves for thread-local data of libraries loaded late.
__attribute__((tls_model("initial-exec"))) __thread char data[BYTES];

char* of_thread(void) {
  return data;
}
