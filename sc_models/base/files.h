#pragma once
// Reading whole files, and writing them so that a half-written file never looks complete.

#include <filesystem>
#include <string>
#include <string_view>

namespace weft {

/// Whole content of a file. Throws InputError naming the file when it cannot be read.
std::string read_file(const std::filesystem::path& path);

/// Creates the folder (and its parents) when needed and makes sure files can be written in it.
/// Throws InputError naming the folder and the reason.
void prepare_folder(const std::filesystem::path& folder);

/// Writes `content` under a temporary name beside `path`, then renames it. Throws InputError when that fails;
/// the old file, if any, is then untouched.
void write_file(const std::filesystem::path& path, std::string_view content);

}  // namespace weft
