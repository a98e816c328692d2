#include "base/output_manifest.h"

#include <fmt/format.h>

#include <charconv>

namespace weft {
namespace {

constexpr std::string_view kHeader = "weft manifest 1\n";
constexpr const char* kHexDigits = "0123456789abcdef";

// A name on a line of its own: control characters and '%' as %XX.
std::string written(const std::string& name) {
  std::string out;
  for (const char c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f || c == '%') {
      out += {'%', kHexDigits[byte >> 4], kHexDigits[byte & 15]};
    } else {
      out += c;
    }
  }
  return out;
}

// The inverse. Nothing for what is no plain name of a file.
std::optional<std::string> plain_name(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    unsigned byte = 0;
    if (i + 2 >= text.size()) return std::nullopt;
    const char* digits = text.data() + i + 1;
    if (std::from_chars(digits, digits + 2, byte, 16).ptr != digits + 2) return std::nullopt;
    out += static_cast<char>(byte);
    i += 2;
  }
  if (out.empty() || out == "." || out == ".." || out.find('/') != std::string::npos ||
      out.find('\0') != std::string::npos || out == kManifestName) {
    return std::nullopt;
  }
  return out;
}

// Takes a whole number and the character after it off the front of `text`.
std::optional<std::int64_t> take_number(std::string_view& text, char after) {
  std::int64_t value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc() || end == text.data() + text.size() || *end != after) return std::nullopt;
  text.remove_prefix(static_cast<std::size_t>(end - text.data()) + 1);
  return value;
}

bool take_word(std::string_view& text, std::string_view word) {
  if (!text.starts_with(word)) return false;
  text.remove_prefix(word.size());
  return true;
}

}  // namespace

FileStamp stamp_of(const struct stat& status) {
  return {status.st_size, status.st_mtim.tv_sec, status.st_mtim.tv_nsec};
}

std::optional<OutputManifest> OutputManifest::parse(std::string_view text) {
  OutputManifest out;
  if (kHeader.starts_with(text)) return out;
  if (!take_word(text, kHeader)) return std::nullopt;
  for (std::size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
    if (!out.add(text.substr(0, end + 1))) return std::nullopt;
    text.remove_prefix(end + 1);
  }
  return out;
}

std::string OutputManifest::header() { return std::string(kHeader); }
std::string OutputManifest::part_line(const std::string& name) { return "part " + written(name) + "\n"; }
std::string OutputManifest::kept_line(const std::string& name) { return "kept " + written(name) + "\n"; }
std::string OutputManifest::file_line(const std::string& name, const FileStamp& stamp) {
  return fmt::format("file {} {}.{:09} {}\n", stamp.size, stamp.seconds, stamp.nanoseconds, written(name));
}

bool OutputManifest::add(std::string_view line) {
  if (line.empty() || line.back() != '\n') return false;
  line.remove_suffix(1);
  std::optional<FileStamp> stamp;
  const bool part = take_word(line, "part ");
  const bool kept = !part && take_word(line, "kept ");
  if (!part && !kept) {
    if (!take_word(line, "file ")) return false;
    const auto size = take_number(line, ' ');
    const auto seconds = size ? take_number(line, '.') : std::nullopt;
    const auto nanoseconds = seconds ? take_number(line, ' ') : std::nullopt;
    if (!nanoseconds) return false;
    stamp = FileStamp{*size, *seconds, *nanoseconds};
  }
  const auto name = plain_name(line);
  if (!name) return false;
  Entry& e = entry(*name);
  e.part = e.part || part;
  e.kept = e.kept || kept;
  if (stamp) e.stamp = stamp;
  return true;
}

const OutputManifest::Entry* OutputManifest::find(const std::string& name) const {
  const auto at = entries_.find(name);
  return at == entries_.end() ? nullptr : &at->second;
}

OutputManifest::Entry& OutputManifest::entry(const std::string& name) {
  const auto [at, is_new] = entries_.try_emplace(name);
  if (is_new) names_.push_back(name);
  return at->second;
}

}  // namespace weft
