#include "run/tdm/tdm_board.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <string>

#include "fabrics/tdm/shared_unit.h"
#include "observe/values.h"

namespace weft {
namespace {

__extension__ using BoardBits = __int128;

std::uint32_t links_of(const Graph& graph, SwitchId sw) {
  std::uint32_t links = 0;
  for (PortId p = 0; p < graph.ports(sw); ++p) links += graph.peer(sw, p).sw != kNoId ? 1 : 0;
  return links;
}

// Units as fast as all links that they serve.
bool keep_up(const TdmConfig& config, const Graph& graph) {
  const BoardConfig& board = config.board;
  std::int64_t links = graph.node_links();
  for (SwitchId sw = 0; board.shared && sw < graph.switches(); ++sw) {
    links = std::max<std::int64_t>(links, node_ports(graph, sw));
  }
  if (board.shared && board.source == board.sink) links *= 2;
  const BoardBits most = BoardBits{links} * config.tdm_switch.word_bits() * config.tdm_switch.clock.hz;
  return std::min(board.rate_of(board.source), board.rate_of(board.sink)).bits_per_s >= most;
}

double gbps(Rate rate) { return static_cast<double>(rate.bits_per_s) * 1e-9; }

}  // namespace

void check_board(const TdmConfig& config, const Graph& graph, Diagnostics& diagnostics) {
  const BoardConfig& board = config.board;
  if (!board.is_board()) return;
  for (SwitchId sw = 0; sw < graph.switches(); ++sw) {
    const std::uint32_t links = links_of(graph, sw);
    if (links <= board.links) continue;
    diagnostics.error(config.topology.where,
                      fmt::format("topology: sw[{}] of {} needs {} links to other boards; a board has {} "
                                  "(fic_board.links)",
                                  sw, graph.name(), links, board.links));
    return;
  }
  if (config.setup.mode == SetupMode::in_network && !keep_up(config, graph)) {
    diagnostics.error(board.unit_where,
                      "fic_board: units slower than the links of their nodes belong to circuits that are planned; with "
                      "setup.mode in_network expected a source and a sink as fast as the link" +
                          std::string(board.shared ? "s of a board, in both directions if they are one unit" : ""));
  }
}

void check_board_sinks(const TdmConfig& config, const Graph& graph, const std::vector<PhasePlan>& phases) {
  const BoardConfig& board = config.board;
  if (!board.is_board()) return;
  const TdmSwitchConfig& sw = config.tdm_switch;
  const Rate rate = board.rate_of(board.sink);
  Diagnostics diagnostics;
  for (const PhasePlan& phase : phases) {
    std::map<std::uint32_t, std::int64_t> slots;  // by node, or by board
    for (const CircuitPlan& c : phase.circuits) {
      for (const NodeId n : c.destinations) {
        slots[board.shared ? graph.attachment(n).sw : n] += static_cast<std::int64_t>(c.injection.size());
      }
    }
    for (const auto& [place, m] : slots) {
      const BoardBits brought = BoardBits{m} * sw.word_bits() * sw.clock.hz;
      if (brought <= BoardBits{rate.bits_per_s} * sw.slots) continue;
      const std::string name = board.shared ? fmt::format("board sw[{}]", place) : fmt::format("node {}", place);
      diagnostics.error(board.sink_where,
                        fmt::format("fic_board.sink: circuits of phase '{}' bring {} of {} {} of {} slots, {:.6g} "
                                    "Gb/s; its {} takes {:.6g} Gb/s, and a circuit cannot be stalled",
                                    phase.name, name, graph.name(), m, sw.slots,
                                    static_cast<double>(brought) * 1e-9 / sw.slots, to_string(board.sink), gbps(rate)));
      diagnostics.throw_if_errors();
    }
  }
  if (!board.shared) return;
  const std::vector<std::int64_t> written = slots_written(graph, phases);
  for (const PhasePlan& phase : phases) {
    for (const CircuitPlan& c : phase.circuits) {
      const SwitchId own = graph.attachment(c.source).sw;
      if (!unit_of_board(config, graph, own, written[own]).is_used_up()) continue;
      diagnostics.error(board.shared_where,
                        fmt::format("fic_board.shared: circuits bring board sw[{}] of {} {} of {} slots, all that its "
                                    "{} takes; nothing is left for flow '{}' of phase '{}', which begins there",
                                    own, graph.name(), written[own], sw.slots, to_string(board.sink),
                                    phase.flows[c.flow].name, phase.name));
      diagnostics.throw_if_errors();
    }
  }
}

void add_board(const TdmConfig& config, const Graph& graph, ReportData& report) {
  const BoardConfig& b = config.board;
  if (!b.is_board()) return;
  const TdmSwitchConfig& sw = config.tdm_switch;
  std::uint32_t most = 0;
  for (SwitchId s = 0; s < graph.switches(); ++s) most = std::max(most, links_of(graph, s));
  const double serial = static_cast<double>(b.serial_bits) * static_cast<double>(b.serial_clock.hz) * 1e-9;
  const double payload = static_cast<double>(sw.lane_payload_bits) * static_cast<double>(sw.clock.hz) * 1e-9;
  const double raw = gbps(b.lane_rate);
  ReportSection s{"board", "Boards", {}};
  s.figures = {
      {{"board", "", "kind of board"}, to_string(b.kind), true},
      {{"board_links", "1", "links to other boards that a board has"}, std::int64_t{b.links}, false},
      {{"board_links_used", "1", "the most of them that a board of this network needs"}, std::int64_t{most}, true},
      {{"lane_rate", "Gb/s", "of a lane on the line"}, raw, true},
      {{"serial_rate", "Gb/s", "of a lane after the 64b/66b code, in the clock of the serial side"}, serial, false},
      {{"payload_rate", "Gb/s", "of a lane after error correction, in the clock of the switch"}, payload, true},
      {{"line_code_efficiency", "%", "serial rate over lane rate"}, 100 * serial / raw, false},
      {{"correction_efficiency", "%", "payload rate over serial rate"}, 100 * payload / serial, false},
      {{"efficiency", "%", "payload rate over lane rate"}, 100 * payload / raw, true},
      {{"raw_link_rate", "Gb/s", "of all lanes of a link on the line"}, raw * sw.lanes, false},
      {{"crossing", "cycles", "latency between the clocks of switch and serial side, in each direction"},
       b.crossing,
       false},
      {{"code_latency", "cycles", "latency of encoding, and of decoding, the error-correcting code"}, b.code, false},
      {{"board_latency", "cycles", "what these add to every link; part of link_latency"}, b.link_latency(), true},
      {{"source", "", "unit that makes the data a node sends"}, to_string(b.source), false},
      {{"source_rate", "Gb/s", "its rate"}, gbps(b.rate_of(b.source)), false},
      {{"sink", "", "unit that takes the data a node receives"}, to_string(b.sink), false},
      {{"sink_rate", "Gb/s", "its rate"}, gbps(b.rate_of(b.sink)), false}};
  if (b.shared) {
    s.figures.push_back(
        {{"shared", "", "the nodes of a board share the rate of a unit, and what they write with what they read"},
         b.shared,
         true});
  }
  report.sections.push_back(std::move(s));
}

}  // namespace weft
