// SPDX-License-Identifier: Apache-2.0
//
// Makes one group of all sections of an object, so that a linker that meets the object several times takes it once: the
// hooks are in every checked object (src/cuda/abi/hooks), and programs and libraries are made of many of these.
//   warpfiber_grouping <object> <symbol that names the group> <result>
// Neither assemblers nor objcopy make a group of what has been assembled. Sections that are in groups already, those of
// functions in headers, stay there, and so do notes and what describes other sections: symbols, relocations, frames.
// Sources: "System V Application Binary Interface", chapter "Section Groups"; elf(5).
#include <elf.h>

#include <cstdint>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace {

using FileContent = std::vector<char>;
constexpr std::uint32_t kAlignment = 8;

std::runtime_error damaged() {
  return std::runtime_error("is no relocatable object of 64 bits in this machine's order of bytes");
}

template <class Value>
Value& at(FileContent& bytes, std::uint64_t place) {
  if (place > bytes.size() || bytes.size() - place < sizeof(Value)) throw damaged();
  return *reinterpret_cast<Value*>(bytes.data() + place);
}

class ObjectFile {
 public:
  explicit ObjectFile(FileContent bytes) : bytes_(std::move(bytes)), header_(at<Elf64_Ehdr>(bytes_, 0)) {
    constexpr unsigned char kOrder = __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB;
    const bool is_right = std::memcmp(header_.e_ident, ELFMAG, SELFMAG) == 0 &&
                          header_.e_ident[EI_CLASS] == ELFCLASS64 && header_.e_ident[EI_DATA] == kOrder &&
                          header_.e_type == ET_REL && header_.e_shoff != 0 && header_.e_shnum != 0;
    if (!is_right) throw damaged();
    for (unsigned i = 0; i < header_.e_shnum; ++i) {
      sections_.push_back(at<Elf64_Shdr>(bytes_, header_.e_shoff + i * sizeof(Elf64_Shdr)));
    }
  }

  /// Of all other indices of sections one more: linkers want to meet the group before its members.
  FileContent grouped(std::string_view symbol) {
    Elf64_Shdr group{};
    group.sh_type = SHT_GROUP;
    group.sh_addralign = sizeof(Elf32_Word);
    group.sh_entsize = sizeof(Elf32_Word);
    std::vector<Elf32_Word> content{GRP_COMDAT};
    for (unsigned i = 1; i < sections_.size(); ++i) {
      Elf64_Shdr& section = sections_[i];
      if (section.sh_type == SHT_SYMTAB) {
        group.sh_link = i + 1;
        group.sh_info = index_of(symbol, section);
      }
      if (!is_grouped(section)) continue;
      section.sh_flags |= SHF_GROUP;
      content.push_back(i + 1);
    }
    if (group.sh_link == 0) throw std::runtime_error("has no symbols");
    group.sh_name = name_of_group();
    group.sh_offset = append(content.data(), content.size() * sizeof content[0]);
    group.sh_size = content.size() * sizeof content[0];
    for (Elf64_Shdr& section : sections_) shift(section);
    sections_.insert(sections_.begin() + 1, group);
    const std::uint64_t place = append(sections_.data(), sections_.size() * sizeof sections_[0]);
    auto& header = at<Elf64_Ehdr>(bytes_, 0);
    header.e_shoff = place;
    ++header.e_shnum;
    ++header.e_shstrndx;
    return std::move(bytes_);
  }

 private:
  std::string_view name_at(const Elf64_Shdr& strings, std::uint32_t place) {
    if (place >= strings.sh_size) throw damaged();
    return &at<char>(bytes_, strings.sh_offset + place);
  }

  std::string_view name_of(const Elf64_Shdr& section) {
    return name_at(sections_.at(header_.e_shstrndx), section.sh_name);
  }

  /// Relocations go with the section that they are for.
  bool is_grouped(const Elf64_Shdr& section) {
    const bool relocates = section.sh_type == SHT_RELA || section.sh_type == SHT_REL;
    const Elf64_Shdr& content = relocates ? sections_.at(section.sh_info) : section;
    const bool is_memory = (content.sh_flags & SHF_ALLOC) != 0 && content.sh_type != SHT_NOTE;
    const bool was_grouped = (section.sh_flags & SHF_GROUP) != 0;
    return is_memory && !was_grouped && name_of(content) != ".eh_frame";
  }

  std::uint32_t index_of(std::string_view symbol, const Elf64_Shdr& table) {
    const std::uint64_t count = table.sh_size / sizeof(Elf64_Sym);
    for (std::uint32_t i = table.sh_info; i < count; ++i) {
      const auto& candidate = at<Elf64_Sym>(bytes_, table.sh_offset + i * sizeof(Elf64_Sym));
      const bool is_defined = candidate.st_shndx != SHN_UNDEF;
      if (is_defined && name_at(sections_.at(table.sh_link), candidate.st_name) == symbol) return i;
    }
    throw std::runtime_error("does not define the symbol " + std::string(symbol));
  }

  std::uint64_t append(const void* data, std::uint64_t size) {
    bytes_.resize((bytes_.size() + kAlignment - 1) / kAlignment * kAlignment);
    const std::uint64_t place = bytes_.size();
    const char* begin = static_cast<const char*>(data);
    bytes_.insert(bytes_.end(), begin, begin + size);
    return place;
  }

  /// The names of sections move to the end, where there is room for one more.
  std::uint32_t name_of_group() {
    Elf64_Shdr& names = sections_.at(header_.e_shstrndx);
    if (names.sh_offset > bytes_.size() || names.sh_size > bytes_.size() - names.sh_offset) throw damaged();
    const auto begin = bytes_.begin() + static_cast<std::ptrdiff_t>(names.sh_offset);
    std::string text(begin, begin + static_cast<std::ptrdiff_t>(names.sh_size));
    const auto name = static_cast<std::uint32_t>(text.size());
    text.append(".group").push_back('\0');
    names.sh_offset = append(text.data(), text.size());
    names.sh_size = text.size();
    return name;
  }

  void shift(Elf64_Shdr& section) {
    const bool relocates = section.sh_type == SHT_RELA || section.sh_type == SHT_REL;
    if (section.sh_link != 0) ++section.sh_link;
    if (relocates || (section.sh_flags & SHF_INFO_LINK) != 0) ++section.sh_info;
    if (section.sh_type == SHT_SYMTAB) {
      for (std::uint64_t place = 0; place < section.sh_size; place += sizeof(Elf64_Sym)) {
        auto& symbol = at<Elf64_Sym>(bytes_, section.sh_offset + place);
        if (symbol.st_shndx != SHN_UNDEF && symbol.st_shndx < SHN_LORESERVE) ++symbol.st_shndx;
      }
    }
    if (section.sh_type == SHT_GROUP) {
      for (std::uint64_t place = sizeof(Elf32_Word); place < section.sh_size; place += sizeof(Elf32_Word)) {
        ++at<Elf32_Word>(bytes_, section.sh_offset + place);
      }
    }
  }

  FileContent bytes_;
  Elf64_Ehdr header_;  // as it was
  std::vector<Elf64_Shdr> sections_;
};

}  // namespace

int main(int count, char** words) {
  if (count != 4) {
    std::fputs("usage: warpfiber_grouping <object> <symbol that names the group> <result>\n", stderr);
    return 2;
  }
  try {
    std::ifstream in(words[1], std::ios::binary);
    if (!in) throw std::runtime_error("cannot be read");
    const FileContent result =
        ObjectFile({std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()}).grouped(words[2]);
    std::ofstream out(words[3], std::ios::binary);
    out.write(result.data(), static_cast<std::streamsize>(result.size()));
    if (!out.flush()) throw std::runtime_error("cannot be written to " + std::string(words[3]));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "warpfiber_grouping: %s %s\n", words[1], error.what());
    return 1;
  }
  return 0;
}
