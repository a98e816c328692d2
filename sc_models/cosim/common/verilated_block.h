#pragma once
// One Verilated module as a block of a network: clock, reset, waves, and ends of the RTL as errors of the run. Included
// only where a Verilated class is at hand.
//
// A cycle: the inputs are set, low() gives the outputs, edge() is the rising edge that ends the cycle. Cycles in which
// nothing changes are left out.
//
// Waves show a copy of the block, so that looking at a block cannot change what it does. The copy makes the same edges
// with the same inputs, but each one a cycle late: at the end of a cycle it still stands before the edge that ends it,
// with the registers, inputs and outputs of this cycle side by side. In cycles that the block leaves out the copy is
// clocked with the inputs of rest, unless the block holds: then it has no edges in them, as with a clock that is
// enabled in some cycles only. When a block makes several edges in one cycle, the last one is shown.

#include <verilated.h>
#include <verilated_fst_c.h>

#include <functional>
#include <memory>
#include <stdexcept>
#include <string>
#include <systemc>
#include <tuple>
#include <utility>
#include <vector>

#include "base/diagnostics.h"
#include "cosim/common/fst_wave_file.h"
#include "cosim/common/pin_activity.h"
#include "cosim/common/rtl_block.h"
#include "cosim/runtime/rtl_messages.h"

namespace weft {

/// V: the Verilated class; Base: the interface the block stands behind, an RtlBlock; Owner: the class derived from this
/// one. It has
///   static auto inputs(V& top)      all inputs but clock and reset, as a std::tie
///   static auto outputs(V& top)     all outputs, likewise
///   static constexpr std::uint32_t kWidths[]   their bits: of the inputs, then of the outputs; 0: not counted
///   static void rest(V& top)        sets the inputs of a cycle in which nothing happens
///   void prepare(V& top)            steps after the reset, if there are any
///   static constexpr bool kHolds    there if the block has a clock edge only in the cycles that are stepped
template <class Owner, class V, class Base>
class VerilatedBlock : public Base {
 public:
  VerilatedBlock(VerilatedContext& context, const std::string& name)
      : context_(context), scopes_(wave_scopes(name)), place_{name, {}}, top_(&context, scopes_.c_str()) {
    reset(top_);
  }
  ~VerilatedBlock() override { finish(top_); }
  VerilatedBlock(const VerilatedBlock&) = delete;
  VerilatedBlock& operator=(const VerilatedBlock&) = delete;

  void stand(RtlSite place) override { place_ = std::move(place); }

  /// A class that was made without waves has none to show.
  void trace(WaveFile& file) override {
    if constexpr (requires(V & top, VerilatedFstC * fst) { top.trace(fst, 99); }) {
      if (stepped_) throw std::logic_error(place_.path + ": internal: waves must begin before the first step");
      copy_ = std::make_unique<Copy>(context_, scopes_);
      reset(copy_->top);
      owner().prepare(copy_->top);
      rest();
      copy_->top.trace(&verilated_part(file), 99);
      traced_ = true;
    }
  }
  void settle() override {
    if (!traced_) return;
    follow();
    if (std::exchange(copy_->pending, false)) tick(copy_->top);
    rest();
  }
  void show_cycle() override {
    if (!traced_) return;
    if (copy_->steps.empty()) {
      if constexpr (requires { Owner::kHolds; }) return;
      show(Owner::rest);
    }
    follow();
    copy_->top.clk_i = 1;
    evaluate(copy_->top);
  }
  void break_off() override {
    if (std::exchange(open_, false)) note_inputs();
  }
  void watch_pins() override { watch_ = std::make_unique<PinActivity>(); }
  PinToggles toggles() const override {
    if (watch_ == nullptr) return {};
    V& top = const_cast<V&>(top_);  // its pins are looked at
    return watch_->toggles(pins_of(top), Owner::kWidths);
  }
  VerilatedContext* context() const override { return &context_; }
  std::string scopes() const override { return scopes_; }
  void show_half() override {
    if (!traced_) return;
    copy_->top.clk_i = 0;
    evaluate(copy_->top);
  }
  // The file refers to the copy until it is closed.
  void end_trace() override {
    if (std::exchange(traced_, false)) copy_->steps.clear();
  }

 protected:
  /// The inputs are set: outputs.
  void low() {
    top_.clk_i = 0;
    open_ = true;
    try {
      evaluate(top_);
    } catch (const RunError&) {
      break_off();
      throw;
    }
  }
  /// The rising edge that ends the cycle.
  void edge() {
    stepped_ = true;
    if (watch_ != nullptr) watch_->look(pins_of(top_));
    open_ = false;
    note_inputs();
    top_.clk_i = 1;
    evaluate(top_);
  }
  /// The copy stands in this cycle with inputs that `set` sets, as if the block had been stepped. Only with waves.
  template <class Set>
  void show_instead(Set&& set) {
    if (traced_) copy_->steps.emplace_back(std::forward<Set>(set));
  }
  /// A whole cycle, of the block or of its copy.
  void tick(V& top) {
    top.clk_i = 0;
    evaluate(top);
    top.clk_i = 1;
    evaluate(top);
  }
  /// Further cycles in which nothing is asked, for a block that answers later than others.
  void wait(unsigned cycles) {
    for (; cycles > 0; --cycles) {
      Owner::rest(top_);
      low();
      edge();
    }
  }
  void prepare(V&) {}

  V& top() { return top_; }
  const V& top() const { return top_; }

 private:
  struct Copy {
    Copy(VerilatedContext& context, const std::string& scopes) : top(&context, scopes.c_str()) {}
    ~Copy() { finish(top); }
    V top;
    bool pending = false;  // its inputs are those of a cycle whose edge it has not made
    /// Steps of the block since the last cycle that was shown: each sets their inputs. Until the copy makes them, it
    /// stands in that cycle.
    std::vector<std::function<void(V&)>> steps;
  };

  // For the copy.
  void note_inputs() {
    if (!traced_) return;
    const auto values = std::apply([](const auto&... pins) { return std::make_tuple(pins...); }, Owner::inputs(top_));
    copy_->steps.push_back([values](V& top) { Owner::inputs(top) = values; });
  }
  static auto pins_of(V& top) { return std::tuple_cat(Owner::inputs(top), Owner::outputs(top)); }

  Owner& owner() { return static_cast<Owner&>(*this); }

  template <class Set>
  void show(Set&& set) {
    if (std::exchange(copy_->pending, true)) {
      tick(copy_->top);
    } else {
      copy_->top.clk_i = 1;
      evaluate(copy_->top);
    }
    set(copy_->top);
  }
  // Clock low, as between cycles.
  void rest() {
    Owner::rest(copy_->top);
    copy_->top.clk_i = 0;
    evaluate(copy_->top);
  }
  void follow() {
    for (const auto& step : copy_->steps) show(step);
    copy_->steps.clear();
  }
  void reset(V& top) {
    top.rst_ni = 0;
    for (int i = 0; i < 2; ++i) tick(top);
    top.rst_ni = 1;
    top.clk_i = 0;
    evaluate(top);
  }
  // What the copy says the block has said before.
  void evaluate(V& top) {
    context_.time(sc_core::sc_time_stamp().value());  // $time: picoseconds
    try {
      const RtlMessages::Listening listening(messages_);
      top.eval();
    } catch (const RtlFatal&) {  // its reason is among the messages
    }
    if (messages_.ended() || messages_.has_text()) tell(&top == &top_);
  }
  void tell(bool block) {
    RtlMessages said = std::exchange(messages_, {});
    if (block) tell_rtl_messages(said, place_, scopes_);
  }
  static void finish(V& top) {
    RtlMessages unheard;
    const RtlMessages::Listening listening(unheard);
    try {
      top.final();
    } catch (const RtlFatal&) {
    }
  }

  VerilatedContext& context_;
  std::string scopes_;
  RtlSite place_;
  RtlMessages messages_;
  V top_;
  std::unique_ptr<Copy> copy_;
  bool traced_ = false;  // the copy shows what the block does
  std::unique_ptr<PinActivity> watch_;
  bool stepped_ = false;
  bool open_ = false;  // the inputs of a cycle are set, and its edge is to come
};

}  // namespace weft
