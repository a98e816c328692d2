#include "report/wave_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

namespace weft {
namespace {

constexpr std::uint32_t kSlotBits = 16;
constexpr std::uint32_t kFrameBits = 32;
constexpr std::uint32_t kMessageBits = 16;

}  // namespace

std::string port_label(const Graph& graph, SwitchId sw, PortId port) {
  if (graph.node_at(sw, port) != kNoId) return fmt::format("{} host", port);
  const std::size_t dims = graph.grid().dims.size();
  if (dims == 0 || port == 0) return std::to_string(port);
  const std::size_t d = (port - 1U) / 2;
  const char sign = port % 2 == 1 ? 'p' : 'm';
  return d < 4 ? fmt::format("{} {}{}", port, sign, "xyzw"[d]) : fmt::format("{} {}d{}", port, sign, d);
}

std::string WaveView::port_scope(SwitchId sw, PortId port) const {
  std::string label = port_label(graph_, sw, port);
  std::replace(label.begin(), label.end(), ' ', '_');
  return "out" + label;
}

WaveView::WaveView(WaveFile& file, const FicConfig& config, const Graph& graph, const std::vector<PhasePlan>& phases,
                   std::uint32_t longest_message, std::string root, const std::vector<bool>& watched)
    : file_(file),
      graph_(graph),
      word_bits_(std::max<std::uint32_t>(2, std::bit_width(longest_message))),
      phases_(phases),
      slots_(config.fic_switch.slots),
      root_(std::move(root)),
      index_(watched.size(), kUnwatched) {
  for (const PhasePlan& p : phases) {
    for (const CircuitPlan& c : p.circuits) {
      circuits_.push_back(
          fmt::format("{}>{}{}", c.source, c.destinations.front(), c.destinations.size() > 1 ? "+" : ""));
    }
  }
  slot_ = file_.add_bits({root_}, "slot", kSlotBits);
  frame_ = file_.add_bits({root_}, "frame", kFrameBits);
  phase_ = file_.add_text("phase");
  for (SwitchId sw = 0; sw < watched.size(); ++sw) {
    if (watched[sw]) declare(sw);
    rtl_data_path_.push_back(config.fic_switch.implementations(sw).data_path != Implementation::model);
    rtl_slot_lut_.push_back(config.fic_switch.implementations(sw).slot_lut != Implementation::model);
  }
  file_.set_text(phase_, "setup");
}

void WaveView::declare(SwitchId sw) {
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

void WaveView::on_phase(std::size_t phase, Cycle) {
  file_.set_text(phase_, phases_[phase].name);
}

void WaveView::on_setup(const SetupEvent& event) {
  if (index_[event.sw] == kUnwatched) return;
  Switch& s = switches_[index_[event.sw]];
  constexpr const char* kNames[] = {"query", "reserve", "release"};
  const std::uint32_t ports = graph_.ports(event.sw);
  const bool input = event.row >= ports;
  file_.set_text(s.setup, fmt::format("{} {}{} f{}", kNames[static_cast<std::size_t>(event.kind)],
                                               input ? "in" : "out", event.row % ports, event.flow));
  file_.set(s.setup_ok, event.ok ? 1 : 0);
  file_.set(s.setup_free, event.free_slots);
  s.setup_until = event.cycle;
}

void WaveView::on_cells(Cycle cycle, const std::vector<Cell>& cells) {
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
    const Port& p = switches_[index_[cell.sw]].ports[cell.out];
    file_.set(p.valid, 1);
    file_.set(p.message, cell.train->sequence % (1U << kMessageBits));
    file_.set(p.word, cell.word);
    file_.set_text(p.circuit, circuits_[cell.train->circuit]);
    next_busy_.push_back(place);
  }
  while (old != busy_.end()) silence(*old++);
  std::swap(busy_, next_busy_);
}

std::string WaveView::gtkw(const std::string& fst) const {
  constexpr std::size_t kSwitches = 16;
  constexpr const char* kGroup = "@200\n";    // comment line
  constexpr const char* kDecimal = "@24\n";   // right-justified decimal
  constexpr const char* kBit = "@28\n";       // single bit
  constexpr const char* kText = "@20000\n";   // string
  std::string out = fmt::format("[dumpfile] \"{}\"\n[timestart] 0\n[size] 1600 900\n[pos] -1 -1\n"
                                "*-16.0 0 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1\n"
                                "[sst_width] 220\n[signals_width] 260\n[sst_expanded] 1\n[sst_vpaned_height] 300\n",
                                fst);
  const auto text = [&](const std::string& path) { return fmt::format("{}{}\n", kText, path); };
  out += fmt::format("{}-{}\n{}{}.slot[15:0]\n{}.frame[31:0]\n", kGroup, root_, kDecimal, root_, root_);
  out += text(root_ + ".phase");
  std::size_t shown = 0;
  for (const Switch& s : switches_) {
    const SwitchId sw = s.id;
    if (shown++ == kSwitches) break;
    const std::string path = fmt::format("{}.sw[{}]", root_, sw);
    out += fmt::format("{}-\n-{}\n{}{}.slot[15:0]\n", kGroup, path, kDecimal, path);
    out += text(path + ".setup.request");
    for (PortId p = 0; p < graph_.ports(sw); ++p) {
      if (graph_.is_free({sw, p})) continue;
      out += text(path + "." + port_scope(sw, p) + ".circuit");
    }
    if (rtl_data_path_[sw]) {
      const std::string rtl = path + ".data_path_rtl.tdm_switch";
      out += fmt::format("{}-RTL data path\n{}{}.clk_i\n{}{}.slot_i[5:0]\n{}{}.in_valid_i[7:0]\n{}.out_valid_o[7:0]\n",
                         kGroup, kBit, rtl, kDecimal, rtl, "@22\n", rtl, rtl);
    }
    if (rtl_slot_lut_[sw]) {
      const std::string rtl = path + ".slot_lut_rtl.slot_lut";
      out += fmt::format("{}-RTL slot LUT\n{}{}.clk_i\n{}.req_valid_i\n{}.rsp_ok_o\n", kGroup, kBit, rtl, rtl, rtl);
      out += fmt::format("@22\n{}.req_slots_i[63:0]\n{}.rsp_free_o[63:0]\n", rtl, rtl);
    }
  }
  return out + "[pattern_trace] 1\n[pattern_trace] 0\n";
}

}  // namespace weft
