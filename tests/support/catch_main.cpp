// SPDX-License-Identifier: Apache-2.0
//
// The main function of every test executable when Catch2 is version 2, whose implementation is compiled once,
// here. Version 3 brings both in its library, and this file is not built.
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
