#pragma once
// Lines of a GTKWave save file.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "base/units.h"

namespace weft {

// Trace flags.
inline constexpr const char* kGtkwHex = "@22\n";
inline constexpr const char* kGtkwDecimal = "@24\n";
inline constexpr const char* kGtkwBit = "@28\n";
inline constexpr const char* kGtkwText = "@820\n";

/// A signal under a name of its own.
std::string gtkw_row(const char* format, const std::string& alias, const std::string& signal);
std::string gtkw_begin_group(const std::string& name);
std::string gtkw_end_group(const std::string& name);

/// Rows of signals in one scope.
class GtkwRows {
 public:
  /// `path`: of the scope.
  explicit GtkwRows(std::string path) : path_(std::move(path)) {}
  void text(const std::string& alias, const std::string& name);
  void number(const std::string& alias, const std::string& name, std::uint32_t width);
  void hex(const std::string& alias, const std::string& name, std::uint32_t width);
  void bit(const std::string& alias, const std::string& name);
  void append(const GtkwRows& more) { rows_ += more.rows_; }
  const std::string& all() const { return rows_; }

 private:
  std::string path_;
  std::string rows_;
};

/// A window of some thirty cycles, wide enough for texts, that begins shortly before cycle `first`, with the marker
/// there (-1: no marker, from the beginning). `fst`: file to open.
std::string gtkw_header(const std::string& fst, Duration period, Cycle first);
/// Signals of the user, and the last line.
std::string gtkw_footer();
/// Writes the view of the waveform `waves` beside it; text(file): its lines, where the waveform has that name. Returns
/// the names of both.
std::vector<std::string> write_gtkw(const std::string& waves,
                                    const std::function<std::string(const std::string&)>& text);

/// Whether the file is a view as it was written here; one that GTKWave has saved begins otherwise.
bool is_weft_view(const std::filesystem::path& path);

}  // namespace weft
