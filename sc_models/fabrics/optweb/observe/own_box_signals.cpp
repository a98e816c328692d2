#include "fabrics/optweb/observe/own_box_signals.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <utility>

#include "base/diagnostics.h"
#include "observe/gtkw.h"

namespace weft {
namespace {

constexpr std::uint32_t kFlowBits = 32;

std::uint64_t low(std::uint64_t value, std::uint32_t width) {
  return width == 64 ? value : value & ((std::uint64_t{1} << width) - 1);
}

std::vector<std::string> scopes_of(const std::string& root, NodeId node, const OwnBoxSignals::Declared& signal) {
  std::vector<std::string> out{root, fmt::format("node[{}]", node)};
  out.insert(out.end(), signal.scopes.begin(), signal.scopes.end());
  return out;
}

WaveSignal add_to(WaveFile& file, const std::string& root, NodeId node, const OwnBoxSignals::Declared& s) {
  return s.width == 0 ? file.add_text(s.name) : file.add_bits(scopes_of(root, node, s), s.name, s.width);
}

}  // namespace

/// Of one box.
class OwnBoxSignals::Scope final : public BoxTrace {
 public:
  /// `taken`: names that signals of this scope have already, beside those here.
  Scope(OwnBoxSignals& all, std::vector<std::string> scopes, std::vector<std::string> taken = {})
      : all_(all), scopes_(std::move(scopes)), taken_(std::move(taken)) {}
  void bits(const std::string& name, std::uint32_t width, std::function<std::uint64_t()> read) override {
    if (width < 1 || width > 64) throw error(name, fmt::format("{} bits; 1 to 64 are possible", width));
    add(name, width).bits = std::move(read);
  }
  void text(const std::string& name, std::function<std::string()> read) override {
    text_with(name, name + "_valid", std::move(read));
  }
  /// A text, and a bit beside it whether it is not empty, which the view leaves out.
  void text_with(const std::string& name, const std::string& bit, std::function<std::string()> read) {
    Signal& valid = add(bit, 1);
    valid.bits = [read] { return std::uint64_t{read().empty() ? 0U : 1U}; };
    valid.viewed = false;
    add(name, 0).text = std::move(read);
  }

 private:
  InputError error(const std::string& name, const std::string& text) const {
    return InputError({"trace"},
                      fmt::format("signal '{}' of {}.{}: {}", name, all_.node_.name(), fmt::join(scopes_, "."), text));
  }
  Signal& add(const std::string& name, std::uint32_t width) {
    if (name.empty() || name.find_first_of(". \t\n") != std::string::npos) {
      throw error(name, "expected a name without points and blanks");
    }
    const auto same = [&](const Signal& s) { return s.name == name && s.scopes == scopes_; };
    if (std::find(taken_.begin(), taken_.end(), name) != taken_.end() ||
        std::any_of(all_.signals_.begin(), all_.signals_.end(), same)) {
      throw error(name, "there is a signal of this name already");
    }
    Signal& out = all_.signals_.emplace_back();
    out.scopes = scopes_;
    out.name = name;
    out.width = width;
    return out;
  }

  OwnBoxSignals& all_;
  std::vector<std::string> scopes_;
  std::vector<std::string> taken_;
};

OwnBoxSignals::OwnBoxSignals(const OptwebNode& node, const OptwebUses& uses) : node_(node) {
  const DistributedSwitch& sw = node.distributed_switch();
  if (uses.reads) add_words("sent", sw.sent_boxes(), &DistributedSwitch::sent_flow);
  if (uses.writes) add_words("received", sw.received_boxes(), &DistributedSwitch::received_flow);
  if (uses.reduction) {
    Scope scope(*this, {"switch", "reduction"}, {"streams", "state"});
    sw.reduction_unit().trace(scope);
  }
  if (uses.user_logic) {
    Scope scope(*this, {"user_logic"});
    if (dynamic_cast<const StreamLogic*>(&node.user_logic()) != nullptr) {
      scope.bits("words_in", kFlowBits, [&node] { return node.user_port().words_passed(false); });
      scope.bits("words_out", kFlowBits, [&node] { return node.user_port().words_passed(true); });
    }
    node.user_logic().trace(scope);
  }
}

void OwnBoxSignals::add_words(const char* side, const WordBoxes& boxes,
                              Flow (DistributedSwitch::*flow)(std::size_t) const) {
  const DistributedSwitch& sw = node_.distributed_switch();
  for (std::size_t i = 0; i < boxes.size(); ++i) {
    const Box* const box =
        boxes_.emplace_back(std::make_unique<Box>(Box{[&sw, flow, i] { return (sw.*flow)(i); }, {}})).get();
    Scope scope(*this, {"switch", fmt::format("{}[{}]", side, i)});
    scope.bits("words_in", kFlowBits, [box] { return box->flow.in; });
    scope.bits("words_out", kFlowBits, [box] { return box->flow.out; });
    scope.text_with("state", "busy", [box] { return std::string(box->flow.state ? to_string(*box->flow.state) : ""); });
    boxes[i].trace(scope);
  }
}

std::vector<OwnBoxSignals::Declared> OwnBoxSignals::declared() const { return {signals_.begin(), signals_.end()}; }

void OwnBoxSignals::declare(WaveFile& file, const std::string& root) {
  for (Signal& s : signals_) {
    s.path = fmt::format("{}.{}", fmt::join(scopes_of(root, node_.node(), s), "."), s.name);
    if (s.width > 1) s.path += fmt::format("[{}:0]", s.width - 1);
    s.signal = add_to(file, root, node_.node(), s);
  }
}

void OwnBoxSignals::declare_far(WaveFile& file, const std::string& root, NodeId node,
                                const std::vector<Declared>& signals) {
  for (const Declared& s : signals) add_to(file, root, node, s);
}

void OwnBoxSignals::show(WaveFile& file, bool written) {
  for (const auto& box : boxes_) {
    const Flow flow = box->read();
    const bool same = flow.number == box->flow.number && flow.in > 0;
    const Flow before = std::exchange(box->flow, flow);
    if (!same) continue;
    box->flow.in = std::max(flow.in, before.in);
    box->flow.out = std::max(flow.out, before.out);
  }
  for (Signal& s : signals_) {
    if (s.width == 0) {
      const std::string text = s.text();
      file.set_text(s.signal, text);
      s.moved = s.moved || (written && !text.empty());
    } else {
      const std::uint64_t value = low(s.bits(), s.width);
      file.set(s.signal, value);
      s.moved = s.moved || (written && value != 0);
    }
  }
}

std::string OwnBoxSignals::gtkw() const {
  std::string out;
  for (const Signal& s : signals_) {
    if (!s.moved || !s.viewed) continue;
    const char* const format = s.width == 0 ? kGtkwText : s.width == 1 ? kGtkwBit : kGtkwDecimal;
    out += gtkw_row(format, fmt::format("{}: {}", fmt::join(s.scopes, "."), s.name), s.path);
  }
  return out;
}

}  // namespace weft
