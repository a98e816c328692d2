#include "fabrics/optweb/observe/hbm2_signals.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "observe/gtkw.h"

namespace weft {
namespace {

constexpr std::uint32_t kBankBits = 8;
constexpr std::uint32_t kRowBits = 32;
constexpr std::uint32_t kCountBits = 32;
constexpr std::array kCountNames{"page_hits", "page_misses", "page_conflicts", "turns", "refreshes"};

}  // namespace

Hbm2Signals::Hbm2Signals(WaveFile& file, const std::string& root, NodeId number, OptwebNode* node,
                         const OptwebConfig& config, const OptwebUses& uses)
    : file_(file), node_(node), config_(config) {
  for (std::uint32_t i = 0; i < uses.interfaces.size(); ++i) {
    if (!uses.interfaces[i]) continue;
    Interface& m = interfaces_.emplace_back();
    m.number = i;
    const std::vector<std::string> scopes{root, fmt::format("node[{}]", number), "hbm",
                                          fmt::format("interface[{}]", i)};
    m.path = fmt::format("{}", fmt::join(scopes, "."));
    m.busy = file.add_bits(scopes, "busy", 1);
    m.state = file.add_text("state");
    m.bank = file.add_bits(scopes, "bank", kBankBits);
    m.row = file.add_bits(scopes, "row", kRowBits);
    for (std::size_t c = 0; c < kCounts; ++c) m.counted[c] = file.add_bits(scopes, kCountNames[c], kCountBits);
  }
  if (node != nullptr && !interfaces_.empty()) node->memory().controllers().watch();
}

// What its commands do in the present cycle: the last burst, or a refresh.
std::string_view Hbm2Signals::state_of(Interface& m, const std::vector<dram::Command>& commands) const {
  std::string_view state;
  for (const dram::Command& c : commands) {
    switch (c.kind) {
      case dram::Command::Kind::refresh:
        m.refreshed = c.end;
        break;
      case dram::Command::Kind::read:
      case dram::Command::Kind::write:
        m.last = c;
        state = c.kind == dram::Command::Kind::read ? "read" : "write";
        break;
    }
  }
  const dram::Tick begin = config_.hbm2->tick(node_->clock().now() * config_.period.ps);
  return state.empty() && m.refreshed > begin ? "refresh" : state;
}

void Hbm2Signals::show(bool written) {
  for (Interface& m : interfaces_) {
    const dram::MemoryPorts::ChannelView view = node_->memory().controllers().view(m.number);
    const std::string_view state = state_of(m, view.commands);
    file_.set(m.busy, state.empty() ? 0U : 1U);
    file_.set_text(m.state, state);
    file_.set(m.bank, m.last.bank);
    file_.set(m.row, m.last.row);
    const dram::Counters& n = view.counters;
    const std::array counts{n.hits, n.misses, n.conflicts, n.turns, n.refreshes};
    for (std::size_t c = 0; c < kCounts; ++c) file_.set(m.counted[c], counts[c]);
    m.moved = m.moved || (written && !state.empty());
  }
}

std::string Hbm2Signals::gtkw() const {
  std::string out;
  for (const Interface& m : interfaces_) {
    if (!m.moved) continue;
    const auto row = [&](const char* format, const std::string& name, std::uint32_t width) {
      const std::string path = fmt::format("{}.{}", m.path, name);
      out += gtkw_row(format, fmt::format("interface {}: {}", m.number, name),
                      width > 1 ? fmt::format("{}[{}:0]", path, width - 1) : path);
    };
    row(kGtkwText, "state", 1);
    row(kGtkwDecimal, "bank", kBankBits);
    row(kGtkwDecimal, "row", kRowBits);
    for (const char* const name : kCountNames) row(kGtkwDecimal, name, kCountBits);
  }
  return out;
}

}  // namespace weft
