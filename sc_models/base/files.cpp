#include "base/files.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <set>
#include <sstream>

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

// The name in its folder, however that is reached: an output replaces a name, not what a link of that name leads to.
fs::path place_of(const fs::path& path) {
  std::error_code ec;
  const fs::path whole = fs::absolute(path, ec);
  return fs::weakly_canonical(whole.parent_path(), ec) / whole.filename();
}

fs::path temporary_of(const fs::path& path) { return path.string() + ".part"; }

}  // namespace

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

std::string read_file(const fs::path& path) {
  std::error_code ec;
  if (fs::is_directory(path, ec)) throw InputError({path.string()}, "is a folder, not a file");
  errno = 0;
  std::ifstream in(path, std::ios::binary);
  if (!in) throw InputError({path.string()}, std::string("cannot be read: ") + std::strerror(errno));
  std::ostringstream out;
  out << in.rdbuf();
  if (in.bad()) throw InputError({path.string()}, "cannot be read to its end");
  note_input(path);
  return std::move(out).str();
}

std::string read_file(const fs::path& path, const Location& where, const std::string& key) {
  try {
    return read_file(path);
  } catch (const InputError& e) {
    const Diagnostic& why = e.list().front();
    throw InputError(where, key + ": " + why.where.text() + ": " + why.message);
  }
}

void prepare_folder(const fs::path& folder) {
  std::error_code ec;
  fs::create_directories(folder, ec);
  if (ec) throw InputError({folder.string()}, "cannot create the output folder: " + ec.message());
  if (!fs::is_directory(folder, ec)) throw InputError({folder.string()}, "is not a folder");
  const fs::path probe = folder / ".weft-probe";
  errno = 0;
  std::ofstream out(probe);
  if (!out)
    throw InputError({folder.string()}, std::string("cannot write in the output folder: ") + std::strerror(errno));
  out.close();
  fs::remove(probe, ec);
}

void write_file(const fs::path& path, std::string_view content) {
  check_output(path);
  const fs::path temporary = temporary_of(path);
  std::error_code ec;
  errno = 0;
  std::ofstream out(temporary, std::ios::binary | std::ios::trunc);
  if (out) out.write(content.data(), static_cast<std::streamsize>(content.size()));
  if (out) out.close();
  if (!out) {
    const std::string why = std::strerror(errno);
    fs::remove(temporary, ec);
    throw InputError({path.string()}, "cannot be written: " + why);
  }
  fs::rename(temporary, path, ec);
  if (ec) {
    const std::string why = ec.message();
    fs::remove(temporary, ec);
    throw InputError({path.string()}, "cannot be written: " + why);
  }
}

}  // namespace weft
