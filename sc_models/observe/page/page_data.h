#pragma once
// Pictures on the page of a report, beside its figures and tables: the network, the frames of circuits, charts and
// pictures of the program. Figures and tables come from the report itself; nothing here holds a number of its own but
// places.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "observe/plot.h"
#include "observe/statistic.h"

namespace weft {

/// Network on the page. Vertices are numbered: switches first, then nodes.
struct NetworkView {
  struct Place {
    double x = 0;
    double y = 0;
  };
  enum class Course : std::uint8_t {
    straight,
    bowed,  ///< an arc, as it passes other vertices
    far,    ///< thin, between parts of the picture
  };
  /// Directed link. `name` is that of its line in the table `links`.
  struct Link {
    std::uint32_t from = 0;
    std::uint32_t to = 0;
    std::string name;
    Course course = Course::straight;
  };
  std::string title;                  ///< kind and size
  std::string switch_name = "sw[]";   ///< the number stands in the brackets
  std::string node_name = "node {}";  ///< the number stands for them
  std::vector<Place> switches;        ///< y grows upwards
  std::vector<Place> nodes;           ///< none: too many to be drawn
  std::vector<Link> links;            ///< none: too many to be drawn
  std::size_t all_links = 0;
  bool merged = false;  ///< one line stands for all links with the same ends: the switches are groups of them
};

/// Slot tables of the switches in one phase: who sends when at which port.
struct FrameView {
  struct Entry {
    std::uint32_t sw = 0;
    std::uint32_t port = 0;
    std::uint32_t slot = 0;
    std::uint32_t flow = 0;
  };
  std::string phase;
  std::uint32_t slots = 0;
  std::vector<std::string> flows;               ///< names
  std::vector<std::vector<std::string>> ports;  ///< per switch: names of the output ports
  std::vector<Entry> entries;                   ///< of the first switches, as many as the page holds
  std::uint32_t switches = 0;                   ///< all of them
};

/// A chart in a section of the page.
struct ChartView {
  std::string name;
  std::string meaning;
  Chart chart;
};

/// A picture that is drawn already.
struct SvgView {
  std::string name;
  std::string meaning;
  std::string svg;
};

struct PageData {
  std::optional<NetworkView> network;
  std::vector<FrameView> frames;
  std::vector<ChartView> charts;
  std::vector<SvgView> pictures;
};

/// What the page of this report draws; made at the first call.
PageData& page_of(ReportData& report);

/// Adds a chart or picture for each element of a list with members `name`, `meaning` and `chart`.
template <class Pictures>
void add_charts(ReportData& report, const Pictures& pictures) {
  for (const auto& p : pictures) page_of(report).charts.push_back({p.name, p.meaning, p.chart});
}

/// The same data as one line of JSON for the script of the page: the report as report.json has it, with rows as arrays
/// in the order of the columns (long tables column by column), and what is drawn beside it. Long tables are cut;
/// `rows_in_all` counts their lines.
std::string page_json(const ReportData& report);

}  // namespace weft
