#include "base/files.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <set>

#include "base/diagnostics.h"

namespace weft {
namespace fs = std::filesystem;
namespace {

// What this process has read, and what it has written, by place.
struct Known {
  std::set<fs::path> inputs, outputs;
};

Known& known() {
  static Known files;
  return files;
}

}  // namespace

fs::path place_of(const fs::path& path) {
  std::error_code ec;
  const fs::path whole = fs::absolute(path, ec);
  return fs::weakly_canonical(whole.parent_path(), ec) / whole.filename();
}

fs::path temporary_of(const fs::path& path) { return path.string() + ".part"; }

std::vector<fs::path> inputs_in(const fs::path& folder) {
  std::vector<fs::path> out;
  std::copy_if(known().inputs.begin(), known().inputs.end(), std::back_inserter(out),
               [&](const fs::path& input) { return input.parent_path() == folder; });
  return out;
}

void note_input(const fs::path& path) {
  std::error_code ec;
  for (const fs::path& place : {place_of(path), fs::canonical(path, ec)}) {
    if (known().outputs.count(place) == 0) known().inputs.insert(place);
  }
}

void check_output(const fs::path& path) {
  for (const fs::path& place : {place_of(path), place_of(temporary_of(path))}) {
    if (known().inputs.count(place) == 0) continue;
    throw InputError({path.string()}, "is read by this command and would be overwritten; give another name or folder");
  }
  known().outputs.insert(place_of(path));
}

void prepare_folder(const fs::path& folder) {
  std::error_code ec;
  fs::create_directories(folder, ec);
  if (ec) throw InputError({folder.string()}, "cannot create the output folder: " + ec.message());
  if (!fs::is_directory(folder, ec)) throw InputError({folder.string()}, "is not a folder");
  std::string probe = (folder / ".weft-probe-XXXXXX").string();
  const int fd = mkstemp(probe.data());
  if (fd < 0) {
    throw InputError({folder.string()}, std::string("cannot write in the output folder: ") + std::strerror(errno));
  }
  close(fd);
  unlink(probe.c_str());
}

void cannot_write(const fs::path& path, int error) {
  const std::string why = std::string("cannot be written: ") + std::strerror(error != 0 ? error : EIO);
  switch (error) {
    case ENOSPC:
    case EDQUOT:
    case EFBIG:
    case EIO:
    case 0:
      throw RunError(path.string() + ": " + why);
    default:
      throw InputError({path.string()}, why);
  }
}

}  // namespace weft
