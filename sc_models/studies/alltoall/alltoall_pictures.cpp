#include "studies/alltoall/alltoall_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "algorithms/alltoall/schedule_file.h"
#include "algorithms/alltoall/search/line_patterns.h"

namespace weft {
namespace {

using alltoall::Connection;
using alltoall::Grid;

constexpr std::uint32_t kLargestProfile = 32;
constexpr std::uint32_t kLargestMap = 12;
constexpr std::uint32_t kPanels = 64;  // per file
constexpr std::uint32_t kPanelsPerRow = 8;
constexpr std::uint32_t kMostFiles = 6;

// Okabe and Ito 2008, as the charts.
constexpr std::array<const char*, 7> kPalette{"#0072B2", "#E69F00", "#009E73", "#D55E00",
                                              "#56B4E9", "#CC79A7", "#000000"};

std::string open_svg(double width, double height, const std::string& title) {
  return fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" viewBox=\"0 0 {0:.0f} {1:.0f}\" "
      "font-family=\"sans-serif\" font-size=\"10\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n"
      "<text x=\"12\" y=\"20\" font-size=\"13\">{2}</text>\n",
      width, height, title);
}

// White to dark blue.
std::string shade(double part) {
  const auto mix = [&](double from, double to) { return static_cast<int>(from + (to - from) * part); };
  return fmt::format("#{:02x}{:02x}{:02x}", mix(255, 8), mix(255, 81), mix(255, 156));
}

// Slots that the connections of an offset need by themselves; 0 for no offset.
std::uint32_t degree_of(const alltoall::LinePatterns& line, std::int64_t offset) {
  const std::int64_t size = line.size();
  return offset == 0 ? 0 : line.degree(static_cast<std::uint32_t>((offset + size) % size));
}

std::string profile_svg(const Grid& grid) {
  const alltoall::LinePatterns columns(grid.width, grid.torus), rows(grid.height, grid.torus);
  // A torus has no offsets beyond half way round.
  const auto least = [&](std::int64_t size) { return grid.torus ? -(size - 1) / 2 : 1 - size; };
  const auto most = [&](std::int64_t size) { return grid.torus ? size / 2 : size - 1; };
  const std::int64_t left = least(grid.width), right = most(grid.width);
  const std::int64_t low = least(grid.height), high = most(grid.height);
  constexpr double kCell = 22, kMargin = 50;
  const double width = kCell * static_cast<double>(right - left + 1) + kMargin + 20;
  const double height = kCell * static_cast<double>(high - low + 1) + kMargin + 50;
  std::uint32_t largest = 1;
  for (std::int64_t b = low; b <= high; ++b) {
    for (std::int64_t a = left; a <= right; ++a)
      largest = std::max({largest, degree_of(columns, a), degree_of(rows, b)});
  }
  std::string out = open_svg(std::max(width, 600.0), height,
                             fmt::format("Connection profile, {}: slots each offset needs by itself", grid_text(grid)));
  for (std::int64_t b = low; b <= high; ++b) {
    const double y = 32 + kCell * static_cast<double>(high - b);
    out += fmt::format("<text x=\"{:.0f}\" y=\"{:.0f}\" text-anchor=\"end\">{}</text>\n", kMargin - 6, y + 15, b);
    for (std::int64_t a = left; a <= right; ++a) {
      const double x = kMargin + kCell * static_cast<double>(a - left);
      const std::uint32_t degree = std::max(degree_of(columns, a), degree_of(rows, b));
      const double part = static_cast<double>(degree) / largest;
      out += fmt::format(
          "<rect x=\"{:.0f}\" y=\"{:.0f}\" width=\"{}\" height=\"{}\" fill=\"{}\" stroke=\"#999\" "
          "stroke-width=\"0.5\"/>",
          x, y, kCell, kCell, shade(0.85 * part));
      if (degree > 0) {
        out += fmt::format("<text x=\"{:.0f}\" y=\"{:.0f}\" text-anchor=\"middle\" fill=\"{}\">{}</text>\n",
                           x + kCell / 2, y + 15, part > 0.6 ? "white" : "black", degree);
      }
    }
  }
  const double below = 32 + kCell * static_cast<double>(high - low + 1);
  for (std::int64_t a = left; a <= right; ++a) {
    out += fmt::format("<text x=\"{:.0f}\" y=\"{:.0f}\" text-anchor=\"middle\">{}</text>\n",
                       kMargin + kCell * (static_cast<double>(a - left) + 0.5), below + 14, a);
  }
  out += fmt::format("<text x=\"{:.0f}\" y=\"{:.0f}\">columns from source to destination; rows on the left</text>\n",
                     kMargin, below + 34);
  return out + "</svg>\n";
}

// One panel per slot. Links of the two directions lie beside each other, each to the right of who travels along it.
class MapPainter {
 public:
  explicit MapPainter(const AllToAllStudy& study)
      : study_(study), grid_(study.problem.grid), resources_(grid_), by_slot_(study.made.schedule) {}

  std::string paint(std::uint32_t begin, std::uint32_t end) const {
    const double panel_width = std::max(kStep * (grid_.width - 1) + 2 * kSide, study_.plan ? 120.0 : 60.0);
    const double panel_height = kStep * (grid_.height - 1) + 2 * kSide + 14;
    const std::uint32_t rows = (end - begin + kPanelsPerRow - 1) / kPanelsPerRow;
    std::string out = open_svg(
        std::max(10 + panel_width * std::min(kPanelsPerRow, end - begin), 940.0), 50 + panel_height * rows,
        fmt::format("Links by slot, {}, slots {} to {}{}: circle = sender, square = receiver, links on the right side "
                    "of their direction",
                    grid_text(grid_), begin, end - 1,
                    study_.plan ? " before they were spread (t: time slot, w: wavelength, p: plane)" : ""));
    out += all_links();
    for (std::uint32_t s = begin; s < end; ++s) {
      const std::uint32_t k = s - begin;
      out += fmt::format("<g transform=\"translate({:.0f},{:.0f})\">", 5 + panel_width * (k % kPanelsPerRow),
                         34 + panel_height * (k / kPanelsPerRow));
      panel(s, out);
      out += "</g>\n";
    }
    return out + "</svg>\n";
  }

 private:
  static constexpr double kStep = 20, kSide = 16, kApart = 2.6;

  double x_of(std::uint32_t node) const { return kSide + kStep * (node % grid_.width); }
  // Row 0 is at the bottom, so that +y goes up.
  double y_of(std::uint32_t node) const { return 14 + kSide + kStep * (grid_.height - 1 - node / grid_.width); }

  std::string name_of(std::uint32_t slot) const {
    if (!study_.plan) return fmt::format("slot {}", slot);
    return fmt::format("slot {}: t{} w{} p{}", slot, study_.plan->time[slot], study_.plan->wavelength(slot),
                       study_.plan->plane(slot));
  }

  // The link as a piece of a path; empty for links around the edge of a mesh.
  std::string piece(std::uint32_t link) const {
    constexpr std::array<int, 4> kDx{1, -1, 0, 0}, kDy{0, 0, -1, 1};  // on the page
    const std::uint32_t node = link / 4, direction = link % 4;
    const std::uint32_t at = direction < 2 ? node % grid_.width : node / grid_.width;
    const std::uint32_t size = direction < 2 ? grid_.width : grid_.height;
    const bool wraps = direction % 2 == 0 ? at + 1 == size : at == 0;
    if (wraps && !grid_.torus) return {};
    const double length = wraps ? kStep * 0.6 : kStep;
    return fmt::format("M{:.1f} {:.1f}l{:.1f} {:.1f}", x_of(node) - kApart * kDy[direction],
                       y_of(node) + kApart * kDx[direction], length * kDx[direction], length * kDy[direction]);
  }

  // All links, drawn once and shown under every panel.
  std::string all_links() const {
    std::string out = "<defs><path id=\"links\" stroke=\"#ddd\" stroke-width=\"0.8\" d=\"";
    for (std::uint32_t link = 0; link < 4 * grid_.nodes(); ++link) out += piece(link);
    return out + "\"/></defs>\n";
  }

  void panel(std::uint32_t slot, std::string& out) const {
    out += fmt::format("<text x=\"{}\" y=\"10\">{}</text><use href=\"#links\"/>\n", kSide - 4, name_of(slot));
    std::size_t index = 0;
    std::string ends;
    by_slot_.visit(slot, [&](Connection c) {
      const char* const colour = kPalette[index++ % kPalette.size()];
      out += "<path d=\"";
      resources_.visit(c.source, c.destination, [&](std::uint32_t r) {
        if (r < 4 * grid_.nodes()) out += piece(r);
      });
      out += fmt::format("\" stroke=\"{}\" stroke-width=\"1.8\"/>\n", colour);
      ends += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"2.4\" fill=\"{}\"/>", x_of(c.source), y_of(c.source),
                          colour);
      ends +=
          fmt::format("<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"6.4\" height=\"6.4\" fill=\"none\" stroke=\"{}\"/>\n",
                      x_of(c.destination) - 3.2, y_of(c.destination) - 3.2, colour);
    });
    out += ends;
  }

  const AllToAllStudy& study_;
  const Grid& grid_;
  const alltoall::Resources resources_;
  const alltoall::BySlot by_slot_;
};

// Slots, from the first on, that the link maps show; 0: there are none.
std::uint32_t slots_drawn(const AllToAllStudy& study) {
  const Grid& grid = study.problem.grid;
  if (std::max(grid.width, grid.height) > kLargestMap) return 0;
  return std::min(study.made.schedule.slots, kMostFiles * kPanels);
}

}  // namespace

std::vector<std::string> pictures_left_out(const AllToAllStudy& study) {
  std::vector<std::string> notes;
  if (std::max(study.problem.grid.width, study.problem.grid.height) > kLargestProfile) {
    notes.push_back(fmt::format("no profile.svg: it is drawn up to {0} x {0} nodes", kLargestProfile));
  }
  const std::uint32_t drawn = slots_drawn(study);
  if (drawn == 0) {
    notes.push_back(fmt::format("no link maps: they are drawn up to {0} x {0} nodes", kLargestMap));
  } else if (drawn < study.made.schedule.slots) {
    notes.push_back(fmt::format("the link maps show the first {} slots", drawn));
  }
  return notes;
}

std::vector<AllToAllPicture> alltoall_pictures(const AllToAllStudy& study) {
  const Grid& grid = study.problem.grid;
  std::vector<AllToAllPicture> out;
  const std::uint32_t largest = std::max(grid.width, grid.height);
  if (largest <= kLargestProfile) {
    out.push_back({"profile.svg", "slots that each offset needs by itself", profile_svg(grid)});
  }
  const std::uint32_t slots = slots_drawn(study);
  if (slots == 0) return out;
  const MapPainter painter(study);
  for (std::uint32_t k = 0; k * kPanels < slots; ++k) {
    const std::uint32_t begin = k * kPanels, end = std::min(slots, begin + kPanels);
    out.push_back({fmt::format("link_map_{}.svg", k), fmt::format("links of the slots {} to {}", begin, end - 1),
                   painter.paint(begin, end)});
  }
  return out;
}

}  // namespace weft
