#include "fabrics/tdm/observe/wave_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "observe/gtkw.h"

namespace weft {
namespace {

constexpr std::uint32_t kSlotBits = 16;
constexpr std::uint32_t kFrameBits = 32;
constexpr std::uint32_t kMessageBits = 32;

}  // namespace

// Name of its flow, if the user gave one, and its nodes where the flow has several circuits or no name.
std::string circuit_text(const Flow& flow, const CircuitPlan& c) {
  const std::string nodes =
      fmt::format("{}>{}{}", c.source, c.destinations.front(), c.destinations.size() > 1 ? "+" : "");
  if (flow.name.find_first_not_of("0123456789") == std::string::npos) return nodes;  // its place in the list
  const std::string name = flow.job.empty() ? flow.name : flow.job + "/" + flow.name;
  return flow.trees.size() > 1 ? name + ":" + nodes : name;
}

std::string port_label(const Graph& graph, SwitchId sw, PortId port) {
  if (graph.node_at(sw, port) != kNoId) return fmt::format("{} host", port);
  const std::string name = graph.port_name(sw, port);
  return name.empty() ? std::to_string(port) : fmt::format("{} {}", port, name);
}

std::string TdmWaveView::port_scope(SwitchId sw, PortId port) const {
  std::string label = port_label(graph_, sw, port);
  std::replace(label.begin(), label.end(), ' ', '_');  // "1 +x" becomes "1_px"
  std::replace(label.begin(), label.end(), '+', 'p');
  std::replace(label.begin(), label.end(), '-', 'm');
  return "out" + label;
}

TdmWaveView::TdmWaveView(WaveFile& file, const TdmConfig& config, const Graph& graph,
                         const std::vector<PhasePlan>& phases, std::uint32_t longest_message, std::string root,
                         const std::vector<bool>& watched)
    : file_(file),
      graph_(graph),
      word_bits_(std::max<std::uint32_t>(2, std::bit_width(longest_message))),
      phases_(phases),
      slots_(config.tdm_switch.slots),
      root_(std::move(root)),
      index_(watched.size(), kUnwatched) {
  for (const PhasePlan& p : phases) {
    for (const CircuitPlan& c : p.circuits) {
      circuits_.push_back(circuit_text(p.flows[c.flow], c));
    }
  }
  slot_ = file_.add_bits({root_}, "slot", kSlotBits);
  frame_ = file_.add_bits({root_}, "frame", kFrameBits);
  phase_ = file_.add_text("phase");
  for (SwitchId sw = 0; sw < watched.size(); ++sw) {
    if (watched[sw]) declare(sw);
  }
  period_ = config.tdm_switch.period;
  file_.set_text(phase_, "setup");
}

void TdmWaveView::declare(SwitchId sw) {
  Switch s;
  const std::string name = fmt::format("sw[{}]", sw);
  s.slot = file_.add_bits({root_, name}, "slot", kSlotBits);
  s.setup_ok = file_.add_bits({root_, name, "setup"}, "ok", 1);
  s.setup_free = file_.add_bits({root_, name, "setup"}, "free_slots", kSlotBits);
  s.setup = file_.add_text("request");
  for (PortId p = 0; p < graph_.ports(sw); ++p) {
    const std::vector<std::string> scopes{root_, name, port_scope(sw, p)};
    Port port;
    port.valid = file_.add_bits(scopes, "valid", 1);
    port.message = file_.add_bits(scopes, "message", kMessageBits);
    port.word = file_.add_bits(scopes, "word", word_bits_);
    port.circuit = file_.add_text("circuit");
    s.ports.push_back(port);
  }
  index_[sw] = switches_.size();
  s.id = sw;
  switches_.push_back(std::move(s));
}

void TdmWaveView::on_phase(std::size_t phase, Cycle) { file_.set_text(phase_, phases_[phase].name); }

void TdmWaveView::on_setup(const SetupEvent& event) {
  if (index_[event.sw] == kUnwatched) return;
  Switch& s = switches_[index_[event.sw]];
  constexpr const char* kSigns[] = {"=", "+", "-"};  // query, reserve, release: a cycle is narrow
  const std::uint32_t ports = graph_.ports(event.sw);
  const bool input = event.row >= ports;
  file_.set_text(s.setup, fmt::format("{}f{} {}{}", kSigns[static_cast<std::size_t>(event.op)], event.flow,
                                      input ? "in" : "out", event.row % ports));
  file_.set(s.setup_ok, event.ok ? 1 : 0);
  file_.set(s.setup_free, event.free_slots);
  s.setup_until = event.cycle;
}

const TdmWaveView::Port& TdmWaveView::set_word(const Cell& cell) {
  const Port& p = switches_[index_[cell.sw]].ports[cell.out];
  file_.set(p.message, static_cast<std::uint32_t>(cell.train->sequence));
  file_.set(p.word, cell.word);
  return p;
}

void TdmWaveView::on_held(const std::vector<Cell>& cells) {
  for (const Cell& cell : cells) set_word(cell);
}

void TdmWaveView::on_cells(Cycle cycle, const std::vector<Cell>& cells) {
  if (first_activity_ < 0 && !cells.empty()) first_activity_ = cycle;
  const auto slot = static_cast<std::uint64_t>(cycle % slots_);
  file_.set(slot_, slot);
  file_.set(frame_, static_cast<std::uint64_t>(cycle / slots_));
  for (Switch& s : switches_) {
    file_.set(s.slot, slot);
    if (s.setup_until >= 0 && s.setup_until < cycle) {
      file_.set_text(s.setup, "");
      s.setup_until = -1;
    }
  }
  const auto silence = [&](const std::pair<SwitchId, PortId>& place) {
    const Port& p = switches_[index_[place.first]].ports[place.second];
    file_.set(p.valid, 0);
    file_.set_text(p.circuit, "");
  };
  // Both lists are in the order of switch and port: ports that are busy again need no silence in between.
  next_busy_.clear();
  auto old = busy_.begin();
  for (const Cell& cell : cells) {
    const std::pair place(cell.sw, cell.out);
    while (old != busy_.end() && *old < place) silence(*old++);
    if (old != busy_.end() && *old == place) ++old;
    const Port& p = set_word(cell);
    file_.set(p.valid, 1);
    file_.set_text(p.circuit, circuits_[cell.train->circuit]);
    next_busy_.push_back(place);
  }
  while (old != busy_.end()) silence(*old++);
  std::swap(busy_, next_busy_);
}

std::string TdmWaveView::gtkw(const std::string& fst, const std::vector<SwitchRtl>& rtl) const {
  constexpr std::size_t kSwitches = 16;
  std::string out = gtkw_header(fst, period_, first_activity_);
  out += gtkw_begin_group(root_);
  out += gtkw_row(kGtkwDecimal, "slot", fmt::format("{}.slot[{}:0]", root_, kSlotBits - 1));
  out += gtkw_row(kGtkwDecimal, "frame", fmt::format("{}.frame[{}:0]", root_, kFrameBits - 1));
  out += gtkw_row(kGtkwText, "phase", root_ + ".phase");
  out += gtkw_end_group(root_);
  for (std::size_t i = 0; i < std::min(kSwitches, switches_.size()); ++i) {
    out += switch_group(switches_[i], rtl[switches_[i].id]);
  }
  return out + gtkw_footer();
}

std::string TdmWaveView::switch_group(const Switch& s, const SwitchRtl& rtl) const {
  const std::string path = fmt::format("{}.sw[{}]", root_, s.id);
  std::string out = gtkw_begin_group(path);
  out += gtkw_row(kGtkwText, "LUT request", path + ".setup.request");
  for (PortId p = 0; p < graph_.ports(s.id); ++p) {
    if (graph_.is_free({s.id, p})) continue;
    const std::string port = path + "." + port_scope(s.id, p);
    out += gtkw_row(kGtkwText, "out " + port_label(graph_, s.id, p), port + ".circuit");
    out += gtkw_row(kGtkwDecimal, "word", fmt::format("{}.word[{}:0]", port, word_bits_ - 1));
  }
  if (const RtlScope& block = rtl.data_path; !block.module.empty()) {
    const std::string pins = path + ".data_path_rtl." + block.module + ".";
    out += gtkw_row(kGtkwBit, "rtl clk_i", pins + "clk_i");
    out +=
        gtkw_row(kGtkwDecimal, "rtl slot_i", fmt::format("{}slot_i[{}:0]", pins, std::bit_width(block.slots - 1U) - 1));
    out += gtkw_row(kGtkwHex, "rtl in_valid_i", fmt::format("{}in_valid_i[{}:0]", pins, block.ports - 1));
    out += gtkw_row(kGtkwHex, "rtl out_valid_o", fmt::format("{}out_valid_o[{}:0]", pins, block.ports - 1));
    out += gtkw_row(kGtkwBit, "rtl swap_pending_o", pins + "swap_pending_o");
  }
  if (const RtlScope& block = rtl.slot_lut; !block.module.empty()) {
    const std::string pins = path + ".slot_lut_rtl." + block.module + ".";
    out += gtkw_row(kGtkwBit, "rtl lut req_valid_i", pins + "req_valid_i");
    out += gtkw_row(kGtkwHex, "rtl lut req_slots_i", fmt::format("{}req_slots_i[{}:0]", pins, block.slots - 1));
    out += gtkw_row(kGtkwBit, "rtl lut rsp_ok_o", pins + "rsp_ok_o");
    out += gtkw_row(kGtkwHex, "rtl lut rsp_free_o", fmt::format("{}rsp_free_o[{}:0]", pins, block.slots - 1));
  }
  if (const RtlScope& block = rtl.setup_unit; !block.module.empty()) {
    const std::string pins = path + ".setup_unit_rtl." + block.module + ".";
    // Of its cycles within one of the network the last is shown: what it has worked on, and sent, last.
    out += gtkw_row(kGtkwDecimal, "rtl setup cmd_op_i", pins + "cmd_op_i[1:0]");
    out += gtkw_row(kGtkwDecimal, "rtl setup msg_kind_i", pins + "msg_kind_i[2:0]");
    out += gtkw_row(kGtkwHex, "rtl setup msg_key_i", pins + "msg_key_i[63:0]");
    out += gtkw_row(kGtkwDecimal, "rtl setup snd_kind_o", pins + "snd_kind_o[2:0]");
    out += gtkw_row(kGtkwHex, "rtl setup snd_slots_o", fmt::format("{}snd_slots_o[{}:0]", pins, block.slots - 1));
  }
  for (const auto& [node, block] : rtl.hosts) {
    const std::string pins = fmt::format("{}.host[{}].interface_rtl.{}.", root_, node, block.module);
    const auto links = [&pins, &node = node, &block = block](const char* pin) {
      const std::string label = fmt::format("host {} {}", node, pin);
      return block.ports > 1 ? gtkw_row(kGtkwHex, label, fmt::format("{}{}[{}:0]", pins, pin, block.ports - 1))
                             : gtkw_row(kGtkwBit, label, pins + pin);
    };
    const std::string slots = fmt::format("[{}:0]", std::bit_width(block.slots - 1U) - 1);
    out += gtkw_row(kGtkwDecimal, fmt::format("host {} slot_i", node), pins + "slot_i" + slots);
    for (const char* pin : {"out_valid_o", "out_last_o", "rx_valid_o", "rx_last_o"}) out += links(pin);
  }
  return out + gtkw_end_group(path);
}

}  // namespace weft
