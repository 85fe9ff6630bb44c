// SPDX-License-Identifier: Apache-2.0
#include "memory/pages.hpp"

#include <sys/mman.h>
#include <unistd.h>

namespace warpfiber::memory {
namespace {

std::size_t page_size() {
  static const auto size = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  return size;
}

}  // namespace

Pages map_pages(std::size_t bytes, std::size_t before) {
  const std::size_t page = page_size();
  const std::size_t wanted = bytes + before;
  const std::size_t whole = (wanted + page - 1) / page * page + page;
  if (wanted < bytes || whole < wanted) return {};
  void* mapping = ::mmap(nullptr, whole, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapping == MAP_FAILED) return {};
  const Pages pages{static_cast<char*>(mapping), whole};
  if (::mprotect(end_of(pages), page, PROT_NONE) == 0) return pages;
  unmap_pages(pages);
  return {};
}

void unmap_pages(const Pages& pages) {
  ::munmap(pages.base, pages.bytes);
}

char* end_of(const Pages& pages) {
  return pages.base + pages.bytes - page_size();
}

}  // namespace warpfiber::memory
