#pragma once
// Programs of nodes over time, on the page of a report: which instruction a node was in when.

#include <string>
#include <vector>

#include "base/ids.h"
#include "observe/page/page_data.h"

namespace weft {

/// Time that a node was in an instruction.
struct NodeSpan {
  NodeId node = 0;
  std::size_t group = 0;  ///< gives the name and the colour: the instruction's name in its program
  double begin = 0;       ///< ns
  double end = 0;
};

/// Names of instructions in the order in which they are first asked for.
class SpanGroups {
 public:
  std::size_t operator()(const std::string& name);
  const std::vector<std::string>& names() const { return names_; }

 private:
  std::vector<std::string> names_;
};

/// Adds the chart: one row per node, of at most 128 nodes. A row that would be longer than a page holds shows for each
/// of its periods the instruction that took most of it. `cut`: spans were recorded until there were too many.
void add_program_gantt(ReportData& report, const std::vector<NodeSpan>& spans, const SpanGroups& groups, bool cut);

}  // namespace weft
