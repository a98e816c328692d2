#include "fabrics/packet/observe/link_table.h"

#include <vector>

#include "observe/columns.h"
#include "observe/vocabulary.h"

namespace weft {

Table link_table(const Graph& graph, const Window& window, const std::function<std::int64_t(LinkId)>& flits) {
  namespace v = vocabulary;
  std::vector<LinkId> used;
  for (LinkId l = 0; l < graph.link_count(); ++l) {
    if (flits(l) > 0) used.push_back(l);
  }
  const Columns<LinkId> columns{{v::kLink, [&](LinkId l) { return graph.link_name(l); }},
                                {{"flits", "1", "flits in the window"}, flits},
                                {v::kUtilization, [&](LinkId l) {
                                   return 100.0 * static_cast<double>(flits(l)) / static_cast<double>(window.length());
                                 }}};
  Table t = make_table({"links", "Links", "Every directed link that carried something in the measurement window."},
                       columns, used);
  t.bars = bars_of(t, v::kUtilization.key);
  return t;
}

}  // namespace weft
