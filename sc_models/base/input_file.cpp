#include "base/input_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <map>
#include <new>

#include "base/files.h"
#include "base/text.h"
#include "base/units.h"

namespace weft {
namespace fs = std::filesystem;
namespace {

constexpr std::size_t kPiece = std::size_t{1} << 18;
constexpr std::size_t kLast = 4096;  // bytes: what is looked for behind the end of a file
constexpr std::size_t kLongestLine = std::size_t{1} << 20;

std::uint64_t g_largest = kLargestInput;

// What was read from pipes and devices, by name; another pipe may get the name of one that is gone.
struct KeptId {
  std::string name;
  dev_t device = 0;
  ino_t number = 0;
  auto operator<=>(const KeptId&) const = default;
};

std::map<KeptId, std::shared_ptr<const std::string>>& kept_texts() {
  static std::map<KeptId, std::shared_ptr<const std::string>> texts;
  return texts;
}

// Standard input may be a socket, which cannot be opened by its name.
int open_input(const fs::path& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOCTTY);
  if (file >= 0 || errno != ENXIO || path != "/dev/stdin") return file;
  return ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0);
}

}  // namespace

void set_largest_input(std::uint64_t bytes) { g_largest = bytes; }
std::uint64_t largest_input() { return g_largest; }

InputFile::Handle::~Handle() {
  if (number >= 0) ::close(number);
}

InputFile::InputFile(const fs::path& path) : path_(path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) fail(fmt::format("cannot be read: {}", std::strerror(errno)));
  if (S_ISDIR(info.st_mode)) fail("is a folder, not a file");
  const bool regular = S_ISREG(info.st_mode);
  const KeptId id{path.string(), info.st_dev, info.st_ino};
  if (const auto known = kept_texts().find(id); !regular && known != kept_texts().end()) {
    kept_ = known->second;
    return;
  }
  file_.number = open_input(path);
  if (file_.number < 0) fail(fmt::format("cannot be read: {}", std::strerror(errno)));
  note_input(path);
  if (regular) {
    size_ = static_cast<std::uint64_t>(info.st_size);
    check_size(size_);
  } else {
    auto text = std::make_shared<const std::string>(read_rest());
    kept_ = kept_texts()[id] = std::move(text);
    done_ = 0;
  }
}

void InputFile::fail(const std::string& why) const { throw InputError({path_.string()}, why); }

void InputFile::check_size(std::uint64_t bytes) const {
  if (bytes <= g_largest) return;
  const DataSize largest{static_cast<std::int64_t>(8 * g_largest)};
  fail(fmt::format("is larger than {}, the largest input that is read (set by --max-input)", to_string(largest)));
}

std::size_t InputFile::read(char* to, std::size_t most) {
  if (kept_) {
    const std::size_t got = kept_->copy(to, most, done_);
    done_ += got;
    return got;
  }
  ssize_t got = 0;
  do {
    got = ::read(file_.number, to, most);
  } while (got < 0 && errno == EINTR);
  if (got < 0) fail(fmt::format("cannot be read to its end: {} after {} bytes", std::strerror(errno), done_));
  if (got == 0 && done_ < size_) {
    fail(fmt::format("ends after {} of its {} bytes; it was changed while it was read", done_, size_));
  }
  done_ += static_cast<std::uint64_t>(got);
  check_size(done_);
  return static_cast<std::size_t>(got);
}

std::string InputFile::read_rest() {
  try {
    std::string text;
    text.reserve(size_ + kPiece);
    for (std::size_t got = 1; got > 0;) {
      // What resize() adds is written: no more of it than comes, where that is known, and little for the end.
      const std::size_t begin = text.size();
      const std::uint64_t coming = size_ > done_ ? size_ - done_ : size_ > 0 ? kLast : kPiece;
      const auto piece = static_cast<std::size_t>(std::min<std::uint64_t>(coming, kPiece));
      text.resize(begin + piece);
      got = read(text.data() + begin, piece);
      text.resize(begin + got);
    }
    return text;
  } catch (const std::bad_alloc&) {
    fail(fmt::format("does not fit in memory after {} bytes", done_));
  }
}

std::string read_file(const fs::path& path) { return InputFile(path).read_rest(); }

fs::path folder_of_input(const fs::path& path) {
  std::error_code ec;
  return fs::is_regular_file(path, ec) ? path.parent_path() : fs::path();
}

LineFile::LineFile(std::string path) : path_(std::move(path)), file_(path_), buffer_(kPiece) {}

bool LineFile::next(std::string_view& line) {
  std::size_t searched = begin_;
  for (;;) {
    const void* const newline =
        searched < end_ ? std::memchr(buffer_.data() + searched, '\n', end_ - searched) : nullptr;
    if (newline != nullptr || (at_end_ && begin_ < end_)) {
      const std::size_t stop =
          newline != nullptr ? static_cast<std::size_t>(static_cast<const char*>(newline) - buffer_.data()) : end_;
      line = {buffer_.data() + begin_, stop - begin_};
      begin_ = std::min(end_, stop + 1);
      if (number_++ == 0 && line.starts_with(kByteOrderMark)) line.remove_prefix(kByteOrderMark.size());
      if (line.ends_with('\r')) line.remove_suffix(1);
      return true;
    }
    if (at_end_) return false;
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    end_ -= begin_;
    begin_ = 0;
    searched = end_;
    if (end_ > kLongestLine)
      throw InputError({path_, number_ + 1}, fmt::format("a line of more than {} bytes", kLongestLine));
    buffer_.resize(std::max(buffer_.size(), end_ + kPiece));
    const std::size_t got = file_.read(buffer_.data() + end_, buffer_.size() - end_);
    at_end_ = got == 0;
    end_ += got;
  }
}

}  // namespace weft
