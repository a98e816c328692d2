#pragma once
// Manifest of a folder of results as text: see output_folder.h.

#include <sys/stat.h>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weft {

inline constexpr const char* kManifestName = ".weft-manifest";

/// Size and time of the last change: a file that has both unchanged is the one that was written.
struct FileStamp {
  std::int64_t size = 0;
  std::int64_t seconds = 0;
  std::int64_t nanoseconds = 0;
  bool operator==(const FileStamp&) const = default;
};

FileStamp stamp_of(const struct stat& status);

class OutputManifest {
 public:
  struct Entry {
    bool part = false;               ///< was begun
    bool kept = false;               ///< outlives runs
    std::optional<FileStamp> stamp;  ///< of the complete file
  };

  /// Nothing for a text that is no manifest. An empty text is an empty manifest, and a last line without its end was
  /// not written to its end and does not count.
  static std::optional<OutputManifest> parse(std::string_view text);
  static std::string header();
  static std::string part_line(const std::string& name);
  static std::string kept_line(const std::string& name);
  static std::string file_line(const std::string& name, const FileStamp& stamp);

  /// Takes over one line, with its end.
  bool add(std::string_view line);
  const Entry* find(const std::string& name) const;
  /// In the order in which they were noted first.
  const std::vector<std::string>& names() const { return names_; }

 private:
  Entry& entry(const std::string& name);
  std::vector<std::string> names_;
  std::map<std::string, Entry> entries_;
};

}  // namespace weft
