#pragma once
// Folder of results that one command holds: locked against other commands, with a manifest of the files that Weft wrote
// there.
//
// The manifest, `.weft-manifest`, is a journal. A file is noted before it is begun (`part NAME`) and again, with size
// and time of its last change, before it gets its name (`file SIZE TIME NAME`); so after a kill at any moment every
// file of ours is in it. A file whose size or time differs from its line was changed or replaced by somebody since, and
// is no longer ours. `kept NAME` is a store that outlives runs (the database of a sweep). Names are plain: nothing is
// written or removed below the folder itself, and symbolic links in it are never followed.
//
// The lock is one on the manifest (flock), so that a killed process leaves none behind.

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

struct OutputFolderOptions {
  bool overwrite = false;            ///< files that are not ours may be replaced by those that are written
  std::vector<std::string> certain;  ///< names that the command is going to write in any case
  std::vector<std::string> kept;     ///< stores that it opens itself
  std::vector<std::string> stale;    ///< stores of earlier commands that clear() removes with what else they left
  /// Called with a sentence when a file that is not ours stood in the way and was given another name.
  std::function<void(const std::string&)> note = [](const std::string&) {};
};

class OutputFolder {
 public:
  /// Makes the folder when needed and locks it; removes nothing. Throws InputError for a folder that cannot be written,
  /// is in use by another command, holds an input of this one, has files but no manifest, or has one that names files
  /// that were changed since; the last two not with `overwrite`.
  OutputFolder(const std::filesystem::path& folder, const OutputFolderOptions& options);
  ~OutputFolder();
  OutputFolder(const OutputFolder&) = delete;
  OutputFolder& operator=(const OutputFolder&) = delete;

  const std::filesystem::path& path() const;  ///< as it was given
  /// Removes the results of earlier commands, the last written first: what the manifest names and nobody has changed,
  /// but for what is kept; with `overwrite` also what stands under the names that are certain.
  void clear();

  /// The refusals of the constructor for a folder that exists; makes and locks nothing.
  static void check(const std::filesystem::path& folder, const OutputFolderOptions& options);

 private:
  friend class OutputFile;
  class Impl;
  std::unique_ptr<Impl> impl_;
};

/// File under way: written under `<name>.part`, which its writer opens, until keep() gives it its name. In a folder
/// that is held it enters the manifest; what stands there and is not ours is moved out of the way (`<name>.kept`).
class OutputFile {
 public:
  /// Makes an empty `.part`. Throws InputError when that is not possible, when the file would replace an input of this
  /// process, and, outside of a held folder, when there is a `.part` already.
  explicit OutputFile(const std::filesystem::path& path);
  ~OutputFile();  ///< removes the `.part` unless it was kept or left
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  const std::filesystem::path& path() const { return path_; }
  const std::filesystem::path& temporary() const { return temporary_; }
  /// Gives the complete and closed file its name. Throws InputError when that fails.
  void keep();
  /// Another process is going to make the `.part` of this file: enters the manifest of a folder that is held.
  static void announce(const std::filesystem::path& path);

  /// Leaves the `.part` where it is: the run did not get to its end.
  void leave() { open_ = false; }

 private:
  std::filesystem::path path_;
  std::filesystem::path temporary_;
  OutputFolder::Impl* folder_ = nullptr;
  bool open_ = false;
};

/// Writes `content` under a temporary name beside `path`, then renames it. Throws as cannot_write() when that fails;
/// the old file, if any, is then untouched.
void write_file(const std::filesystem::path& path, std::string_view content);

}  // namespace weft
