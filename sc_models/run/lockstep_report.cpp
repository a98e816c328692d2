#include "run/lockstep_report.h"

#include <utility>

#include "observe/values.h"

namespace weft {

void add_lockstep(const LockstepCounts& counts, ReportData& report) {
  if (counts.by_block().empty()) return;
  Table table;
  table.key = "lockstep";
  table.title = "Lockstep pairs";
  table.meaning = "Model and RTL side by side, one line per kind of block; no difference was found.";
  if (!report.complete) table.meaning = "Model and RTL side by side, one line per kind of block, until the run ended.";
  table.columns = {{"block", "", "kind of block"},
                   {"pairs", "1", "instances of model and RTL"},
                   {"cycles_compared", "1", "cycles in which all outputs of a pair were compared"},
                   {"requests_compared", "1", "requests and decisions whose answers were compared"}};
  LockstepCount all;
  for (const auto& [block, count] : counts.by_block()) {
    table.rows.push_back({block, whole(count.pairs), whole(count.cycles), whole(count.requests)});
    all.pairs += count.pairs;
    all.cycles += count.cycles;
    all.requests += count.requests;
  }
  report.sections.push_back(
      {"lockstep",
       "Lockstep",
       {{{"pairs", "1", "blocks that ran as model and RTL side by side"}, whole(all.pairs), true},
        {{"cycles_compared", "1", "cycles in which all outputs of a pair were compared, over all pairs"},
         whole(all.cycles),
         true},
        {{"requests_compared", "1", "requests and decisions whose answers were compared, over all pairs"},
         whole(all.requests),
         true}}});
  report.tables.push_back(std::move(table));
}

}  // namespace weft
