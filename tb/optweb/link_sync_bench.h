#pragma once
// Bench of link_sync: its lane comes back to it through a link of some cycles, or any lane comes in. All outputs are
// compared with the plain class in every cycle; over the link, what is taken must be received Delay + 3 cycles later,
// whatever the class says.

#include <deque>
#include <functional>
#include <utility>

#include "algorithms/optweb/link_sync.h"
#include "tdm/pin_bench.h"
#include "tdm/pin_bits.h"

namespace weft::pins {

struct LinkSyncShape {
  std::uint32_t width;
  std::uint32_t gap;
};

/// A word or a notification on its way.
struct LinkItem {
  Bits word;
  bool notification = false;
  bool operator==(const LinkItem&) const = default;
  std::string text() const { return notification ? "notification" : "word " + word.hex(); }
};

template <class Dut>
class LinkSyncBench final : public PinBench<Dut> {
 public:
  static constexpr std::size_t kDelay = 5;  ///< cycles from lane to lane when looped
  struct Inputs {
    bool reset_n = true;
    optweb::LinkSyncInputs pins;
    bool looped = true;  ///< the lane of kDelay cycles ago comes in instead of the one in `pins`
  };
  using Source = std::function<Inputs()>;

  LinkSyncBench(const sc_core::sc_module_name& name, const LinkSyncShape& shape)
      : PinBench<Dut>(name), shape_(shape), reference_(shape.gap), link_(kDelay), arrivals_("link", this->errors()) {
    Dut& dut = this->dut();
    dut.tx_notify_i(notify_);
    dut.tx_notify_ready_o(notify_ready_);
    dut.tx_valid_i(valid_);
    dut.tx_ready_o(ready_);
    dut.tx_data_i(data_);
    dut.link_active_o(lane_out_);
    dut.link_data_o(lane_data_out_);
    dut.link_active_i(lane_in_);
    dut.link_data_i(lane_data_in_);
    dut.rx_notify_o(notified_);
    dut.rx_valid_o(received_);
    dut.rx_data_o(received_data_);
  }

  void run(Cycle cycles, Source source) {
    source_ = std::move(source);
    this->run_cycles(cycles);
  }
  /// After a looped run that ended at rest: nothing may be missing.
  void end() { arrivals_.end(this->cycle()); }
  std::uint64_t arrived() const { return arrived_; }

 private:
  /// All bits of the word with this number; number 0 is the quiet lane.
  Bits bits(std::uint64_t number) const {
    Bits out(shape_.width);
    for (std::size_t low = 0; low < shape_.width; low += 64) {
      const std::size_t width = std::min<std::size_t>(64, shape_.width - low);
      const std::uint64_t mixed = (number + low) * 0x9e3779b97f4a7c15ULL;
      out.set(low, width, number == 0 ? 0 : (mixed ^ mixed >> 29) >> (64 - width));
    }
    return out;
  }

  void drive() override {
    Inputs in = source_();
    if (in.looped) {
      in.pins.link_active = link_.front().link_active;
      in.pins.link_word = link_.front().link_word;
    }
    expected_ = reference_.step(in.pins);
    if (!in.reset_n) {
      expected_.notify_ready = expected_.ready = false;
      reference_ = optweb::LinkSync(shape_.gap);
      link_.assign(kDelay, {});
      arrivals_ = {"link", this->errors()};
    } else {
      link_.push_back(expected_);
      link_.pop_front();
    }
    this->rst_n().write(in.reset_n);
    notify_.write(in.pins.notify);
    valid_.write(in.pins.valid);
    data_.write(to_pins<PinValue<decltype(Dut::tx_data_i)>>(bits(in.pins.word)));
    lane_in_.write(in.pins.link_active);
    lane_data_in_.write(to_pins<PinValue<decltype(Dut::link_data_i)>>(bits(in.pins.link_word)));
    inputs_ = in;
    known_ = known_ || !in.reset_n;
    settled_ = known_ && (settled_ || in.reset_n);
  }

  void monitor() override {
    if (!settled_) return;  // no reset yet
    check("tx_notify_ready_o", notify_ready_.read(), expected_.notify_ready);
    check("tx_ready_o", ready_.read(), expected_.ready);
    check("link_active_o", lane_out_.read(), expected_.link_active);
    check("rx_notify_o", notified_.read(), expected_.notified);
    check("rx_valid_o", received_.read(), expected_.received);
    check_data("link_data_o", lane_data_out_, expected_.link_word);
    check_data("rx_data_o", received_data_, expected_.received_word);
    if (!inputs_.looped || !inputs_.reset_n) return;
    if (valid_.read() && ready_.read()) arrivals_.expect(this->cycle() + kArrives, {bits(inputs_.pins.word), false});
    if (notify_.read() && notify_ready_.read()) arrivals_.expect(this->cycle() + kArrives, {Bits(shape_.width), true});
    arrived_ += received_.read() || notified_.read() ? 1 : 0;
    if (received_.read()) {
      arrivals_.observe(this->cycle(), {from_pins(received_data_.read(), shape_.width), false});
    } else if (notified_.read()) {
      arrivals_.observe(this->cycle(), {Bits(shape_.width), true});
    } else {
      arrivals_.observe_nothing(this->cycle());
    }
  }

  void check(const char* pin, bool is, bool expected) {
    if (is != expected) this->errors().add(this->cycle(), fmt::format("{} is {:d} instead of {:d}", pin, is, expected));
  }
  template <class Signal>
  void check_data(const char* pin, const Signal& signal, std::uint64_t number) {
    const Bits is = from_pins(signal.read(), shape_.width);
    if (!(is == bits(number))) {
      this->errors().add(this->cycle(), fmt::format("{} is {} instead of {}", pin, is.hex(), bits(number).hex()));
    }
  }

  static constexpr Cycle kArrives = static_cast<Cycle>(kDelay) + 3;
  LinkSyncShape shape_;
  optweb::LinkSync reference_;
  std::deque<optweb::LinkSyncOutputs> link_;
  Scoreboard<LinkItem> arrivals_;
  Source source_;
  Inputs inputs_;
  optweb::LinkSyncOutputs expected_;
  std::uint64_t arrived_ = 0;
  bool known_ = false;
  bool settled_ = false;

  sc_core::sc_signal<bool> notify_{"tx_notify"};
  sc_core::sc_signal<bool> notify_ready_{"tx_notify_ready"};
  sc_core::sc_signal<bool> valid_{"tx_valid"};
  sc_core::sc_signal<bool> ready_{"tx_ready"};
  sc_core::sc_signal<PinValue<decltype(Dut::tx_data_i)>> data_{"tx_data"};
  sc_core::sc_signal<bool> lane_out_{"link_active_out"};
  sc_core::sc_signal<PinValue<decltype(Dut::link_data_o)>> lane_data_out_{"link_data_out"};
  sc_core::sc_signal<bool> lane_in_{"link_active_in"};
  sc_core::sc_signal<PinValue<decltype(Dut::link_data_i)>> lane_data_in_{"link_data_in"};
  sc_core::sc_signal<bool> notified_{"rx_notify"};
  sc_core::sc_signal<bool> received_{"rx_valid"};
  sc_core::sc_signal<PinValue<decltype(Dut::rx_data_o)>> received_data_{"rx_data"};
};

}  // namespace weft::pins
