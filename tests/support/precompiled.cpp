// SPDX-License-Identifier: Apache-2.0
//
// The program that Catch2's header is precompiled for; it does nothing.
int main() {}
