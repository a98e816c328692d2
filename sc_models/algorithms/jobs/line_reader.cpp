#include "algorithms/jobs/line_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace weft::jobs {
namespace {

constexpr std::size_t kLongestName = 64;

bool printable(char c) { return c > ' ' && c < '\x7f'; }

}  // namespace

bool LineReader::next(std::vector<LineField>& fields) {
  std::string_view line;
  while (file_.next(line)) {
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

bool read_number(const LineField& field, const char* name, std::int64_t least, std::int64_t most, int line,
                 LineErrors& errors, std::int64_t& out) {
  const char* const end = field.text.data() + field.text.size();
  const auto [stop, code] = std::from_chars(field.text.data(), end, out);
  if (code == std::errc() && stop == end && out >= least && out <= most) return true;
  errors.add(line, field.column,
             fmt::format("{}: expected a whole number from {} to {}, got '{}'", name, least, most, field.text));
  return false;
}

bool read_name(const LineField& field, const char* name, int line, LineErrors& errors, std::string& out) {
  const bool plain = std::all_of(field.text.begin(), field.text.end(), printable) && !field.text.starts_with('-');
  if (field.text.size() <= kLongestName && plain) {
    out = field.text;
    return true;
  }
  errors.add(line, field.column,
             fmt::format("{}: expected a name of at most {} ASCII characters without '-' in front, got '{}'", name,
                         kLongestName, field.text));
  return false;
}

}  // namespace weft::jobs
