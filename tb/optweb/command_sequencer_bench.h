#pragma once
// Bench of command_sequencer: host and functional units on the pins, all outputs compared with the plain class in every
// cycle. Source: gives the inputs of a cycle, knowing the reference as it is in that cycle.

#include <functional>
#include <utility>

#include "algorithms/optweb/command_sequencer.h"
#include "tdm/pin_bench.h"
#include "tdm/pin_bits.h"

namespace weft::pins {

struct SequencerShape {
  std::uint32_t depth;
  std::uint32_t address_bits;
  std::uint32_t node_bits;
  std::uint32_t group_bits;
  std::uint32_t flags_bits;
  std::uint32_t instruction_bits() const { return 4 + 3 * address_bits + 2 * node_bits + group_bits + flags_bits; }
};

struct SequencerPins {
  bool reset_n = true;
  optweb::SequencerInputs pins;
};

template <class Dut>
class CommandSequencerBench final : public PinBench<Dut> {
 public:
  using Source = std::function<SequencerPins(const optweb::CommandSequencer&, std::uint32_t free)>;

  CommandSequencerBench(const sc_core::sc_module_name& name, const SequencerShape& shape)
      : PinBench<Dut>(name), shape_(shape), reference_(shape.depth), free_(shape.depth) {
    Dut& dut = this->dut();
    dut.cfg_we_i(we_);
    dut.cfg_index_i(index_);
    dut.cfg_instr_i(instr_);
    dut.doorbell_i(doorbell_);
    dut.doorbell_count_i(count_);
    dut.doorbell_ok_o(doorbell_ok_);
    dut.free_o(free_out_);
    dut.entry_o(entry_);
    dut.idle_o(idle_);
    dut.time_i(time_);
    dut.issue_o(issue_);
    dut.ready_i(ready_);
    dut.done_i(done_);
    dut.opcode_o(opcode_);
    dut.send_address_o(send_address_);
    dut.receive_address_o(receive_address_);
    dut.size_o(size_);
    dut.source_o(source_node_);
    dut.destination_o(destination_);
    dut.group_o(group_);
    dut.flags_o(flags_);
    dut.completed_o(completed_);
    dut.elapsed_o(elapsed_);
    dut.illegal_o(illegal_);
    dut.stray_o(stray_);
  }

  void run(Cycle cycles, Source source) {
    source_ = std::move(source);
    this->run_cycles(cycles);
  }
  std::uint64_t completed() const { return completions_; }
  std::uint64_t illegal() const { return illegals_; }
  std::uint64_t stray() const { return strays_; }

 private:
  void drive() override {
    const SequencerPins in = source_(reference_, free_);
    expected_ = reference_.step(in.pins);
    free_ = expected_.free - (expected_.doorbell_ok ? in.pins.count : 0);
    if (!in.reset_n) {
      expected_.doorbell_ok = expected_.completed = expected_.illegal = false;
      expected_.elapsed = 0;
      expected_.stray = 0;
      reference_ = optweb::CommandSequencer(shape_.depth);
      free_ = shape_.depth;
    }
    known_ = after_reset_;
    after_reset_ = after_reset_ || !in.reset_n;
    this->rst_n().write(in.reset_n);
    we_.write(in.pins.write);
    index_.write(static_cast<PinValue<decltype(Dut::cfg_index_i)>>(in.pins.index));
    instr_.write(to_pins<PinValue<decltype(Dut::cfg_instr_i)>>(bits(in.pins.instruction)));
    doorbell_.write(in.pins.doorbell);
    count_.write(static_cast<PinValue<decltype(Dut::doorbell_count_i)>>(in.pins.count));
    time_.write(in.pins.time);
    ready_.write(in.pins.ready);
    done_.write(in.pins.done);
  }

  Bits bits(const optweb::MachineInstruction& i) const {
    Bits out(shape_.instruction_bits());
    std::size_t low = 0;
    const auto field = [&](std::size_t width, std::uint64_t value) {
      out.set(low, width, value);
      low += width;
    };
    field(4, static_cast<std::uint64_t>(i.opcode));
    field(shape_.address_bits, i.send_address);
    field(shape_.address_bits, i.receive_address);
    field(shape_.address_bits, i.size);
    field(shape_.node_bits, i.source);
    field(shape_.node_bits, i.destination);
    field(shape_.group_bits, i.group);
    field(shape_.flags_bits, i.flags);
    return out;
  }

  void monitor() override {
    if (!known_) return;  // no reset yet
    check("doorbell_ok_o", doorbell_ok_.read(), expected_.doorbell_ok);
    check("free_o", free_out_.read(), expected_.free);
    check("entry_o", entry_.read(), expected_.entry);
    check("idle_o", idle_.read(), expected_.idle);
    check("issue_o", issue_.read(), expected_.issue);
    const optweb::MachineInstruction& i = expected_.instruction;
    check("opcode_o", opcode_.read(), static_cast<std::uint64_t>(i.opcode));
    check("send_address_o", send_address_.read(), i.send_address);
    check("receive_address_o", receive_address_.read(), i.receive_address);
    check("size_o", size_.read(), i.size);
    check("source_o", source_node_.read(), i.source);
    check("destination_o", destination_.read(), i.destination);
    check("group_o", group_.read(), i.group);
    check("flags_o", flags_.read(), i.flags);
    check("completed_o", completed_.read(), expected_.completed);
    check("elapsed_o", elapsed_.read(), expected_.elapsed);
    check("illegal_o", illegal_.read(), expected_.illegal);
    check("stray_o", stray_.read(), expected_.stray);
    completions_ += completed_.read() ? 1 : 0;
    illegals_ += illegal_.read() ? 1 : 0;
    strays_ += stray_.read() != 0 ? 1 : 0;
  }

  void check(const char* pin, std::uint64_t is, std::uint64_t expected) {
    if (is != expected)
      this->errors().add(this->cycle(), fmt::format("{} is {:#x} instead of {:#x}", pin, is, expected));
  }

  SequencerShape shape_;
  optweb::CommandSequencer reference_;
  std::uint32_t free_;
  optweb::SequencerOutputs expected_;
  bool known_ = false;
  bool after_reset_ = false;
  std::uint64_t completions_ = 0;
  std::uint64_t illegals_ = 0;
  std::uint64_t strays_ = 0;
  Source source_;

  sc_core::sc_signal<bool> we_{"cfg_we"};
  sc_core::sc_signal<PinValue<decltype(Dut::cfg_index_i)>> index_{"cfg_index"};
  sc_core::sc_signal<PinValue<decltype(Dut::cfg_instr_i)>> instr_{"cfg_instr"};
  sc_core::sc_signal<bool> doorbell_{"doorbell"};
  sc_core::sc_signal<PinValue<decltype(Dut::doorbell_count_i)>> count_{"doorbell_count"};
  sc_core::sc_signal<bool> doorbell_ok_{"doorbell_ok"};
  sc_core::sc_signal<PinValue<decltype(Dut::free_o)>> free_out_{"free"};
  sc_core::sc_signal<PinValue<decltype(Dut::entry_o)>> entry_{"entry"};
  sc_core::sc_signal<bool> idle_{"idle"};
  sc_core::sc_signal<PinValue<decltype(Dut::time_i)>> time_{"time"};
  sc_core::sc_signal<PinValue<decltype(Dut::issue_o)>> issue_{"issue"};
  sc_core::sc_signal<PinValue<decltype(Dut::ready_i)>> ready_{"ready"};
  sc_core::sc_signal<PinValue<decltype(Dut::done_i)>> done_{"done"};
  sc_core::sc_signal<PinValue<decltype(Dut::opcode_o)>> opcode_{"opcode"};
  sc_core::sc_signal<PinValue<decltype(Dut::send_address_o)>> send_address_{"send_address"};
  sc_core::sc_signal<PinValue<decltype(Dut::receive_address_o)>> receive_address_{"receive_address"};
  sc_core::sc_signal<PinValue<decltype(Dut::size_o)>> size_{"size"};
  sc_core::sc_signal<PinValue<decltype(Dut::source_o)>> source_node_{"source"};
  sc_core::sc_signal<PinValue<decltype(Dut::destination_o)>> destination_{"destination"};
  sc_core::sc_signal<PinValue<decltype(Dut::group_o)>> group_{"group"};
  sc_core::sc_signal<PinValue<decltype(Dut::flags_o)>> flags_{"flags"};
  sc_core::sc_signal<bool> completed_{"completed"};
  sc_core::sc_signal<PinValue<decltype(Dut::elapsed_o)>> elapsed_{"elapsed"};
  sc_core::sc_signal<bool> illegal_{"illegal"};
  sc_core::sc_signal<PinValue<decltype(Dut::stray_o)>> stray_{"stray"};
};

}  // namespace weft::pins
