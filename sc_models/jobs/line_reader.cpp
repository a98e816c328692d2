#include "jobs/line_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>

#include "base/files.h"
#include "base/text.h"

namespace weft::jobs {
namespace {

constexpr std::size_t kPiece = std::size_t{1} << 18;
constexpr std::size_t kLongestLine = std::size_t{1} << 20;
constexpr std::size_t kLongestName = 64;

bool printable(char c) { return c > ' ' && c < '\x7f'; }

}  // namespace

LineReader::LineReader(std::string path, char comment) : path_(std::move(path)), comment_(comment) {
  std::error_code ec;
  if (std::filesystem::is_directory(path_, ec)) throw InputError({path_}, "is a folder, not a file");
  if (std::filesystem::exists(path_, ec) && !std::filesystem::is_regular_file(path_, ec)) {
    throw InputError({path_}, "is not a regular file; it is read more than once, so a pipe will not do");
  }
  errno = 0;
  file_.reset(std::fopen(path_.c_str(), "rb"));
  if (!file_) throw InputError({path_}, std::string("cannot be read: ") + std::strerror(errno));
  note_input(path_);
  buffer_.resize(kPiece);
}

bool LineReader::read_line(std::string_view& line) {
  std::size_t searched = begin_;
  while (true) {
    const void* const newline =
        searched < end_ ? std::memchr(buffer_.data() + searched, '\n', end_ - searched) : nullptr;
    if (newline != nullptr || (at_end_ && begin_ < end_)) {
      const std::size_t stop =
          newline != nullptr ? static_cast<std::size_t>(static_cast<const char*>(newline) - buffer_.data()) : end_;
      line = {buffer_.data() + begin_, stop - begin_};
      begin_ = std::min(end_, stop + 1);
      if (line_++ == 0 && line.starts_with(kByteOrderMark)) line.remove_prefix(kByteOrderMark.size());
      return true;
    }
    if (at_end_) return false;
    std::memmove(buffer_.data(), buffer_.data() + begin_, end_ - begin_);
    searched = end_ - begin_;
    end_ -= begin_;
    begin_ = 0;
    if (end_ > kLongestLine)
      throw InputError({path_, line_ + 1}, fmt::format("a line of more than {} bytes", kLongestLine));
    buffer_.resize(std::max(buffer_.size(), end_ + kPiece));
    const std::size_t got = std::fread(buffer_.data() + end_, 1, buffer_.size() - end_, file_.get());
    if (std::ferror(file_.get()) != 0) throw InputError({path_}, "cannot be read to its end");
    at_end_ = got == 0;
    end_ += got;
    read_ += got;
  }
}

bool LineReader::next(std::vector<LineField>& fields) {
  std::string_view line;
  while (read_line(line)) {
    fields.clear();
    for (std::size_t i = 0; i < line.size();) {
      const char c = line[i];
      if (c == ' ' || c == '\t' || c == '\r') {
        ++i;
        continue;
      }
      if (c == comment_) {
        comments_ = true;
        break;
      }
      const std::size_t begin = i;
      while (i < line.size() && line[i] != ' ' && line[i] != '\t' && line[i] != '\r') ++i;
      fields.push_back({line.substr(begin, i - begin), static_cast<int>(begin) + 1});
    }
    if (!fields.empty()) return true;
  }
  return false;
}

void LineErrors::add(int line, int column, std::string message) {
  if (count_ > kMost) return;
  if (++count_ > kMost) {
    diagnostics_.error({path_, line}, "there are more errors in this file");
  } else {
    diagnostics_.error({path_, line, column}, std::move(message));
  }
}

std::string quoted(std::string_view text) {
  constexpr std::size_t kMost = 40;
  std::string out = "'";
  for (const char c : text.substr(0, kMost)) out += c >= ' ' && c < '\x7f' ? c : '?';
  return out + (text.size() > kMost ? "...'" : "'");
}

bool read_number(const LineField& field, const char* name, std::int64_t least, std::int64_t most, int line,
                 LineErrors& errors, std::int64_t& out) {
  const char* const end = field.text.data() + field.text.size();
  const auto [stop, code] = std::from_chars(field.text.data(), end, out);
  if (code == std::errc() && stop == end && out >= least && out <= most) return true;
  errors.add(line, field.column,
             fmt::format("{}: expected a whole number from {} to {}, got {}", name, least, most, quoted(field.text)));
  return false;
}

bool read_name(const LineField& field, const char* name, int line, LineErrors& errors, std::string& out) {
  const bool plain = std::all_of(field.text.begin(), field.text.end(), printable) && !field.text.starts_with('-');
  if (field.text.size() <= kLongestName && plain) {
    out = field.text;
    return true;
  }
  errors.add(line, field.column,
             fmt::format("{}: expected a name of at most {} ASCII characters without '-' in front, got {}", name,
                         kLongestName, quoted(field.text)));
  return false;
}

}  // namespace weft::jobs
