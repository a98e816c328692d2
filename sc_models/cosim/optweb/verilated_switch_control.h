#pragma once
// The interface of a distributed switch's control on top of Verilated classes of rtl/optweb/switch_control.sv. Included
// only where a Verilated class is at hand.
//
// Events are inputs of the present cycle; the outputs are looked at behind each. The clock edge that ends a cycle comes
// with the first event of a later one, or when waves show the cycle.

#include <fmt/format.h>

#include <bit>
#include <memory>
#include <optional>
#include <string>
#include <tuple>

#include "base/diagnostics.h"
#include "cosim/common/bits.h"
#include "cosim/common/verilated_block.h"
#include "cosim/optweb/optweb_rtl.h"

namespace weft::optweb {

/// switch_control with so many ports, of which a node may have fewer; counts and steps of kRtlWordBits.
template <class V, std::uint32_t kPorts>
class VerilatedSwitchControl final : public VerilatedBlock<VerilatedSwitchControl<V, kPorts>, V, SwitchControlRtl> {
  using Block = VerilatedBlock<VerilatedSwitchControl, V, SwitchControlRtl>;

 public:
  static constexpr std::uint32_t kPortBits = std::bit_width(kPorts - 1U);

  VerilatedSwitchControl(VerilatedContext& context, std::uint32_t own, const std::string& name) : Block(context, name) {
    set_bits(this->top().own_i, own, 1, 1);
    rest(this->top());
    new_events();
  }

  void write(const ControlWord& word, Cycle now) override {
    begin(now);
    V& top = this->top();
    top.write_i = 1;
    top.rendezvous_i = word.rendezvous;
    for (std::uint32_t p = 0; p < kPorts; ++p) {
      set_bits(top.barrier_i, p, 1, 0);
      set_bits(top.send_i, p, 1, 0);
      set_bits(top.receive_i, p, 1, 0);
    }
    for (const std::uint32_t p : word.barrier) set_bits(top.barrier_i, p, 1, 1);
    for (const ControlWord::Path& path : word.sends) {
      set_bits(top.send_i, path.port, 1, 1);
      set_bits(top.reader_i, path.port * kPortBits, kPortBits, path.dmac);
      set_bits(top.send_words_i, path.port * kRtlWordBits, kRtlWordBits, fitting(path.words));
    }
    for (const ControlWord::Path& path : word.receives) {
      set_bits(top.receive_i, path.port, 1, 1);
      set_bits(top.writer_i, path.port * kPortBits, kPortBits, path.dmac);
      set_bits(top.receive_words_i, path.port * kRtlWordBits, kRtlWordBits, fitting(path.words));
    }
    new_events();
  }
  ControlEvents set(Cycle now) override {
    begin(now);
    this->top().set_i = 1;
    return new_events();
  }
  ControlEvents notified(std::uint32_t port, Cycle now) override {
    begin(now);
    set_bits(this->top().notified_i, port, 1, 1);
    return new_events();
  }
  ControlEvents passed(std::uint32_t reader, std::uint64_t words, Cycle now) override {
    begin(now);
    set_bits(this->top().read_words_i, reader * kRtlWordBits, kRtlWordBits, fitting(words));
    return new_events();
  }
  ControlEvents counted(std::uint32_t port, std::uint64_t words, Cycle now) override {
    begin(now);
    set_bits(this->top().link_words_i, port * kRtlWordBits, kRtlWordBits, fitting(words));
    return new_events();
  }
  void clear(Cycle now) override {
    begin(now);
    this->top().clear_i = 1;
    new_events();
  }
  std::uint32_t awaited(std::uint32_t port) const override {
    return bit(this->top().unready_o, port) ? 2 : bit(this->top().awaited_o, port) ? 1 : 0;
  }
  bool notifies(std::uint32_t port) const override { return bit(this->top().notify_o, port); }
  bool confirms(std::uint32_t port) const override { return (confirm_ >> port & 1U) != 0; }

  ControlPins pins() const override {
    const V& top = this->top();
    ControlPins out;
    out.refused = top.refused_o != 0;
    out.holds = top.holds_o != 0;
    out.set = top.set_o != 0;
    out.cut = top.cut_o != 0;
    out.noted = top.noted_o != 0;
    out.open = top.open_o != 0;
    out.sent = top.sent_o != 0;
    out.received = top.received_o != 0;
    out.notify = get_bits(top.notify_o, 0, kPorts);
    out.confirm = get_bits(top.confirm_o, 0, kPorts);
    out.awaited = get_bits(top.awaited_o, 0, kPorts);
    out.unready = get_bits(top.unready_o, 0, kPorts);
    out.lost = get_bits(top.lost_o, 0, kPorts);
    out.pass = get_bits(top.pass_o, 0, kPorts);
    out.joined = get_bits(top.joined_o, 0, kPorts);
    out.taken = get_bits(top.taken_o, 0, kPorts);
    out.excess_sent = get_bits(top.excess_o, 0, kPorts);
    out.excess_received = get_bits(top.excess_o, kPorts, kPorts);
    for (std::uint32_t p = 0; p < kPorts; ++p) {
      out.select.push_back(static_cast<std::uint32_t>(get_bits(top.select_o, p * kPortBits, kPortBits)));
      out.writer.push_back(static_cast<std::uint32_t>(get_bits(top.writer_o, p * kPortBits, kPortBits)));
      out.words.push_back(get_bits(top.words_o, p * kRtlWordBits, kRtlWordBits));
    }
    return out;
  }

  void show_cycle() override {
    end();
    Block::show_cycle();
  }

  static auto inputs(V& top) {
    return std::tie(top.own_i, top.write_i, top.rendezvous_i, top.barrier_i, top.send_i, top.reader_i, top.send_words_i,
                    top.receive_i, top.writer_i, top.receive_words_i, top.set_i, top.clear_i, top.notified_i,
                    top.read_words_i, top.link_words_i);
  }
  static auto outputs(V& top) {
    return std::tie(top.refused_o, top.holds_o, top.set_o, top.cut_o, top.notify_o, top.confirm_o, top.awaited_o,
                    top.unready_o, top.noted_o, top.lost_o, top.open_o, top.pass_o, top.joined_o, top.select_o,
                    top.words_o, top.sent_o, top.taken_o, top.writer_o, top.received_o, top.excess_o);
  }
  static constexpr std::uint32_t kNumbers = kPorts * kPortBits;
  static constexpr std::uint32_t kCounts = kPorts * kRtlWordBits;
  static constexpr std::uint32_t kWidths[] = {
      0, 1,      1,      kPorts,   kPorts,  kNumbers, kCounts, kPorts,   kNumbers, kCounts,
      1, 1,      kPorts, kCounts,  kCounts,  // inputs; that of the node itself is constant
      1, 1,      1,      1,        kPorts,  kPorts,   kPorts,  kPorts,   1,        kPorts,
      1, kPorts, kPorts, kNumbers, kCounts, 1,        kPorts,  kNumbers, 1,        2 * kPorts};
  static void rest(V& top) {
    top.write_i = 0;
    top.set_i = 0;
    top.clear_i = 0;
    for (std::uint32_t p = 0; p < kPorts; ++p) {
      set_bits(top.notified_i, p, 1, 0);
      set_bits(top.read_words_i, p * kRtlWordBits, kRtlWordBits, 0);
      set_bits(top.link_words_i, p * kRtlWordBits, kRtlWordBits, 0);
    }
  }

 private:
  template <class Port>
  static bool bit(const Port& pins, std::uint32_t port) {
    return get_bits(pins, port, 1) != 0;
  }
  static std::uint64_t fitting(std::uint64_t words) {
    if (words >> kRtlWordBits == 0) return words;
    throw RunError(fmt::format("switch_control RTL: {} words, more than counters of {} bits", words, kRtlWordBits));
  }
  void begin(Cycle now) {
    if (now != cycle_) end();
    cycle_ = now;
    begun_ = true;
  }
  // The clock edge, and the outputs of a cycle that brings nothing.
  void end() {
    if (!begun_) return;
    begun_ = false;
    this->edge();
    rest(this->top());
    new_events();
  }
  // Outputs, and what of them is new in this cycle.
  ControlEvents new_events() {
    this->low();
    const V& top = this->top();
    const ControlEvents seen = {get_bits(top.pass_o, 0, kPorts) != 0, top.noted_o != 0, top.sent_o != 0,
                                top.received_o != 0};
    const ControlEvents out = {seen.opens && !seen_.opens, seen.noted && !seen_.noted, seen.sent && !seen_.sent,
                               seen.received && !seen_.received};
    seen_ = seen;
    if (out.received) confirm_ = get_bits(top.confirm_o, 0, kPorts);
    return out;
  }

  Cycle cycle_ = -1;
  bool begun_ = false;         // the cycle has brought something, and its edge is to come
  std::uint64_t confirm_ = 0;  // those that are to be told: the switch does it later
  ControlEvents seen_;
};

/// A Verilated module as a block to register. `module`: the top module.
template <class V, std::uint32_t kPorts>
SwitchControlBlock verilated_switch_control(const std::string& module) {
  return {module,
          [](std::uint32_t ports) {
            return ports <= kPorts
                       ? std::nullopt
                       : std::optional(fmt::format(
                             "{} ports, one for each node that is reached and the node itself; the RTL has {}", ports,
                             kPorts));
          },
          [](VerilatedContext& context, std::uint32_t, std::uint32_t own, const std::string& name) {
            return std::make_unique<VerilatedSwitchControl<V, kPorts>>(context, own, name);
          }};
}

}  // namespace weft::optweb
