#pragma once
// Command sequencer of a node as a module: gives optweb::CommandSequencer (or its RTL) its cycles, hands instructions
// to the units and takes their done pulses. It keeps the instruction memory, a ring, filled from a program of any
// length: what is there before time begins is loaded by the host, an entry that has been fetched is written again in
// the cycle after, the doorbell follows in the next one. While the sequencer waits its cycles are left out.
// Source: section 3.2.2 of the paper named in algorithms/optweb/link_sync.h.

#include <deque>
#include <memory>
#include <systemc>

#include "algorithms/optweb/command_sequencer.h"
#include "fabrics/optweb/boxes/box_signals.h"
#include "fabrics/optweb/node_clock.h"

namespace weft {

/// The units behind a sequencer, and who wants to know how far it is.
class SequencerOwner {
 public:
  virtual ~SequencerOwner() = default;
  /// The units accept the instruction in cycle `now`.
  virtual void issue(const optweb::MachineInstruction& instruction, std::uint32_t number, Cycle now) = 0;
  /// The instruction is complete: its last done came in cycle `now`, and it took `elapsed` cycles.
  virtual void completed(std::uint32_t number, Cycle now, std::uint32_t elapsed) = 0;
};

class OptwebSequencer : public sc_core::sc_module, public DoneIf, public Agent {
 public:
  OptwebSequencer(sc_core::sc_module_name name, NodeClock& clock, std::unique_ptr<optweb::CommandSequencerIf> sequencer,
                  std::uint32_t depth, SequencerOwner& owner);

  /// Appends an instruction. Before time begins or later, from the host.
  void push(const optweb::MachineInstruction& instruction);
  /// Loads what has been pushed and rings the doorbell, in the next cycle that can still be influenced.
  void start();
  void done(optweb::Units units, Cycle now) override;
  bool finished() const { return completed_ == pushed_; }
  /// An instruction has been issued and is not complete.
  bool running() const { return issued_ > completed_; }
  /// Nothing to fetch, nor running.
  bool resting() const { return sequencer_->rests() && !running(); }
  std::uint32_t completed() const { return completed_; }
  std::uint32_t pushed() const { return pushed_; }

  void due(Cycle, std::uint32_t token) override;

 private:
  void step_at(Cycle cycle);
  void load(optweb::SequencerInputs& inputs);

  NodeClock& clock_;
  std::unique_ptr<optweb::CommandSequencerIf> sequencer_;
  std::uint32_t depth_;
  SequencerOwner& owner_;
  std::deque<optweb::MachineInstruction> queue_;  // not yet in the instruction memory
  std::uint32_t free_;                            // entries that can be written
  std::uint32_t next_entry_ = 0;
  std::uint32_t written_ = 0;  // entries the doorbell has not told of
  std::uint32_t issued_ = 0;
  std::uint32_t completed_ = 0;
  std::uint32_t pushed_ = 0;
  optweb::Units done_ = 0;  // pulses of the cycle that is due
  Cycle due_ = -1;          // cycle the next step is planned for
};

}  // namespace weft
