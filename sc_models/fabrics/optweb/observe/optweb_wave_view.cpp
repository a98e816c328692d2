#include "fabrics/optweb/observe/optweb_wave_view.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "observe/gtkw.h"

namespace weft {
namespace {

constexpr std::uint32_t kWordCountBits = 8;

const char* word(OptwebLane lane) {
  constexpr const char* kWords[] = {"", "data", "note"};
  return kWords[static_cast<std::size_t>(lane)];
}

}  // namespace

OptwebWaveView::OptwebWaveView(WaveFile& file, std::string root, std::vector<NodeId> nodes, std::vector<Rtl> rtl,
                               std::vector<Link> links, Duration period)
    : file_(file),
      root_(std::move(root)),
      links_(std::move(links)),
      period_(period),
      shown_(std::move(nodes)),
      rtl_(std::move(rtl)),
      nodes_(rtl_.size()),
      signals_(links_.size()) {
  for (const NodeId n : shown_) {
    const std::string name = fmt::format("node[{}]", n);
    Node s{};
    s.notifications = file_.add_bits({root_, name, "sequencer"}, "notifications_missing", kWordCountBits);
    s.state = file_.add_text("state");
    s.instruction = file_.add_text("instruction");
    s.reading = file_.add_bits({root_, name, "m_dmac"}, "reading", kWordCountBits);
    s.writing = file_.add_bits({root_, name, "m_dmac"}, "writing", kWordCountBits);
    nodes_[n] = s;
    for (std::size_t i = 0; i < links_.size(); ++i) {
      if (links_[i].from != n) continue;
      const std::vector<std::string> scopes{root_, name, fmt::format("link[{}]", links_[i].to)};
      if (links_[i].out) {
        signals_[i].out = file_.add_bits(scopes, "out_active", 1);
        signals_[i].out_text = file_.add_text("out");
      }
      if (links_[i].in) {
        signals_[i].in = file_.add_bits(scopes, "in_active", 1);
        signals_[i].in_text = file_.add_text("in");
      }
      if (links_[i].fails) signals_[i].state = file_.add_text("state");
    }
  }
}

void OptwebWaveView::show_node(NodeId node, const OptwebNodeState& state) {
  constexpr std::uint32_t kMost = (1U << kWordCountBits) - 1;
  const Node& s = nodes_[node];
  file_.set_text(s.state, state.state);
  file_.set_text(s.instruction, state.instruction);
  file_.set(s.reading, std::min(kMost, state.reading));
  file_.set(s.writing, std::min(kMost, state.writing));
  file_.set(s.notifications, std::min(kMost, state.notifications));
}

void OptwebWaveView::show_out(std::size_t index, Cycle cycle, OptwebLane out) {
  const Signals& s = signals_[index];
  if (first_activity_ < 0 && out != OptwebLane::rest) first_activity_ = cycle;
  if (!links_[index].out) return;
  file_.set(s.out, out == OptwebLane::rest ? 0 : 1);
  file_.set_text(s.out_text, word(out));
}

void OptwebWaveView::show_in(std::size_t index, OptwebLane in) {
  if (!links_[index].in) return;
  const Signals& s = signals_[index];
  file_.set(s.in, in == OptwebLane::rest ? 0 : 1);
  file_.set_text(s.in_text, word(in));
}

void OptwebWaveView::show_state(std::size_t index, OptwebLinkState state) {
  constexpr const char* kWords[] = {"", "repeats", "down"};
  file_.set_text(signals_[index].state, kWords[static_cast<std::size_t>(state)]);
}

std::string OptwebWaveView::node_path(NodeId node) const { return fmt::format("{}.node[{}]", root_, node); }

std::string OptwebWaveView::gtkw(const std::string& fst) const {
  constexpr std::size_t kNodes = 8;
  std::string out = gtkw_header(fst, period_, first_activity_);
  for (std::size_t i = 0; i < std::min(kNodes, shown_.size()); ++i) {
    const NodeId n = shown_[i];
    const std::string path = node_path(n);
    const auto count = [&](const char* name) { return fmt::format("{}.{}[{}:0]", path, name, kWordCountBits - 1); };
    out += gtkw_begin_group(path);
    out += gtkw_row(kGtkwText, "state", path + ".sequencer.state");
    out += gtkw_row(kGtkwText, "instruction", path + ".sequencer.instruction");
    out += gtkw_row(kGtkwDecimal, "readers at work", count("m_dmac.reading"));
    out += gtkw_row(kGtkwDecimal, "transfers to come", count("m_dmac.writing"));
    out += gtkw_row(kGtkwDecimal, "notifications to come", count("sequencer.notifications_missing"));
    if (boxes_) out += boxes_(n);
    for (const Link& l : links_) {
      if (l.from != n) continue;
      const std::string link = fmt::format("{}.link[{}].", path, l.to);
      if (l.out) {
        out += gtkw_row(kGtkwText, fmt::format("to node {}", l.to), link + "out");
        out += gtkw_row(kGtkwBit, "active", link + "out_active");
      }
      if (l.in) {
        out += gtkw_row(kGtkwText, fmt::format("from node {}", l.to), link + "in");
        out += gtkw_row(kGtkwBit, "active", link + "in_active");
      }
      if (l.fails) out += gtkw_row(kGtkwText, fmt::format("link to node {}", l.to), link + "state");
      if (rtl_[n].links.empty()) continue;
      const auto rtl = [&](const char* lane, const char* pin) {
        return fmt::format("{}.switch.link[{}].{}_rtl.{}.{}", path, l.to, lane, rtl_[n].links, pin);
      };
      for (const char* pin : {"clk_i", "tx_notify_i", "tx_valid_i", "link_active_o"}) {
        out += gtkw_row(kGtkwBit, fmt::format("rtl {}", pin), rtl("transmitter", pin));
      }
      out += gtkw_row(kGtkwHex, "rtl link_data_o", rtl("transmitter", "link_data_o[63:0]"));
      for (const char* pin : {"clk_i", "link_active_i", "rx_notify_o", "rx_valid_o"}) {
        out += gtkw_row(kGtkwBit, fmt::format("rtl {}", pin), rtl("receiver", pin));
      }
      out += gtkw_row(kGtkwHex, "rtl rx_data_o", rtl("receiver", "rx_data_o[63:0]"));
    }
    if (!rtl_[n].sequencer.empty()) {
      const std::string rtl = path + ".sequencer_rtl." + rtl_[n].sequencer + ".";
      out += gtkw_row(kGtkwBit, "rtl clk_i", rtl + "clk_i");
      out += gtkw_row(kGtkwHex, "rtl opcode_o", rtl + "opcode_o[3:0]");
      out += gtkw_row(kGtkwHex, "rtl issue_o", rtl + "issue_o[2:0]");
      out += gtkw_row(kGtkwHex, "rtl done_i", rtl + "done_i[2:0]");
      out += gtkw_row(kGtkwBit, "rtl completed_o", rtl + "completed_o");
    }
    if (!rtl_[n].control.empty()) {
      const std::string rtl = path + ".switch.control_rtl." + rtl_[n].control + ".";
      for (const char* pin : {"set_o", "open_o", "noted_o", "sent_o", "received_o"}) {
        out += gtkw_row(kGtkwBit, fmt::format("rtl {}", pin), rtl + pin);
      }
    }
    if (!rtl_[n].addresses.empty()) {
      const std::string rtl = path + ".m_dmac.stripe_address_rtl." + rtl_[n].addresses + ".";
      out += gtkw_row(kGtkwBit, "rtl req_valid_i", rtl + "req_valid_i");
      out += gtkw_row(kGtkwBit, "rtl rsp_valid_o", rtl + "rsp_valid_o");
    }
    out += gtkw_end_group(path);
  }
  return out + gtkw_footer();
}

}  // namespace weft
