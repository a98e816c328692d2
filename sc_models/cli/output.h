#pragma once
// Output of the commands: folders of results, their default names, single files.

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/output_folder.h"
#include "cli/arguments.h"
#include "observe/plot.h"

namespace weft::cli {

/// File of a run with which it can go on (cli/checkpoints.h).
inline constexpr const char* kCheckpoint = "checkpoint.weft";

/// Name of a folder for the results of an input file: its name without the extension. What would not be a plain visible
/// name is not taken over: control characters, bytes that are no text, dots and dashes at the beginning.
std::string plain_name(const std::string& input);

/// The folder of `--out`, or `out/NAME`.
std::filesystem::path folder_of(const OutArguments& out, const std::string& name);

/// Options for a folder in which files that Weft did not write are moved aside, with a note on standard error.
OutputFolderOptions results_of(const OutArguments& out, std::vector<std::string> certain,
                               std::vector<std::string> kept = {});

/// Throws InputError for a folder with the checkpoint of a run that is not over, without `--overwrite`: hours of it are
/// not removed with what it has left.
void refuse_checkpoint(const OutArguments& out, const std::filesystem::path& folder);

/// Throws InputError when fresh_folder would; makes nothing, as the input may still turn out to be wrong.
void check_folder(const OutArguments& out, const std::string& name, const std::vector<std::string>& more = {});

/// The folder of `--out` (or `out/NAME`), locked and empty of old results, for a report, `more` files, and those that
/// are `kept` by later commands.
std::unique_ptr<OutputFolder> fresh_folder(const OutArguments& out, const std::string& name,
                                           const std::vector<std::string>& more = {},
                                           const std::vector<std::string>& kept = {});

/// Writes NAME.svg and NAME.gp, the script it is drawn by; returns their paths. Without gnuplot the script alone, with
/// a warning: results do not depend on pictures.
std::vector<std::filesystem::path> draw_chart(const std::filesystem::path& folder, const std::string& name,
                                              const Chart& chart);

/// Checks the names of a waveform and of its view before anything is removed: they must not land on each other, on an
/// input, or, without `--overwrite`, on files that Weft did not write. Makes their folder.
void check_waves(const std::string& waves, bool overwrite);

/// Removes the waveform and the view of an earlier run.
void remove_old_waves(const std::string& waves);

/// Whether something has that name, a link to nothing included.
bool is_there(const std::filesystem::path& path);

/// Throws InputError for a file that is there and no page of ours.
void check_page(const std::string& file);

/// Throws InputError for a file that is there already, without `--overwrite`.
void check_file(const OutArguments& out);

}  // namespace weft::cli
