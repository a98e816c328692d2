#pragma once
// Shared objects that are cut short: the loader maps them all the same, and whoever touches the missing part gets
// SIGBUS.

#include <filesystem>
#include <string>

namespace weft {

/// What is wrong with the size of an ELF file of this machine: it ends before something that its headers name. Empty
/// when nothing is; also for files that are no such ELF, which the loader refuses itself.
std::string cut_short(const std::filesystem::path& file);

}  // namespace weft
