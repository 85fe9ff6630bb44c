// SPDX-License-Identifier: Apache-2.0
//
// Symbols of this test program itself: inlined frames with debug information, a name without, nothing for data.
#include "symbols/symboliser.hpp"

#include <arpa/inet.h>
#include <dlfcn.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "support/catch.hpp"
#include "unit/foundation/symbols/symbolise_subject.hpp"

using namespace warpfiber;
using namespace warpfiber::symbols;
using Catch::Matchers::ContainsSubstring;

namespace {

/// A port of this machine to which a client may connect; nothing is answered.
class Listener {
 public:
  Listener() : socket_(::socket(AF_INET, SOCK_STREAM, 0)) {
    address_.sin_family = AF_INET;
    address_.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    socklen_t size = sizeof address_;
    auto* generic = reinterpret_cast<sockaddr*>(&address_);
    REQUIRE(::bind(socket_, generic, size) == 0);
    REQUIRE(::listen(socket_, 1) == 0);
    REQUIRE(::getsockname(socket_, generic, &size) == 0);
  }
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;
  ~Listener() { ::close(socket_); }

  int port() const { return ntohs(address_.sin_port); }

  bool was_asked() const {
    pollfd connection{.fd = socket_, .events = POLLIN, .revents = 0};
    return ::poll(&connection, 1, 0) > 0;
  }

 private:
  int socket_;
  sockaddr_in address_{};
};

}  // namespace

TEST_CASE("an address has its line and the functions inlined there") {
  const test::Probe probe = test::probe_inlined();
  Symboliser symboliser;
  const Frames frames = symboliser.frames(probe.address);
  REQUIRE(frames.size() == 2);
  CHECK_THAT(frames[0].function, ContainsSubstring("fill"));
  CHECK(frames[0].inlined);
  CHECK(frames[0].place.line == probe.inner_line);
  CHECK_THAT(frames[0].place.file, ContainsSubstring("symbolise_subject.cpp"));
  CHECK(frames[1].function == "warpfiber::test::probe_inlined()");
  CHECK_FALSE(frames[1].inlined);
  CHECK(frames[1].place.line == probe.outer_line);
  CHECK_THAT(frames[1].place.file, ContainsSubstring("symbolise_subject.cpp"));
  CHECK(frames[0].users);
}

TEST_CASE("the body of a lambda is found") {
  const test::Probe probe = test::probe_lambda();
  Symboliser symboliser;
  const Frames frames = symboliser.frames(probe.address);
  REQUIRE(frames.size() == 1);
  CHECK_THAT(frames[0].function, ContainsSubstring("probe_lambda"));
  CHECK_FALSE(frames[0].inlined);
  CHECK(frames[0].place.line == probe.inner_line);
}

TEST_CASE("without debug information there is a name and no line") {
  Symboliser symboliser;
  const Frames frames = symboliser.frames(test::probe_bare());
  REQUIRE(frames.size() == 1);
  CHECK(frames[0].function == "warpfiber::test::probe_bare()");
  CHECK_FALSE(frames[0].place.known());
  CHECK_FALSE(frames[0].users);
  CHECK_THAT(frames[0].module, ContainsSubstring("unit_symbols"));
}

TEST_CASE("debug information is not fetched from a server") {
  const Listener server;
  ::setenv("DEBUGINFOD_URLS", ("http://127.0.0.1:" + std::to_string(server.port())).c_str(), 1);
  ::setenv("DEBUGINFOD_TIMEOUT", "1", 1);
  // A library without debug information, which libdw needs; libdw is loaded when an address is asked for.
  Symboliser().frames(0);
  void* const lzma = ::dlopen("liblzma.so.5", RTLD_NOW | RTLD_NOLOAD);
  REQUIRE(lzma != nullptr);
  void* function = ::dlsym(lzma, "lzma_version_number");
  REQUIRE(function != nullptr);
  Symboliser symboliser;
  const Frames frames = symboliser.frames(reinterpret_cast<std::uintptr_t>(function));
  ::unsetenv("DEBUGINFOD_URLS");
  ::dlclose(lzma);
  REQUIRE(frames.size() == 1);
  CHECK(frames[0].function == "lzma_version_number");
  CHECK_FALSE(server.was_asked());
}

TEST_CASE("an address that is no code has no frames") {
  Symboliser symboliser;
  CHECK(symboliser.frames(0).empty());
  CHECK(symboliser.frames(~std::uintptr_t{0}).empty());
}

TEST_CASE("several threads may ask at once and get the same answers") {
  const test::Probe probe = test::probe_inlined();
  Symboliser symboliser;
  std::vector<Frames> answers(4);
  std::vector<std::thread> threads;
  for (Frames& answer : answers) threads.emplace_back([&] { answer = symboliser.frames(probe.address); });
  for (std::thread& thread : threads) thread.join();
  for (const Frames& answer : answers) {
    REQUIRE(answer.size() == 2);
    CHECK(answer[0].place.line == probe.inner_line);
  }
}

TEST_CASE("the process has one symboliser, which keeps its answers") {
  const test::Probe probe = test::probe_inlined();
  const Frames first = Symboliser::of_process().frames(probe.address);
  CHECK(Symboliser::of_process().frames(probe.address).begin() == first.begin());
}

TEST_CASE("a variable's type says what its parts are called") {
  const test::ProbeVariable probe = test::probe_variable();
  Symboliser symboliser;
  const record::TypeLayout* type = symboliser.type_of_variable(probe.start);
  REQUIRE(type != nullptr);
  CHECK(record::part_at(*type, probe.offset, 4).text == ".boxes[1].sides[2]");
  CHECK(record::part_at(*type, 0, 4).text == ".number");
  CHECK(record::part_at(*type, 68 + 2 * 2, 2).text == ".labels[2]");
  CHECK(record::part_at(*type, 76, 1).text == ".wide|deep");
  CHECK(symboliser.type_of_variable(static_cast<const char*>(probe.start) + 4) == nullptr);
}

TEST_CASE("a variable that the program's file has no bytes for is found") {
  const void* start = test::probe_zeros();
  Symboliser symboliser;
  CHECK(symboliser.type_of_variable(start) != nullptr);
  const auto found = symboliser.variable(reinterpret_cast<std::uintptr_t>(start) + (1 << 19));
  REQUIRE(found.has_value());
  CHECK(found->name == "many_zeros");
}

TEST_CASE("what a pointer points to is found by its type") {
  Symboliser symboliser;
  const record::TypeLayout* pointer = symboliser.type_of_variable(test::probe_pointer());
  REQUIRE(pointer != nullptr);
  const record::TypeLayout* target = symboliser.pointee(*pointer);
  REQUIRE(target != nullptr);
  CHECK(target == symboliser.type_of_variable(test::probe_variable().start));
  CHECK(symboliser.pointee(*target) == nullptr);
}

namespace {

const LocalVariable* named(const std::vector<LocalVariable>& variables, const char* name) {
  for (const LocalVariable& variable : variables) {
    if (variable.name == name) return &variable;
  }
  return nullptr;
}

}  // namespace

TEST_CASE("functions know their variables, innermost first") {
  const test::Probe probe = test::probe_locals(1);
  Symboliser symboliser;
  const std::vector<LocalVariable> seen = symboliser.local_variables(probe.address - 1, LocalScope::seen_there);
  REQUIRE_FALSE(seen.empty());
  CHECK(seen.front().name == "weights");
  CHECK(seen.front().type_text == "const volatile float [4]");
  CHECK(seen.front().place.line == probe.inner_line - 2);
  REQUIRE(seen.front().frame_offset.has_value());
  CHECK(*seen.front().frame_offset < 0);
  CHECK_THAT(seen.front().place.file, ContainsSubstring("symbolise_subject.cpp"));
  REQUIRE(named(seen, "probe") != nullptr);
  CHECK(named(seen, "probe")->type_text == "warpfiber::test::Probe");
  REQUIRE(named(seen, "pool") != nullptr);
  CHECK(named(seen, "pool")->alias == "pool_type");
  CHECK_THAT(named(seen, "pool")->type_text, ContainsSubstring("Box [][2]"));
  REQUIRE(named(seen, "pool")->type != nullptr);
  CHECK(record::part_at(*named(seen, "pool")->type, 32 + 16 + 4, 4).text == "[1][1].sides[0]");
}

TEST_CASE("variables are found by the ending of their type's name, in the function and in its file") {
  const test::Probe probe = test::probe_locals(1);
  Symboliser symboliser;
  for (const LocalScope scope : {LocalScope::seen_there, LocalScope::of_function, LocalScope::of_unit}) {
    const std::vector<LocalVariable> found = symboliser.local_variables(probe.address - 1, scope, "ol_type");
    REQUIRE(found.size() == 1);
    CHECK(found.front().name == "pool");
  }
  CHECK(symboliser.local_variables(test::probe_bare(), LocalScope::of_unit, "ol_type").empty());
  const auto all = symboliser.local_variables(probe.address - 1, LocalScope::of_function);
  CHECK(named(all, "later") != nullptr);
}
