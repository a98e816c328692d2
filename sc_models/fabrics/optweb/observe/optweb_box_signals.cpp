#include "fabrics/optweb/observe/optweb_box_signals.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "observe/gtkw.h"

namespace weft {
namespace {

constexpr std::uint32_t kNodeCountBits = 10;
constexpr std::uint32_t kBufferBits = 20;

// "1 2 5", at most eight.
std::string list_of_nodes(const std::vector<NodeId>& nodes) {
  constexpr std::size_t kMost = 8;
  std::string out;
  for (std::size_t i = 0; i < std::min(kMost, nodes.size()); ++i)
    out += fmt::format("{}{}", i == 0 ? "" : " ", nodes[i]);
  return nodes.size() > kMost ? out + fmt::format(" +{}", nodes.size() - kMost) : out;
}

std::uint64_t at_most(std::uint64_t value, std::uint32_t bits) {
  return std::min(value, (std::uint64_t{1} << bits) - 1);
}

}  // namespace

OptwebBoxSignals::OptwebBoxSignals(WaveFile& file, const std::string& root, NodeId number, const OptwebNode* node,
                                   const OptwebUses& uses)
    : file_(file), node_(node), uses_(uses) {
  const std::string name = fmt::format("node[{}]", number);
  const auto scopes = [&](const std::vector<std::string>& below) {
    std::vector<std::string> out{root, name};
    out.insert(out.end(), below.begin(), below.end());
    return out;
  };
  bits(scopes({"switch", "control_register"}), "busy", 1, "");
  text("state", "control register");
  text("waits_for", "waits for nodes");
  if (uses_.reads) {
    bits(scopes({"m_dmac", "readers"}), "busy", 1, "");
    text("state", "readers");
  }
  if (uses_.writes) {
    bits(scopes({"m_dmac", "writers"}), "busy", 1, "");
    text("state", "writers");
  }
  if (uses_.rendezvous) {
    bits(scopes({"switch", "gate"}), "missing", kNodeCountBits, "gate: receivers missing");
    text("waits_for", "gate: waits for nodes");
  }
  if (uses_.reduction) {
    bits(scopes({"switch", "reduction"}), "streams", kNodeCountBits, "reduction: streams");
    text("state", "reduction");
  }
  if (uses_.user_logic) {
    bits(scopes({"changeover"}), "user", 1, "");
    text("position", "changeover");
  }
  if (uses_.host) {
    bits(scopes({"host_master"}), "open", 1, "");
    text("interface", "host: interface");
    text("state", "host");
  }
  for (NodeId n = 0; n < uses_.sends.size(); ++n) {
    const bool own = n == number;
    Place p;
    p.peer = n;
    p.first = signals_.size();
    p.sends = uses_.sends[n];
    p.receives = uses_.receives[n];
    p.buffer = p.receives && !own;
    p.notified = uses_.in[n];
    if (p.sends) {
      bits(scopes({"switch", "selectors", fmt::format("to[{}]", n)}), "joined", 1, "");
      text("reader", fmt::format("to {}: reader", n));
    }
    p.queues = uses_.fifos && p.sends && !own;
    if (p.queues) {
      p.fifo = signals_.size();
      bits(scopes({"switch", fmt::format("link[{}]", n)}), "fifo", kBufferBits, fmt::format("to {}: words in FIFO", n));
    }
    if (p.receives) {
      bits(scopes({"switch", "crossbar", fmt::format("from[{}]", n)}), "joined", 1, "");
      text("writer", fmt::format("from {}: writer", n));
    }
    if (p.buffer) {
      p.words = signals_.size();
      bits(scopes({"switch", "buffers", fmt::format("from[{}]", n)}), "words", kBufferBits,
           fmt::format("from {}: words in buffer", n));
      text("state", fmt::format("from {}: buffer", n));
    }
    if (p.notified) {
      bits(scopes({"switch", "notifications", fmt::format("from[{}]", n)}), "registered", 1,
           fmt::format("from {}: early notification", n));
    }
    if (signals_.size() > p.first) places_.push_back(p);
  }
}

void OptwebBoxSignals::bits(const std::vector<std::string>& scopes, const std::string& name, std::uint32_t width,
                            const std::string& alias) {
  scope_.clear();
  for (const std::string& s : scopes) scope_ += s + ".";
  const std::string path = width == 1 ? scope_ + name : fmt::format("{}{}[{}:0]", scope_, name, width - 1);
  signals_.push_back({file_.add_bits(scopes, name, width), path, alias, width == 1 ? kGtkwBit : kGtkwDecimal});
}

void OptwebBoxSignals::text(const std::string& name, const std::string& alias) {
  signals_.push_back({file_.add_text(name), scope_ + name, alias, kGtkwText});
}

void OptwebBoxSignals::set(std::uint64_t value) {
  Signal& s = signals_[next_++];
  file_.set(s.signal, value);
  s.moved = s.moved || (written_ && value != 0);
}

void OptwebBoxSignals::set(std::string_view value) {
  Signal& s = signals_[next_++];
  file_.set_text(s.signal, value);
  s.moved = s.moved || (written_ && !value.empty());
}

void OptwebBoxSignals::set(const std::optional<OptwebBoxState>& state) {
  set(state ? to_string(*state) : std::string_view());
}

// In the order in which they were declared. Between the cycles in which anything happens only buffers change.
void OptwebBoxSignals::show(std::uint64_t busy_cycles, bool written) {
  const Cycle now = node_->clock().now();
  const bool as_before = std::exchange(written_, written) == written && busy_cycles == seen_;
  if (as_before && now < next_state_) {
    for (const Place& p : places_) {
      if (p.holds) show_words(p);
      if (p.queues) show_fifo(p);
    }
    return;
  }
  seen_ = busy_cycles;
  next_state_ = std::min(node_->distributed_switch().next_state(), node_->host_master().next_state());
  const DistributedSwitch& sw = node_->distributed_switch();
  const auto busy = [this](const std::optional<OptwebBoxState>& state) {
    set(std::uint64_t{state ? 1U : 0U});
    set(state);
  };
  next_ = 0;
  busy(sw.control_state());
  set(list_of_nodes(sw.waits_for()));
  if (uses_.reads) busy(sw.readers_state());
  if (uses_.writes) busy(sw.writers_state());
  if (uses_.rendezvous) {
    const std::vector<NodeId> missing = sw.not_ready();
    set(at_most(missing.size(), kNodeCountBits));
    set(list_of_nodes(missing));
  }
  if (uses_.reduction) {
    set(at_most(sw.reduction_streams(), kNodeCountBits));
    set(sw.reduction_state());
  }
  if (uses_.user_logic) {
    const bool user = node_->changeover().position() == ChangeoverSwitch::Position::user;
    set(std::uint64_t{user ? 1U : 0U});
    set(user ? std::string_view("user") : std::string_view());
  }
  if (uses_.host) {
    const HostMaster& host = node_->host_master();
    set(std::uint64_t{host.interface() ? 1U : 0U});
    set(host.interface() ? fmt::format("{}", *host.interface()) : std::string());
    const auto state = host.state();
    set(!state                            ? std::string_view()
        : *state != OptwebBoxState::words ? to_string(*state)
        : host.writes()                   ? std::string_view("writes")
                                          : std::string_view("reads"));
  }
  for (Place& p : places_) show_place(p);
}

void OptwebBoxSignals::show_words(const Place& p) {
  next_ = p.words;
  set(at_most(node_->distributed_switch().buffered_words(p.peer), kBufferBits));
}

void OptwebBoxSignals::show_fifo(const Place& p) {
  next_ = p.fifo;
  set(at_most(node_->distributed_switch().fifo_words(p.peer), kBufferBits));
}

void OptwebBoxSignals::show_place(Place& p) {
  const DistributedSwitch& sw = node_->distributed_switch();
  const auto joined = [this](const char* kind, const std::optional<std::uint32_t>& number) {
    set(std::uint64_t{number ? 1U : 0U});
    set(number ? fmt::format("{}#{}", kind, *number) : std::string());
  };
  if (p.sends) joined("R", sw.joined_reader(p.peer));
  if (p.queues) show_fifo(p);
  if (p.receives) joined("W", sw.joined_writer(p.peer));
  if (p.buffer) {
    show_words(p);
    const auto state = sw.buffer_state(p.peer);
    p.holds = state.has_value();
    set(state);
  }
  if (p.notified) set(std::uint64_t{sw.early_notification(p.peer) ? 1U : 0U});
}

std::string OptwebBoxSignals::gtkw() const {
  std::string out;
  for (const Signal& s : signals_) {
    if (s.moved && !s.alias.empty()) out += gtkw_row(s.format, s.alias, s.path);
  }
  return out;
}

}  // namespace weft
