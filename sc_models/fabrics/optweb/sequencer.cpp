#include "fabrics/optweb/sequencer.h"

#include <fmt/format.h>

#include "base/diagnostics.h"

namespace weft {

OptwebSequencer::OptwebSequencer(sc_core::sc_module_name name, NodeClock& clock,
                                 std::unique_ptr<optweb::CommandSequencerIf> sequencer, std::uint32_t depth,
                                 SequencerOwner& owner)
    : sc_module(name), clock_(clock), sequencer_(std::move(sequencer)), depth_(depth), owner_(owner), free_(depth) {}

void OptwebSequencer::push(const optweb::MachineInstruction& instruction) {
  queue_.push_back(instruction);
  ++pushed_;
}

// One write per step; the doorbell is rung with the next step, so that it never tells of an entry before it is there.
void OptwebSequencer::load(optweb::SequencerInputs& inputs) {
  inputs.doorbell = written_ > 0;
  inputs.count = written_;
  written_ = 0;
  if (queue_.empty() || free_ == 0) return;
  inputs.write = true;
  inputs.index = next_entry_;
  inputs.instruction = queue_.front();
  queue_.pop_front();
  next_entry_ = next_entry_ + 1 == depth_ ? 0 : next_entry_ + 1;
  --free_;
  ++written_;
}

void OptwebSequencer::start() {
  // The host has written the first entries before: steps of an idle sequencer that count no cycles.
  if (sequencer_->rests() && issued_ == completed_) {
    while (!queue_.empty() && free_ > 0) {
      optweb::SequencerInputs inputs;
      const std::uint32_t before = written_;
      written_ = 0;
      load(inputs);
      inputs.doorbell = false;
      inputs.count = 0;
      sequencer_->step(inputs);
      written_ += before;
    }
  }
  if (written_ > 0 || (!queue_.empty() && free_ > 0))
    step_at(clock_.serving() ? clock_.now() + 1 : clock_.next_cycle());
}

void OptwebSequencer::step_at(Cycle cycle) {
  if (due_ >= 0 && due_ <= cycle) return;
  due_ = cycle;
  clock_.schedule(cycle, Phase::settle, *this, 0);
}

void OptwebSequencer::done(optweb::Units units, Cycle now) {
  done_ |= units;
  step_at(now);
}

void OptwebSequencer::due(Cycle, std::uint32_t) {
  const Cycle now = clock_.now();
  if (due_ != now) return;  // an earlier step has been planned since
  due_ = -1;
  optweb::SequencerInputs inputs;
  load(inputs);
  inputs.ready = optweb::kAllUnits;  // they work on one instruction at a time, and this one is the first
  inputs.done = done_;
  inputs.time = static_cast<std::uint32_t>(now);
  done_ = 0;
  const optweb::SequencerOutputs out = sequencer_->step(inputs);
  if (out.illegal) throw RunError(fmt::format("{}: instruction {} does not exist", name(), issued_));
  if (inputs.doorbell && !out.doorbell_ok) throw RunError(fmt::format("{}: internal: a doorbell was refused", name()));
  if (out.stray != 0) throw RunError(fmt::format("{}: internal: a unit is done that had nothing to do", name()));
  if (out.issue != 0) {
    owner_.issue(out.instruction, issued_++, now);
    ++free_;  // its entry has been fetched
  }
  if (out.completed) owner_.completed(completed_++, now, out.elapsed);
  if (!sequencer_->rests() || sequencer_->issue() != 0 || written_ > 0 || (!queue_.empty() && free_ > 0)) {
    step_at(now + 1);
  }
}

}  // namespace weft
