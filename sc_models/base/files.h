#pragma once
// Writing files so that a half-written file never looks complete and no output takes the place of a file that was read.
// Reading: base/input_file.h.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostics.h"

namespace weft {

/// Notes that `path` is read; InputFile does so itself.
void note_input(const std::filesystem::path& path);

/// Inputs noted so far that lie in the folder whose place is `folder`.
std::vector<std::filesystem::path> inputs_in(const std::filesystem::path& folder);

/// The absolute name in the folder it leads to, however that is reached; the last part is not followed when it is a
/// link: an output replaces a name, not what a link of that name leads to.
std::filesystem::path place_of(const std::filesystem::path& path);

/// Name of a file until it is written to its end: `<path>.part`.
std::filesystem::path temporary_of(const std::filesystem::path& path);

/// Throws InputError when an output called `path` would replace a file that this process has read, unless it had
/// written it itself. OutputFile (base/output_folder.h), by which everything is written, asks here; long runs ask
/// before they begin.
void check_output(const std::filesystem::path& path);

/// Creates the folder (and its parents) when needed and makes sure files can be written in it.
/// Throws InputError naming the folder and the reason.
void prepare_folder(const std::filesystem::path& folder);

/// Throws what stands for a file that cannot be written because of `error`, an errno: RunError when the medium is at
/// fault (full, or broken), InputError when the place is.
[[noreturn]] void cannot_write(const std::filesystem::path& path, int error);

}  // namespace weft
