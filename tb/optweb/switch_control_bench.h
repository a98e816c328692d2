#pragma once
// Bench of switch_control: all outputs are compared in every cycle with those that the plain class gives for the events
// of the cycle, whatever they are.

#include <fmt/format.h>

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "algorithms/optweb/control/switch_control_pins.h"
#include "support/control_stimulus.h"
#include "tdm/pin_bench.h"
#include "tdm/pin_bits.h"

namespace weft::pins {

struct ControlShape {
  std::uint32_t ports;
  std::uint32_t word_bits;
  std::uint32_t step_bits;
  std::uint32_t port_bits() const {
    std::uint32_t bits = 1;
    while ((1U << bits) < ports) ++bits;
    return bits;
  }
};

/// Events of a cycle.
struct ControlInputs {
  bool reset_n = true;
  std::uint32_t own = 0;  ///< taken over in reset
  test::ControlCycle cycle;
};

template <class Dut>
class SwitchControlBench final : public PinBench<Dut> {
 public:
  SwitchControlBench(const sc_core::sc_module_name& name, const ControlShape& shape)
      : PinBench<Dut>(name), shape_(shape), reference_(shape.ports, 0) {
    Dut& dut = this->dut();
    dut.own_i(own_);
    dut.write_i(write_);
    dut.rendezvous_i(rendezvous_);
    dut.barrier_i(barrier_);
    dut.send_i(send_);
    dut.reader_i(reader_);
    dut.send_words_i(send_words_);
    dut.receive_i(receive_);
    dut.writer_i(writer_);
    dut.receive_words_i(receive_words_);
    dut.set_i(set_);
    dut.clear_i(clear_);
    dut.refused_o(refused_);
    dut.holds_o(holds_);
    dut.set_o(is_set_);
    dut.cut_o(cut_);
    dut.notified_i(notified_);
    dut.notify_o(notify_);
    dut.confirm_o(confirm_);
    dut.awaited_o(awaited_);
    dut.unready_o(unready_);
    dut.noted_o(noted_);
    dut.lost_o(lost_);
    dut.read_words_i(read_words_);
    dut.open_o(open_);
    dut.pass_o(pass_);
    dut.joined_o(joined_);
    dut.select_o(select_);
    dut.words_o(words_);
    dut.sent_o(sent_);
    dut.link_words_i(link_words_);
    dut.taken_o(taken_);
    dut.writer_o(writer_out_);
    dut.received_o(received_);
    dut.excess_o(excess_);
  }

  /// `next` makes the events of a cycle from the state of the plain class.
  template <class Next>
  void run(Cycle cycles, Next next) {
    next_ = std::move(next);
    this->run_cycles(cycles);
  }
  std::uint64_t sent() const { return sent_count_; }
  std::uint64_t received() const { return received_count_; }
  std::uint64_t noted() const { return noted_count_; }

 private:
  void drive() override {
    const ControlInputs inputs = next_(reference_.model());
    const test::ControlCycle& in = inputs.cycle;
    reference_.begin();
    if (!inputs.reset_n) {
      expected_ = reference_.pins();
      expected_ = quiet(expected_.holds, expected_.set);
      reference_ = optweb::SwitchControlPins(shape_.ports, inputs.own);
      own_bits_ = Bits(shape_.ports);
      own_bits_.set(inputs.own, 1, 1);
    } else {
      for (std::uint32_t p = 0; p < in.notified.size(); ++p) {
        if (in.notified[p]) reference_.notified(p);
      }
      if (in.set) reference_.set();
      for (std::uint32_t r = 0; r < in.read_words.size(); ++r) {
        if (in.read_words[r] > 0) reference_.passed(r, in.read_words[r]);
      }
      for (std::uint32_t p = 0; p < in.link_words.size(); ++p) {
        if (in.link_words[p] > 0) reference_.counted(p, in.link_words[p]);
      }
      if (in.clear) reference_.clear();
      if (in.write) reference_.write(in.word);
      expected_ = reference_.pins();
    }
    this->rst_n().write(inputs.reset_n);
    own_.write(to_pins<PinValue<decltype(Dut::own_i)>>(own_bits_));
    set_.write(in.set);
    clear_.write(in.clear);
    drive_word(in);
    Bits notified(shape_.ports);
    for (std::uint32_t p = 0; p < in.notified.size(); ++p) notified.set(p, 1, in.notified[p] ? 1 : 0);
    notified_.write(to_pins<PinValue<decltype(Dut::notified_i)>>(notified));
    read_words_.write(to_pins<PinValue<decltype(Dut::read_words_i)>>(fields(in.read_words, shape_.step_bits)));
    link_words_.write(to_pins<PinValue<decltype(Dut::link_words_i)>>(fields(in.link_words, shape_.step_bits)));
    known_ = known_ || !inputs.reset_n;
    settled_ = known_ && (settled_ || inputs.reset_n);
  }

  void drive_word(const test::ControlCycle& in) {
    Bits barrier(shape_.ports);
    Bits send(shape_.ports);
    Bits receive(shape_.ports);
    std::vector<std::uint64_t> readers(shape_.ports);
    std::vector<std::uint64_t> send_words(shape_.ports);
    std::vector<std::uint64_t> writers(shape_.ports);
    std::vector<std::uint64_t> receive_words(shape_.ports);
    for (const std::uint32_t p : in.word.barrier) barrier.set(p, 1, 1);
    for (const auto& path : in.word.sends) {
      send.set(path.port, 1, 1);
      readers[path.port] = path.dmac;
      send_words[path.port] = path.words;
    }
    for (const auto& path : in.word.receives) {
      receive.set(path.port, 1, 1);
      writers[path.port] = path.dmac;
      receive_words[path.port] = path.words;
    }
    write_.write(in.write);
    rendezvous_.write(in.word.rendezvous);
    barrier_.write(to_pins<PinValue<decltype(Dut::barrier_i)>>(barrier));
    send_.write(to_pins<PinValue<decltype(Dut::send_i)>>(send));
    receive_.write(to_pins<PinValue<decltype(Dut::receive_i)>>(receive));
    reader_.write(to_pins<PinValue<decltype(Dut::reader_i)>>(fields(readers, shape_.port_bits())));
    writer_.write(to_pins<PinValue<decltype(Dut::writer_i)>>(fields(writers, shape_.port_bits())));
    send_words_.write(to_pins<PinValue<decltype(Dut::send_words_i)>>(fields(send_words, shape_.word_bits)));
    receive_words_.write(to_pins<PinValue<decltype(Dut::receive_words_i)>>(fields(receive_words, shape_.word_bits)));
  }

  void monitor() override {
    if (!settled_) return;  // no reset yet
    const optweb::ControlPins& e = expected_;
    check("refused_o", refused_.read(), e.refused);
    check("holds_o", holds_.read(), e.holds);
    check("set_o", is_set_.read(), e.set);
    check("cut_o", cut_.read(), e.cut);
    check("noted_o", noted_.read(), e.noted);
    check("open_o", open_.read(), e.open);
    check("sent_o", sent_.read(), e.sent);
    check("received_o", received_.read(), e.received);
    check_bits("notify_o", notify_, mask(e.notify));
    check_bits("confirm_o", confirm_, mask(e.confirm));
    check_bits("awaited_o", awaited_, mask(e.awaited));
    check_bits("unready_o", unready_, mask(e.unready));
    check_bits("lost_o", lost_, mask(e.lost));
    check_bits("pass_o", pass_, mask(e.pass));
    check_bits("joined_o", joined_, mask(e.joined));
    check_bits("taken_o", taken_, mask(e.taken));
    Bits excess(2 * shape_.ports);
    excess.insert(0, mask(e.excess_sent));
    excess.insert(shape_.ports, mask(e.excess_received));
    check_bits("excess_o", excess_, excess);
    check_bits("select_o", select_, fields(e.select, shape_.port_bits()));
    check_bits("writer_o", writer_out_, fields(e.writer, shape_.port_bits()));
    check_bits("words_o", words_, fields(e.words, shape_.step_bits));
    sent_count_ += e.sent ? 1 : 0;
    received_count_ += e.received ? 1 : 0;
    noted_count_ += e.noted ? 1 : 0;
  }

  optweb::ControlPins quiet(bool holds, bool set) const {
    optweb::ControlPins out;
    out.holds = holds;
    out.set = set;
    out.select.resize(shape_.ports);
    out.writer.resize(shape_.ports);
    out.words.resize(shape_.ports);
    return out;
  }
  Bits mask(std::uint64_t value) const {
    Bits out(shape_.ports);
    out.set(0, shape_.ports, value);
    return out;
  }
  template <class Values>
  Bits fields(const Values& values, std::uint32_t width) const {
    Bits out(std::size_t{shape_.ports} * width);
    for (std::size_t i = 0; i < values.size(); ++i) out.set(i * width, width, values[i]);
    return out;
  }
  void check(const char* pin, bool is, bool expected) {
    if (is != expected) this->errors().add(this->cycle(), fmt::format("{} is {:d} instead of {:d}", pin, is, expected));
  }
  template <class Signal>
  void check_bits(const char* pin, const Signal& signal, const Bits& expected) {
    const Bits is = from_pins(signal.read(), expected.size());
    if (!(is == expected)) {
      this->errors().add(this->cycle(), fmt::format("{} is {} instead of {}", pin, is.hex(), expected.hex()));
    }
  }

  ControlShape shape_;
  optweb::SwitchControlPins reference_;
  optweb::ControlPins expected_;
  std::function<ControlInputs(const optweb::SwitchControl&)> next_;
  Bits own_bits_;
  std::uint64_t sent_count_ = 0;
  std::uint64_t received_count_ = 0;
  std::uint64_t noted_count_ = 0;
  bool known_ = false;
  bool settled_ = false;

  template <class Pin>
  using Signal = sc_core::sc_signal<PinValue<Pin>>;
  Signal<decltype(Dut::own_i)> own_{"own"};
  Signal<decltype(Dut::write_i)> write_{"write"};
  Signal<decltype(Dut::rendezvous_i)> rendezvous_{"rendezvous"};
  Signal<decltype(Dut::barrier_i)> barrier_{"barrier"};
  Signal<decltype(Dut::send_i)> send_{"send"};
  Signal<decltype(Dut::reader_i)> reader_{"reader"};
  Signal<decltype(Dut::send_words_i)> send_words_{"send_words"};
  Signal<decltype(Dut::receive_i)> receive_{"receive"};
  Signal<decltype(Dut::writer_i)> writer_{"writer"};
  Signal<decltype(Dut::receive_words_i)> receive_words_{"receive_words"};
  Signal<decltype(Dut::set_i)> set_{"set"};
  Signal<decltype(Dut::clear_i)> clear_{"clear"};
  Signal<decltype(Dut::refused_o)> refused_{"refused"};
  Signal<decltype(Dut::holds_o)> holds_{"holds"};
  Signal<decltype(Dut::set_o)> is_set_{"is_set"};
  Signal<decltype(Dut::cut_o)> cut_{"cut"};
  Signal<decltype(Dut::notified_i)> notified_{"notified"};
  Signal<decltype(Dut::notify_o)> notify_{"notify"};
  Signal<decltype(Dut::confirm_o)> confirm_{"confirm"};
  Signal<decltype(Dut::awaited_o)> awaited_{"awaited"};
  Signal<decltype(Dut::unready_o)> unready_{"unready"};
  Signal<decltype(Dut::noted_o)> noted_{"noted"};
  Signal<decltype(Dut::lost_o)> lost_{"lost"};
  Signal<decltype(Dut::read_words_i)> read_words_{"read_words"};
  Signal<decltype(Dut::open_o)> open_{"open"};
  Signal<decltype(Dut::pass_o)> pass_{"pass"};
  Signal<decltype(Dut::joined_o)> joined_{"joined"};
  Signal<decltype(Dut::select_o)> select_{"select"};
  Signal<decltype(Dut::words_o)> words_{"words"};
  Signal<decltype(Dut::sent_o)> sent_{"sent"};
  Signal<decltype(Dut::link_words_i)> link_words_{"link_words"};
  Signal<decltype(Dut::taken_o)> taken_{"taken"};
  Signal<decltype(Dut::writer_o)> writer_out_{"writer_out"};
  Signal<decltype(Dut::received_o)> received_{"received"};
  Signal<decltype(Dut::excess_o)> excess_{"excess"};
};

}  // namespace weft::pins
