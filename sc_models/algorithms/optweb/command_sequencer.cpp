#include "algorithms/optweb/command_sequencer.h"

#include <stdexcept>

namespace weft::optweb {
namespace {

constexpr std::array<std::string_view, kOpcodes> kNames = {
    "barrier",  "send",      "recv",   "sendrecv",  "scatter",        "gather", "broadcast",
    "alltoall", "allgather", "reduce", "allreduce", "reduce_scatter", "fence",  "compute"};

}  // namespace

std::string_view opcode_name(Opcode opcode) {
  const auto number = static_cast<std::size_t>(opcode);
  return number < kOpcodes ? kNames[number] : "illegal";
}

Units units_of(Opcode opcode) {
  if (opcode == Opcode::kBarrier) return kSwitchUnit;
  if (opcode == Opcode::kFence) return kDmacUnit;
  if (opcode == Opcode::kCompute) return kUserUnit;
  return kSwitchUnit | kDmacUnit;
}

CommandSequencer::CommandSequencer(std::uint32_t depth) {
  if (depth < 2 || depth > kMaxDepth) throw std::invalid_argument("instruction memory outside 2..4096 entries");
  memory_.resize(depth);
}

std::string_view CommandSequencer::state_name() const {
  switch (state_) {
    case State::kIdle:
      return "idle";
    case State::kFetch:
      return "fetch";
    case State::kDecode:
      return "decode";
    case State::kRun:
      break;
  }
  return "run";
}

SequencerOutputs CommandSequencer::step(const SequencerInputs& in) {
  SequencerOutputs out;
  out.issue = waiting_;
  out.instruction = instruction_;
  out.entry = entry_;
  out.free = depth() - waiting_entries_;
  out.idle = state_ == State::kIdle;
  out.illegal = state_ == State::kDecode &&
                (!fetched_.written || static_cast<std::uint32_t>(fetched_.instruction.opcode) >= kOpcodes);
  out.doorbell_ok = in.doorbell && in.count <= out.free && !out.illegal;
  out.stray = static_cast<Units>(in.done & ~running_ & kAllUnits);

  const auto accepted = static_cast<Units>(waiting_ & in.ready);
  const auto waiting = static_cast<Units>(waiting_ & ~in.ready);
  const auto running = static_cast<Units>((running_ & ~in.done) | accepted);
  out.completed = state_ == State::kRun && waiting == 0 && running == 0;
  out.elapsed = out.completed ? in.time - begun_ + 1 : 0;

  const std::uint32_t handed_over = waiting_entries_ + (out.doorbell_ok ? in.count : 0);
  waiting_entries_ = handed_over;
  waiting_ = waiting;
  running_ = running;
  switch (state_) {
    case State::kIdle:
      if (handed_over > 0) state_ = State::kFetch;
      break;
    case State::kFetch:
      fetched_ = memory_[entry_];
      entry_ = entry_ + 1 == depth() ? 0 : entry_ + 1;
      --waiting_entries_;
      begun_ = in.time;
      state_ = State::kDecode;
      break;
    case State::kDecode:
      if (out.illegal) {
        waiting_entries_ = 0;
        state_ = State::kIdle;
      } else {
        instruction_ = fetched_.instruction;
        waiting_ = units_of(instruction_.opcode);
        state_ = State::kRun;
      }
      break;
    case State::kRun:
      if (out.completed) state_ = handed_over > 0 ? State::kFetch : State::kIdle;
      break;
  }
  if (in.write && in.index < depth()) memory_[in.index] = Entry{in.instruction, true};
  return out;
}

}  // namespace weft::optweb
