// SPDX-License-Identifier: Apache-2.0
//
// When text is coloured.
#include "base/environment.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <cstdlib>

#include "support/catch.hpp"

using warpfiber::base::wants_colour;

TEST_CASE("colours are for terminals, unless NO_COLOR is set") {
  ::unsetenv("NO_COLOR");
  const int nothing = ::open("/dev/null", O_WRONLY);
  const int terminal = ::posix_openpt(O_RDWR | O_NOCTTY);
  REQUIRE(terminal >= 0);
  CHECK(wants_colour(terminal));
  CHECK_FALSE(wants_colour(nothing));
  ::setenv("NO_COLOR", "", 1);
  CHECK_FALSE(wants_colour(terminal));
  ::unsetenv("NO_COLOR");
  ::close(nothing);
  ::close(terminal);
}
