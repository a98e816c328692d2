// Table of the boxes of OPTWEB nodes: what they did, and what they waited for.

#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/optweb/neighbours.h"
#include "base/diagnostics.h"
#include "observe/columns.h"
#include "run/optweb/optweb_tables.h"

namespace weft {
namespace {

struct BoxRow {
  NodeId node = 0;
  OptwebBox box = OptwebBox::sequencer;
  std::optional<OptwebBoxState> state;  // none: idle
  std::uint32_t places = 1;
  double share = 0;  // percent
  OptwebBoxTimes::Sum sum;
};

std::uint32_t places_of(OptwebBox box, std::uint32_t dmacs) {
  switch (box) {
    case OptwebBox::readers:
    case OptwebBox::sent_boxes:
    case OptwebBox::selectors:
    case OptwebBox::crossbar:
    case OptwebBox::received_boxes:
    case OptwebBox::writers:
      return dmacs;
    case OptwebBox::buffers:
      return dmacs - 1;
    default:
      return 1;
  }
}

// Not all nodes have boxes of a design's own.
bool has_box(const OptwebOwnBoxes& own, OptwebBox box) {
  const auto any = [](const std::optional<std::vector<OptwebOwnBox>>& list) { return list && !list->empty(); };
  return box == OptwebBox::sent_boxes ? any(own.sent) : box != OptwebBox::received_boxes || any(own.received);
}

// Busy states of the box, then what is left of its time.
void add_rows(NodeId node, OptwebBox box, std::uint32_t places, const OptwebBoxTimes::States& states,
              Picoseconds window, std::vector<BoxRow>& rows) {
  const Picoseconds all = window * places;
  Picoseconds idle = all;
  const auto share = [&](Picoseconds time) {
    return all == 0 ? 0 : 100 * static_cast<double>(time) / static_cast<double>(all);
  };
  for (std::size_t s = 0; s < states.size(); ++s) {
    if (states[s].spans == 0) continue;
    idle -= states[s].time;
    rows.push_back({node, box, static_cast<OptwebBoxState>(s), places, share(states[s].time), states[s]});
  }
  if (idle < 0) {
    throw RunError(fmt::format("internal: box {} of node {} was in its states for {} ps longer than time was",
                               to_string(box), node, -idle));
  }
  if (idle == 0 && all > 0) return;
  BoxRow rest{node, box, std::nullopt, places, share(idle), {}};
  rest.sum.time = idle;
  rows.push_back(std::move(rest));
}

}  // namespace

OptwebBoxTimes box_times(const OptwebBoxChoice& choice, std::uint32_t nodes) {
  return {nodes, choice.nodes, choice.from.ps,
          choice.until ? std::optional<Picoseconds>(choice.until->ps) : std::nullopt};
}

Table box_table(const OptwebConfig& config, const OptwebBoxTimes& times, Picoseconds end) {
  const std::uint32_t dmacs = optweb::neighbours_of(config).dmacs();
  const Picoseconds window = times.window(end);
  std::vector<BoxRow> rows;
  for (const NodeId n : times.nodes()) {
    const OptwebOwnBoxes own = config.own_boxes(n);
    for (std::size_t b = 0; b < kOptwebBoxes; ++b) {
      const auto box = static_cast<OptwebBox>(b);
      if (!has_box(own, box)) continue;
      add_rows(n, box, places_of(box, dmacs), times.of(n, box), window, rows);
    }
  }
  const auto if_state = [](auto of) { return [of](const BoxRow& r) { return r.state ? as_value(of(r)) : Value{}; }; };
  const Columns<BoxRow> columns{
      {{"node", "1", "number"}, &BoxRow::node},
      {{"box", "", "module of the node or of its distributed switch"},
       [](const BoxRow& r) { return std::string(to_string(r.box)); }},
      {{"state", "", "what it does, or what it waits for"},
       [](const BoxRow& r) { return r.state ? std::string(to_string(*r.state)) : std::string("idle"); }},
      {{"kind", "", "works, waits or idle"},
       [](const BoxRow& r) { return !r.state            ? "idle"
                                    : is_work(*r.state) ? "works"
                                                        : "waits"; }},
      {{"places", "1", "of the box: readers, writers or links, else 1"}, &BoxRow::places},
      {{"share", "%", "of the time of all places; those of a box are 100 together"}, &BoxRow::share},
      {{"time", "ns", "in this state, over all places"}, [](const BoxRow& r) { return ns(r.sum.time); }},
      {{"times", "1", "that a place was in this state"}, if_state([](const BoxRow& r) { return r.sum.spans; })},
      {{"words", "1", "that have passed"}, if_state([](const BoxRow& r) { return r.sum.words; })},
      {{"most_words", "1", "of a receive buffer: words that have waited at a time, at most"},
       [](const BoxRow& r) {
         return r.box == OptwebBox::buffers && r.state == OptwebBoxState::words ? as_value(r.sum.most) : Value{};
       }},
      {{"peer", "1", "node that it was about for the longest time: waited for, or whose words passed"},
       [](const BoxRow& r) { return r.sum.peer(); }}};
  return make_table({"boxes", "Boxes within nodes",
                     "Share of time in which each box worked, or waited and for what (observe.boxes)."},
                    columns, rows);
}

}  // namespace weft
