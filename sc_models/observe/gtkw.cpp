#include "observe/gtkw.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "base/output_folder.h"
#include "observe/user_signals.h"

namespace weft {
namespace {

constexpr std::string_view kFirst = "[dumpfile] ";

std::string gtkw_bits(const std::string& path, const std::string& name, std::uint32_t width) {
  return fmt::format("{}.{}[{}:0]", path, name, width - 1);
}

}  // namespace

std::string gtkw_row(const char* format, const std::string& alias, const std::string& signal) {
  return fmt::format("{}+{{{}}} {}\n", format, alias, signal);
}
std::string gtkw_begin_group(const std::string& name) { return fmt::format("@800200\n-{}\n", name); }
std::string gtkw_end_group(const std::string& name) { return fmt::format("@1000200\n-{}\n", name); }

void GtkwRows::text(const std::string& alias, const std::string& name) {
  rows_ += gtkw_row(kGtkwText, alias, path_ + "." + name);
}

void GtkwRows::number(const std::string& alias, const std::string& name, std::uint32_t width) {
  rows_ += gtkw_row(kGtkwDecimal, alias, gtkw_bits(path_, name, width));
}

void GtkwRows::hex(const std::string& alias, const std::string& name, std::uint32_t width) {
  rows_ += gtkw_row(kGtkwHex, alias, gtkw_bits(path_, name, width));
}

void GtkwRows::bit(const std::string& alias, const std::string& name) {
  rows_ += gtkw_row(kGtkwBit, alias, path_ + "." + name);
}

std::string gtkw_header(const std::string& fst, Duration period, Cycle first) {
  constexpr double kPixelsPerCycle = 48;
  constexpr double kPixelsPerFrame = 200;  // of GTKWave: 2^-zoom time units take so many pixels
  constexpr Cycle kBefore = 3;
  const double zoom = -std::log2(static_cast<double>(period.ps) * kPixelsPerFrame / kPixelsPerCycle);
  std::string named_markers;  // A to Z: none
  for (int i = 0; i < 26; ++i) named_markers += " -1";
  return fmt::format(
      "{}\"{}\"\n[timestart] {}\n[size] 1600 1000\n[pos] -1 -1\n*{:.6f} {}{}\n"
      "[sst_width] 200\n[signals_width] 240\n[sst_expanded] 1\n[sst_vpaned_height] 500\n",
      kFirst, fst, std::max<Cycle>(0, first - kBefore) * period.ps, zoom, first < 0 ? -1 : first * period.ps,
      named_markers);
}

std::string gtkw_footer() {
  std::string out;
  if (!user_signals().empty()) {
    out += gtkw_begin_group("user signals");
    std::string scope;  // GTKWave shows the last part of a name alone
    const auto enter = [&](const std::string& next) {
      if (next == scope) return;
      if (!scope.empty()) out += gtkw_end_group(scope);
      scope = next;
      if (!scope.empty()) out += gtkw_begin_group(scope);
    };
    for (const UserSignal& s : user_signals()) {
      const std::string path = fmt::format("{}", fmt::join(s.scopes, "."));
      enter(path);
      const std::string name = path.empty() ? s.name : path + "." + s.name;
      if (s.text != nullptr) {
        out += gtkw_row(kGtkwText, name, name);
        continue;
      }
      const std::string range = s.width > 1 ? fmt::format("[{}:0]", s.width - 1) : "";
      out += gtkw_row(s.width > 1 ? kGtkwHex : kGtkwBit, name, name + range);
    }
    enter("");
    out += gtkw_end_group("user signals");
  }
  return out + "[pattern_trace] 1\n[pattern_trace] 0\n";
}

std::vector<std::string> write_gtkw(const std::string& waves,
                                    const std::function<std::string(const std::string&)>& text) {
  std::filesystem::path path(waves);
  const std::string lines = text(path.filename().string());
  const std::string view = path.replace_extension(".gtkw").string();
  write_file(view, lines);
  return {waves, view};
}

bool is_weft_view(const std::filesystem::path& path) {
  std::ifstream in(path, std::ios::binary);
  std::string first(kFirst.size(), '\0');
  in.read(first.data(), static_cast<std::streamsize>(first.size()));
  return in && first == kFirst;
}

}  // namespace weft
