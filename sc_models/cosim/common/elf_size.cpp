#include "cosim/common/elf_size.h"

#include <elf.h>
#include <fmt/format.h>
#include <link.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <fstream>

namespace weft {

std::string cut_short(const std::filesystem::path& file) {
  std::error_code unknown;
  const std::uint64_t size = std::filesystem::file_size(file, unknown);
  std::ifstream in(file, std::ios::binary);
  ElfW(Ehdr) header{};
  if (unknown || !in.read(reinterpret_cast<char*>(&header), sizeof header)) return "";
  const unsigned char wanted = sizeof(void*) == 8 ? ELFCLASS64 : ELFCLASS32;
  if (std::memcmp(header.e_ident, ELFMAG, SELFMAG) != 0 || header.e_ident[EI_CLASS] != wanted) return "";
  if (header.e_phentsize != sizeof(ElfW(Phdr))) return "";
  std::uint64_t end = header.e_phoff + std::uint64_t{header.e_phnum} * sizeof(ElfW(Phdr));
  in.seekg(static_cast<std::streamoff>(header.e_phoff));
  ElfW(Phdr) segment{};
  for (unsigned i = 0; i < header.e_phnum && in.read(reinterpret_cast<char*>(&segment), sizeof segment); ++i) {
    if (segment.p_type == PT_LOAD) end = std::max<std::uint64_t>(end, segment.p_offset + segment.p_filesz);
  }
  if (end <= size) return "";
  return fmt::format("the file is cut short: it has {} bytes, its headers name {}", size, end);
}

}  // namespace weft
