#include "run/lockstep_report.h"

#include <string>
#include <utility>
#include <vector>

#include "observe/columns.h"
#include "observe/values.h"

namespace weft {
namespace {

Value percent(const PinToggles& pins) {
  return pins.bits == 0 ? Value{} : Value{100.0 * static_cast<double>(pins.toggled) / static_cast<double>(pins.bits)};
}

// One line per property of the blocks that were made with them.
void add_covers(const LockstepCounts& counts, ReportData& report) {
  struct Row {
    std::string block, property;
    std::uint64_t pairs, held;
  };
  std::vector<Row> rows;
  std::size_t reached = 0;
  for (const auto& [block, properties] : counts.covers()) {
    for (const auto& [property, held] : properties) {
      rows.push_back({block, property, counts.by_block().at(block).pairs, held});
      if (held > 0) ++reached;
    }
  }
  if (rows.empty()) return;
  const Columns<Row> columns{
      {{"block", "", "kind of block"}, &Row::block},
      {{"property", "", "cover property, behind the instances that it stands in"}, &Row::property},
      {{"pairs", "1", "instances of model and RTL"}, &Row::pairs},
      {{"reached", "1", "instances in which the property has held in a cycle"}, &Row::held}};
  report.tables.push_back(make_table({"lockstep_coverage", "Coverage in lockstep",
                                      "Cover properties of the RTL: " + std::to_string(reached) + " of " +
                                          std::to_string(rows.size()) + " have held."},
                                     columns, rows));
}

}  // namespace

void add_lockstep(const LockstepCounts& counts, ReportData& report) {
  if (counts.by_block().empty()) return;
  LockstepCount all;
  PinToggles pins;
  for (const auto& [block, count] : counts.by_block()) {
    all.pairs += count.pairs;
    all.cycles += count.cycles;
    all.requests += count.requests;
    const PinToggles its = counts.toggles(block);
    pins.bits += its.bits;
    pins.toggled += its.toggled;
  }
  report.sections.push_back(
      {"lockstep",
       "Lockstep",
       {{{"pairs", "1", "blocks that ran as model and RTL side by side"}, whole(all.pairs), true},
        {{"cycles_compared", "1", "cycles in which all outputs of a pair were compared, over all pairs"},
         whole(all.cycles),
         all.cycles > 0 || all.requests == 0},
        {{"requests_compared", "1", "requests and decisions whose answers were compared, over all pairs"},
         whole(all.requests),
         all.requests > 0},
        {{"pins_toggled", "%", "bits of the pins of their RTL that have been both 0 and 1"}, percent(pins), true}}});
  using Row = std::pair<const std::string, LockstepCount>;
  const auto count = [](auto of) { return [of](const Row& r) { return std::invoke(of, r.second); }; };
  const Columns<Row> columns{
      {{"block", "", "kind of block"}, &Row::first},
      {{"pairs", "1", "instances of model and RTL"}, count(&LockstepCount::pairs)},
      {{"cycles_compared", "1", "cycles in which all outputs of a pair were compared"}, count(&LockstepCount::cycles)},
      {{"requests_compared", "1", "requests and decisions whose answers were compared"},
       count(&LockstepCount::requests)},
      {{"pin_bits", "1", "bits of all pins but clock and reset, over all pairs"},
       [&](const Row& r) { return whole(counts.toggles(r.first).bits); }},
      {{"pins_toggled", "%", "of them that have been both 0 and 1 at the end of a cycle"},
       [&](const Row& r) { return percent(counts.toggles(r.first)); }}};
  const std::string result = report.complete ? "; no difference was found" : ", until the run ended";
  report.tables.push_back(make_table(
      {"lockstep", "Lockstep pairs", "Model and RTL side by side, one line per kind of block" + result + "."}, columns,
      counts.by_block()));
  add_covers(counts, report);
}

}  // namespace weft
