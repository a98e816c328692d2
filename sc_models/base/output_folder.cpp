#include "base/output_folder.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <fstream>
#include <optional>
#include <thread>

#include "base/diagnostics.h"
#include "base/files.h"
#include "base/output_manifest.h"

namespace weft {
namespace fs = std::filesystem;
namespace {

// Endings of what Weft writes: an input of such a name in the folder could be written over.
constexpr std::array kEndings{".csv", ".json", ".jsonl", ".html", ".svg", ".gp", ".txt", ".sqlite", ".part"};
// What stands beside a file while it is written; the second is the FST writer's.
constexpr std::array kBesides{".part", ".part.hier"};

constexpr const char* kAdvice = "move them away, name another folder, or replace files with --overwrite";

std::string reason() { return std::strerror(errno); }

// The file itself, be it a link.
std::optional<struct stat> status_of(const fs::path& path) {
  struct stat status {};
  if (lstat(path.c_str(), &status) != 0) return std::nullopt;
  return status;
}

bool has(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_regular(const struct stat& status) { return S_ISREG(status.st_mode); }

// Several names in a sentence.
std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t kMost = 5;
  std::string out;
  for (std::size_t i = 0; i < std::min(kMost, names.size()); ++i) out += (i == 0 ? "" : ", ") + names[i];
  return names.size() > kMost ? fmt::format("{} and {} more", out, names.size() - kMost) : out;
}

}  // namespace

class OutputFolder::Impl {
 public:
  Impl(const fs::path& folder, const OutputFolderOptions& options, bool make)
      : folder_(folder), options_(options), make_(make) {}
  ~Impl() {
    if (fd_ >= 0) close(fd_);
    std::erase(held(), this);
  }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  static std::vector<Impl*>& held() {
    static std::vector<Impl*> folders;
    return folders;
  }
  /// The folder that is held and has a file at `place`, if any.
  static Impl* of(const fs::path& place) {
    const auto at =
        std::find_if(held().begin(), held().end(), [&](const Impl* f) { return f->place_ == place.parent_path(); });
    return at == held().end() ? nullptr : *at;
  }

  const fs::path& folder() const { return folder_; }
  void open();
  void clear();
  void begin(const std::string& name);
  void keep(const std::string& name);

 private:
  bool open_manifest();
  void lock() const;
  void read();
  void refuse_foreign() const;
  void refuse_inputs() const;
  bool ours(const std::string& name, const struct stat& status) const;
  bool is_empty() const;
  void append(const std::string& line);
  void move_aside(const std::string& name) const;
  std::string text_of(const std::string& name) const { return (folder_ / name).string(); }

  fs::path folder_;
  fs::path place_;
  OutputFolderOptions options_;
  bool make_;
  int fd_ = -1;
  OutputManifest manifest_;
};

void OutputFolder::Impl::open() {
  std::error_code ec;
  if (make_) fs::create_directories(folder_, ec);
  if (ec) throw InputError({folder_.string()}, "cannot create the output folder: " + ec.message());
  const bool exists = fs::exists(folder_, ec);
  if (!exists && !make_) return;
  if (!fs::is_directory(folder_, ec)) throw InputError({folder_.string()}, "is not a folder");
  place_ = fs::canonical(folder_, ec);
  if (ec) throw InputError({folder_.string()}, "cannot be used as the output folder: " + ec.message());
  refuse_inputs();
  if (!open_manifest()) return;
  if (make_) lock();
  read();
  refuse_foreign();
  if (!make_) return;
  for (const std::string& name : options_.kept) {
    const OutputManifest::Entry* e = manifest_.find(name);
    if (e == nullptr || !e->kept) append(OutputManifest::kept_line(name));
  }
  held().push_back(this);
}

// False: there is none, and none is to be made.
bool OutputFolder::Impl::open_manifest() {
  const fs::path path = place_ / kManifestName;
  constexpr int kFlags = O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_APPEND;
  const int mode = make_ ? O_RDWR : O_RDONLY;
  fd_ = ::open(path.c_str(), mode | kFlags);
  if (fd_ < 0 && errno == ENOENT) {
    if (!options_.overwrite && !is_empty()) {
      throw InputError(
          {folder_.string()},
          "the folder is not empty, and Weft did not write it (it has no manifest): name another folder, or "
          "use --overwrite to replace files of the same name");
    }
    if (!make_) return false;
    fd_ = ::open(path.c_str(), mode | kFlags | O_CREAT, 0666);
  }
  if (fd_ < 0 && errno == ELOOP) throw InputError({text_of(kManifestName)}, "is a link, not a manifest of Weft's");
  if (fd_ < 0) throw InputError({folder_.string()}, "cannot write in the output folder: " + reason());
  struct stat status {};
  if (fstat(fd_, &status) != 0 || !is_regular(status)) {
    throw InputError({text_of(kManifestName)}, "is not a manifest of Weft's");
  }
  return true;
}

void OutputFolder::Impl::lock() const {
  // A command that was killed leaves the lock to a process it had just forked, for the moment until that becomes
  // another program.
  constexpr int kTries = 50;
  constexpr std::chrono::milliseconds kPause{20};
  for (int tries = 0; flock(fd_, LOCK_EX | LOCK_NB) != 0; ++tries) {
    if (errno == ENOLCK || errno == EOPNOTSUPP || errno == ENOSYS) return;  // a file system without locks
    if (errno != EWOULDBLOCK) throw InputError({folder_.string()}, "the folder cannot be locked: " + reason());
    if (tries == kTries) {
      throw InputError({folder_.string()},
                       "is in use by another weft command; wait for its end or name another folder");
    }
    std::this_thread::sleep_for(kPause);
  }
}

void OutputFolder::Impl::read() {
  std::string text;
  std::array<char, 65536> buffer;
  for (ssize_t n = 0; (n = ::read(fd_, buffer.data(), buffer.size())) != 0;) {
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw InputError({text_of(kManifestName)}, "cannot be read: " + reason());
    text.append(buffer.data(), static_cast<std::size_t>(n));
  }
  auto manifest = OutputManifest::parse(text);
  if (!manifest && !options_.overwrite) {
    throw InputError(
        {text_of(kManifestName)},
        "is not a manifest of Weft's, so the files of the folder that are Weft's are unknown: name another folder, "
        "or use --overwrite to replace files of the same name");
  }
  if (manifest) manifest_ = std::move(*manifest);
  if (!make_) return;
  const std::string header = OutputManifest::header();
  // What was not written to its end goes.
  const std::size_t whole = text.starts_with(header) && manifest ? text.rfind('\n') + 1 : 0;
  if (ftruncate(fd_, static_cast<off_t>(whole)) != 0 || (whole == 0 && write(fd_, header.data(), header.size()) < 0)) {
    cannot_write(text_of(kManifestName), errno);
  }
}

bool OutputFolder::Impl::is_empty() const {
  std::error_code ec;
  const bool empty = fs::is_empty(place_, ec);
  if (ec) throw InputError({folder_.string()}, "cannot be read: " + ec.message());
  return empty;
}

void OutputFolder::Impl::refuse_inputs() const {
  for (const fs::path& input : inputs_in(place_)) {
    const std::string name = input.filename().string();
    const bool certain = std::count(options_.certain.begin(), options_.certain.end(), name) != 0;
    if (!certain && std::none_of(kEndings.begin(), kEndings.end(), [&](auto end) { return name.ends_with(end); })) {
      continue;
    }
    throw InputError({text_of(name)},
                     "is read by this command and would be overwritten by a result of that name; give another folder");
  }
}

void OutputFolder::Impl::refuse_foreign() const {
  std::vector<std::string> changed;
  std::vector<std::string> foreign;
  for (const std::string& name : manifest_.names()) {
    const auto status = status_of(place_ / name);
    if (status && manifest_.find(name)->stamp && !ours(name, *status)) changed.push_back(name);
  }
  for (const std::string& name : options_.certain) {
    const auto status = status_of(place_ / name);
    if (!status) continue;
    if (S_ISDIR(status->st_mode)) throw InputError({text_of(name)}, "is a folder, where a file is to be written");
    const OutputManifest::Entry* e = manifest_.find(name);
    if (e == nullptr || !e->stamp) foreign.push_back(name);
  }
  for (const std::string& name : options_.kept) {
    const auto status = status_of(place_ / name);
    if (!status) continue;
    if (!is_regular(*status)) throw InputError({text_of(name)}, "is a link or a folder, not a file of Weft's");
    const OutputManifest::Entry* e = manifest_.find(name);
    if (e == nullptr || !e->kept) foreign.push_back(name);
  }
  if (options_.overwrite) return;
  if (!changed.empty()) {
    throw InputError({folder_.string()}, fmt::format("files were changed or replaced since Weft wrote them ({}): {}",
                                                     listed(changed), kAdvice));
  }
  if (!foreign.empty()) {
    throw InputError({folder_.string()},
                     fmt::format("files that Weft did not write are in the way ({}): {}", listed(foreign), kAdvice));
  }
}

// Nobody has changed it since its last line in the manifest.
bool OutputFolder::Impl::ours(const std::string& name, const struct stat& status) const {
  const OutputManifest::Entry* e = manifest_.find(name);
  return e != nullptr && e->stamp && is_regular(status) && *e->stamp == stamp_of(status);
}

void OutputFolder::Impl::append(const std::string& line) {
  if (write(fd_, line.data(), line.size()) != static_cast<ssize_t>(line.size())) {
    cannot_write(text_of(kManifestName), errno);
  }
  manifest_.add(line);
}

void OutputFolder::Impl::clear() {
  std::vector<fs::path> old;
  for (auto name = manifest_.names().rbegin(); name != manifest_.names().rend(); ++name) {
    const OutputManifest::Entry& e = *manifest_.find(*name);
    const fs::path path = place_ / *name;
    const bool stale = e.kept && has(options_.stale, *name);
    if (const auto status = status_of(path); status && (e.kept ? stale : ours(*name, *status))) old.push_back(path);
    for (const char* beside : kBesides) {
      const fs::path part = path.string() + beside;
      if (const auto status = status_of(part); status && (e.part || stale) && is_regular(*status)) old.push_back(part);
    }
  }
  if (options_.overwrite) {
    for (const std::string& name : options_.certain) {
      if (status_of(place_ / name)) old.push_back(place_ / name);
    }
  }
  for (const fs::path& path : old) check_output(path);
  for (const fs::path& path : old) {
    if (unlink(path.c_str()) != 0 && errno != ENOENT) {
      throw InputError({text_of(path.filename().string())}, "an old result, cannot be removed: " + reason());
    }
  }
  std::string text = OutputManifest::header();
  for (const std::string& name : manifest_.names()) {
    const bool stays = has(options_.kept, name) || !has(options_.stale, name);
    if (manifest_.find(name)->kept && stays) text += OutputManifest::kept_line(name);
  }
  // The manifest of a sweep begins with what is kept, and is never without it.
  std::string begin(text.size(), '\0');
  const bool is_there =
      pread(fd_, begin.data(), begin.size(), 0) == static_cast<ssize_t>(begin.size()) && begin == text;
  const bool cut = ftruncate(fd_, is_there ? static_cast<off_t>(text.size()) : 0) == 0;
  if (!cut || (!is_there && write(fd_, text.data(), text.size()) != static_cast<ssize_t>(text.size()))) {
    cannot_write(text_of(kManifestName), errno);
  }
  manifest_ = *OutputManifest::parse(text);
}

// A file, link or folder that is not ours gets another name.
void OutputFolder::Impl::move_aside(const std::string& name) const {
  std::string to = name + ".kept";
  for (int n = 2; status_of(place_ / to); ++n) to = fmt::format("{}.kept{}", name, n);
  if (std::rename((place_ / name).c_str(), (place_ / to).c_str()) != 0) {
    throw InputError({text_of(name)}, "is in the way and cannot be moved: " + reason());
  }
  options_.note(fmt::format("{} was not written by Weft; it is kept as {}", text_of(name), to));
}

void OutputFolder::Impl::begin(const std::string& name) {
  const OutputManifest::Entry* e = manifest_.find(name);
  const bool begun = e != nullptr && e->part;
  for (const char* beside : kBesides) {
    const std::string part = name + beside;
    const auto status = status_of(place_ / part);
    if (!status) continue;
    if (!begun || !is_regular(*status)) {
      move_aside(part);
    } else if (unlink((place_ / part).c_str()) != 0) {
      throw InputError({text_of(part)}, "cannot be replaced: " + reason());
    }
  }
  if (!begun) append(OutputManifest::part_line(name));
}

void OutputFolder::Impl::keep(const std::string& name) {
  const auto status = status_of(place_ / name);
  const bool replaced = options_.overwrite && status && !S_ISDIR(status->st_mode);
  if (status && !replaced && !ours(name, *status)) move_aside(name);
  const auto written = status_of(place_ / (name + ".part"));
  if (!written) cannot_write(text_of(name), errno);
  append(OutputManifest::file_line(name, stamp_of(*written)));
}

OutputFolder::OutputFolder(const fs::path& folder, const OutputFolderOptions& options)
    : impl_(std::make_unique<Impl>(folder, options, true)) {
  impl_->open();
}

OutputFolder::~OutputFolder() = default;
const fs::path& OutputFolder::path() const { return impl_->folder(); }
void OutputFolder::clear() { impl_->clear(); }

void OutputFolder::check(const fs::path& folder, const OutputFolderOptions& options) {
  Impl(folder, options, false).open();
}

OutputFile::OutputFile(const fs::path& path) : path_(path), temporary_(temporary_of(path)) {
  check_output(path);
  const fs::path place = place_of(path);
  folder_ = OutputFolder::Impl::of(place);
  if (folder_ != nullptr) folder_->begin(place.filename().string());
  const int fd = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (fd < 0 && errno == EEXIST) {
    throw InputError({temporary_.string()},
                     "exists: another command is writing it, or was killed; remove it in that case");
  }
  if (fd < 0) cannot_write(path, errno);
  close(fd);
  open_ = true;
}

void OutputFile::announce(const fs::path& path) {
  const fs::path place = place_of(path);
  if (OutputFolder::Impl* const folder = OutputFolder::Impl::of(place)) folder->begin(place.filename().string());
}

OutputFile::~OutputFile() {
  if (open_) unlink(temporary_.c_str());
}

void OutputFile::keep() {
  if (folder_ != nullptr) folder_->keep(place_of(path_).filename().string());
  if (std::rename(temporary_.c_str(), path_.c_str()) != 0) {
    cannot_write(path_, errno);
  }
  open_ = false;
}

void write_file(const fs::path& path, std::string_view content) {
  OutputFile file(path);
  errno = 0;
  std::ofstream out(file.temporary(), std::ios::binary | std::ios::trunc);
  if (out) out.write(content.data(), static_cast<std::streamsize>(content.size()));
  if (out) out.close();
  if (!out) cannot_write(path, errno);
  file.keep();
}

}  // namespace weft
