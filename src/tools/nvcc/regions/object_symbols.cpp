// SPDX-License-Identifier: Apache-2.0
//
// Symbol tables through libelf.
#include "tools/nvcc/regions/object_symbols.hpp"

#include <fcntl.h>
#include <gelf.h>
#include <libelf.h>
#include <unistd.h>

#include <cstddef>

namespace warpfiber::tools::nvcc {
namespace {

/// An object that is open for reading.
class OpenObject {
 public:
  explicit OpenObject(const std::string& path) : file_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {
    elf_version(EV_CURRENT);
    if (file_ >= 0) elf_ = elf_begin(file_, ELF_C_READ, nullptr);
  }
  OpenObject(const OpenObject&) = delete;
  OpenObject& operator=(const OpenObject&) = delete;
  ~OpenObject() {
    elf_end(elf_);
    if (file_ >= 0) ::close(file_);
  }

  std::vector<ObjectSymbol> symbols() const {
    std::vector<ObjectSymbol> symbols;
    for (Elf_Scn* section = elf_nextscn(elf_, nullptr); section != nullptr; section = elf_nextscn(elf_, section)) {
      GElf_Shdr header;
      if (gelf_getshdr(section, &header) != nullptr && header.sh_type == SHT_SYMTAB) read(section, header, symbols);
    }
    return symbols;
  }

 private:
  void read(Elf_Scn* section, const GElf_Shdr& header, std::vector<ObjectSymbol>& symbols) const {
    Elf_Data* data = elf_getdata(section, nullptr);
    const std::size_t count = header.sh_entsize == 0 ? 0 : header.sh_size / header.sh_entsize;
    for (std::size_t i = 1; i < count; ++i) {
      GElf_Sym symbol;
      if (gelf_getsym(data, static_cast<int>(i), &symbol) == nullptr) return;
      const auto kind = GELF_ST_TYPE(symbol.st_info);
      const char* name = elf_strptr(elf_, header.sh_link, symbol.st_name);
      if (kind == STT_SECTION || kind == STT_FILE || name == nullptr) continue;
      symbols.push_back({name, symbol.st_shndx != SHN_UNDEF, GELF_ST_BIND(symbol.st_info) == STB_LOCAL});
    }
  }

  int file_;
  Elf* elf_ = nullptr;
};

}  // namespace

std::vector<ObjectSymbol> read_symbols(const std::string& object) {
  return OpenObject(object).symbols();
}

}  // namespace warpfiber::tools::nvcc
