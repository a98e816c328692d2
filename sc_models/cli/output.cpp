#include "cli/output.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <string_view>

#include "base/diagnostics.h"
#include "base/files.h"
#include "cli/terminal.h"
#include "cosim/common/fst_wave_file.h"
#include "observe/gtkw.h"

namespace weft::cli {
namespace fs = std::filesystem;
namespace {

// Bytes of the character of UTF-8 that `text` begins with; 0: it begins with none, or with a control character.
std::size_t character(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) < 0x80) return byte(0) < 0x20 || byte(0) == 0x7f ? 0 : 1;
  const std::size_t size = byte(0) >= 0xf0 ? 4 : byte(0) >= 0xe0 ? 3 : 2;
  if (byte(0) < 0xc2 || byte(0) > 0xf4 || text.size() < size) return 0;
  if (byte(0) == 0xc2 && byte(1) < 0xa0) return 0;
  for (std::size_t i = 1; i < size; ++i) {
    if ((byte(i) & 0xc0) != 0x80) return 0;
  }
  return size;
}

fs::path view_of(const fs::path& waves) { return fs::path(waves).replace_extension(".gtkw"); }

bool is_file(const fs::path& path) {
  std::error_code ec;
  return fs::symlink_status(path, ec).type() == fs::file_type::regular;
}

// Files of an earlier run under the name of this waveform, the half-written ones included.
struct OldWaves {
  fs::path path;
  bool ours = false;
};

std::vector<OldWaves> old_waves(const fs::path& waves) {
  const fs::path part = temporary_of(waves);
  const fs::path view = view_of(waves);
  const bool began = is_file(part) && is_weft_wave(part);
  std::vector<OldWaves> out{{waves, is_file(waves) && is_weft_wave(waves)},
                            {part, began},
                            {part.string() + ".hier", began && is_file(part.string() + ".hier")},
                            {view, is_file(view) && is_weft_view(view)}};
  // Of ranks, one each (run/waves/rank_wave_file.h).
  const std::string begin = waves.filename().string() + ".rank";
  std::error_code ec;
  for (const fs::directory_entry& e : fs::directory_iterator(waves.has_parent_path() ? waves.parent_path() : ".", ec)) {
    const bool of_rank = e.path().filename().string().starts_with(begin) && e.path().extension() == ".part";
    if (!of_rank) continue;
    const bool ours = is_file(e.path()) && is_weft_wave(e.path());
    const fs::path hierarchy = e.path().string() + ".hier";
    out.push_back({hierarchy, ours && is_file(hierarchy)});
    out.push_back({e.path(), ours});
  }
  std::erase_if(out, [](const OldWaves& old) { return !is_there(old.path); });
  return out;
}

OutputFolderOptions with_report(const OutArguments& out, std::vector<std::string> files,
                                std::vector<std::string> kept = {}) {
  files.insert(files.end(), {"report.json", "report.html"});
  OutputFolderOptions options = results_of(out, std::move(files), std::move(kept));
  options.stale.emplace_back(kCheckpoint);  // of a run whose results are removed
  return options;
}

}  // namespace

bool is_there(const fs::path& path) {
  std::error_code ec;
  return fs::symlink_status(path, ec).type() != fs::file_type::not_found;
}

std::string plain_name(const std::string& input) {
  const std::string stem = fs::path(input).stem().string();
  std::string out;
  for (std::size_t i = 0; i < stem.size();) {
    const std::size_t size = character(std::string_view(stem).substr(i));
    out += size == 0 ? "_" : stem.substr(i, size);
    i += std::max<std::size_t>(1, size);
  }
  out.erase(0, std::min(out.size(), out.find_first_not_of(".-")));
  return out.empty() ? "results" : out;
}

fs::path folder_of(const OutArguments& out, const std::string& name) {
  return out.path.empty() ? fs::path("out") / name : fs::path(out.path);
}

OutputFolderOptions results_of(const OutArguments& out, std::vector<std::string> certain,
                               std::vector<std::string> kept) {
  const auto note = [](const std::string& text) { say(stderr, "note: {}\n", text); };
  if (out.overwrite) certain.emplace_back(kCheckpoint);  // whose ever it is, and whatever the command
  return {out.overwrite, std::move(certain), std::move(kept), {}, note};
}

void refuse_checkpoint(const OutArguments& out, const fs::path& folder) {
  if (out.overwrite || !is_there(folder / kCheckpoint)) return;
  throw InputError({folder.string()},
                   fmt::format("has the checkpoint of a run that is not over: go on with it by `weft run --resume {}`, "
                               "give another folder with --out, or remove the run with --overwrite",
                               folder.string()));
}

void check_folder(const OutArguments& out, const std::string& name, const std::vector<std::string>& more) {
  const fs::path folder = folder_of(out, name);
  OutputFolder::check(folder, with_report(out, more));
  refuse_checkpoint(out, folder);
}

std::unique_ptr<OutputFolder> fresh_folder(const OutArguments& out, const std::string& name,
                                           const std::vector<std::string>& more, const std::vector<std::string>& kept) {
  auto folder = std::make_unique<OutputFolder>(folder_of(out, name), with_report(out, more, kept));
  refuse_checkpoint(out, folder->path());
  folder->clear();
  return folder;
}

void check_waves(const std::string& waves, bool overwrite) {
  const fs::path path(waves);
  if (path.extension() != ".fst") throw InputError({"--waves " + waves}, "expected a file name that ends in .fst");
  check_output(path);
  check_output(view_of(path));
  if (path.has_parent_path()) prepare_folder(path.parent_path());
  for (const OldWaves& old : old_waves(path)) {
    std::error_code ec;
    if (fs::is_directory(fs::symlink_status(old.path, ec))) {
      throw InputError({old.path.string()}, "is a folder, not a file of a waveform");
    }
    if (is_being_written(old.path)) {
      throw InputError({waves}, "is being written by another weft command; give another name");
    }
    if (old.ours || overwrite) continue;
    throw InputError({old.path.string()},
                     "exists and was not written by Weft, or was changed since; give another name, or replace it by "
                     "--overwrite");
  }
}

void remove_old_waves(const std::string& waves) {
  for (const OldWaves& old : old_waves(waves)) {
    std::error_code ec;
    fs::remove(old.path, ec);
    if (ec) throw InputError({old.path.string()}, "an old waveform, cannot be removed: " + ec.message());
  }
}

void check_file(const OutArguments& out) {
  if (out.path.empty() || out.overwrite || !is_there(out.path)) return;
  throw InputError({out.path}, "exists; give another name, or replace it with --overwrite");
}

std::vector<fs::path> draw_chart(const fs::path& folder, const std::string& name, const Chart& chart) {
  try {
    return write_chart(folder, name, chart);
  } catch (const NoGnuplot& e) {
    say(stderr, "warning: {}.svg is not drawn: {}; its script is {}.gp\n", name, e.what(), name);
    return {folder / (name + ".gp")};
  }
}

void check_page(const std::string& file) {
  constexpr std::string_view kBegin = "<!doctype html>";
  if (!is_there(file)) return;
  std::string begin(kBegin.size(), '\0');
  std::ifstream(file).read(begin.data(), static_cast<std::streamsize>(begin.size()));
  if (begin == kBegin) return;
  throw InputError({file}, "exists and is not a page of Weft; give another name");
}

}  // namespace weft::cli
