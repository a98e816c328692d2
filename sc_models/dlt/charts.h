#pragma once
// The pictures of a study as plain data: lines over sigma, and timing diagrams of boxes in rows.

#include "dlt/study.h"

namespace weft::dlt {

struct Series {
  std::string name;
  std::vector<double> x;
  std::vector<double> y;
};

struct LineChart {
  std::string title;
  std::string x_label;
  std::string y_label;
  std::vector<Series> series;
};

enum class BoxKind {
  receive,  ///< the node's own share arrives
  relay,    ///< somebody else's share arrives, to be passed on
  compute,
};

struct GanttBox {
  std::size_t row;
  double start;
  double end;
  BoxKind kind;
};

/// Communication stands above the line of a node, computing below it, as in the paper's Figures 3 and 6.
struct Gantt {
  std::string title;
  std::vector<std::string> rows;
  std::vector<GanttBox> boxes;
};

/// Shares of one node by distance over sigma (the paper's Figure 4); at most eight distances.
LineChart shares_chart(const Study& study, const std::vector<CurvePoint>& curve);
LineChart speedup_chart(const Study& study, const std::vector<CurvePoint>& curve);

/// What the closed form takes for granted: one row per distance. Precondition: there is a prediction.
Gantt predicted_gantt(const DltConfig& config, const Study& study);
/// What was simulated; of more than 40 nodes, the one of each distance that finishes last.
Gantt simulated_gantt(const Study& study, const SimulatedShares& simulated, const std::string& title);

}  // namespace weft::dlt
