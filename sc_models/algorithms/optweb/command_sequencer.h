#pragma once
// Command sequencer of an OPTWEB node: executes the instructions that the host has stored, strictly one after the
// other - fetch, dispatch to the functional units, wait until all of them are done, next. Source: section 3.2.2 and
// Figure 6 of the paper named in algorithms/optweb/link_sync.h. Twin of rtl/optweb/command_sequencer.sv, bit exact.
//
// The instruction memory is a ring of `depth` entries. The host writes entries, then rings the doorbell with their
// number; they are executed in order of their places, so a program of any length passes through. Units: the control
// register of the distributed switch, the dispatcher of M_DMAC, the user logic with the changeover switch. An
// instruction goes to the units it needs (units_of), to each as soon as the unit is ready, and each says once that it
// is done, after the cycle in which it accepted. An instruction that does not exist, or an entry that was not written
// since reset, stops the sequencer: what is left of the doorbells is forgotten.
//
// Timing, cycles of 200 MHz: the last done in cycle t, or a doorbell in cycle t when idle: fetch in t+1, decode in t+2,
// issue from t+3 on. `elapsed` counts from the fetch to the cycle of the last done, both included, so that it adds up
// over instructions that follow each other. With ready units an instruction that is done d cycles after its issue has
// an elapsed time of d + 3.
//
// Waiting costs nothing: while rests() and no input that counts comes, no register and no output changes, so these
// cycles need not be stepped. The time is an input, not a counter inside.

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace weft::optweb {

enum class Opcode : std::uint8_t {
  kBarrier,
  kSend,
  kRecv,
  kSendrecv,
  kScatter,
  kGather,
  kBroadcast,
  kAlltoall,
  kAllgather,
  kReduce,
  kAllreduce,
  kReduceScatter,
  kFence,
  kCompute,
};
inline constexpr std::uint32_t kOpcodes = 14;
/// Name of an opcode as programs write it: "barrier", "reduce_scatter".
std::string_view opcode_name(Opcode opcode);

struct MachineInstruction {
  Opcode opcode = Opcode::kBarrier;
  std::uint64_t send_address = 0;     ///< relative, see algorithms/optweb/stripe_address.h
  std::uint64_t receive_address = 0;  ///< relative
  std::uint64_t size = 0;             ///< bytes; compute: what its user logic makes of it
  std::uint32_t source = 0;           ///< node
  std::uint32_t destination = 0;      ///< node
  std::uint32_t group = 0;            ///< number of a group of nodes
  std::uint8_t flags = 0;             ///< handed to the units as they are
  bool operator==(const MachineInstruction&) const = default;
};

/// Sets of functional units.
using Units = std::uint8_t;
inline constexpr Units kSwitchUnit = 1;  ///< control register of the distributed switch
inline constexpr Units kDmacUnit = 2;    ///< dispatcher of M_DMAC
inline constexpr Units kUserUnit = 4;    ///< user logic and changeover switch
inline constexpr Units kAllUnits = 7;

/// Units an instruction goes to: a barrier needs no memory, a fence only waits for it, compute only for the user logic.
Units units_of(Opcode opcode);

/// Cycles from the end of one instruction, or from the doorbell, to the first cycle of the issue.
inline constexpr std::uint32_t kSequencerCycles = 3;

/// Pins of one cycle.
struct SequencerInputs {
  bool write = false;  ///< host: store `instruction` at `index`
  std::uint32_t index = 0;
  MachineInstruction instruction;
  bool doorbell = false;  ///< host: `count` more entries are to be executed
  std::uint32_t count = 0;
  Units ready = 0;         ///< with issue: the unit accepts the instruction in this cycle
  Units done = 0;          ///< the unit has completed what it accepted in an earlier cycle
  std::uint32_t time = 0;  ///< cycle counter of the node, modulo 2^32
  bool operator==(const SequencerInputs&) const = default;
};

struct SequencerOutputs {
  Units issue = 0;                 ///< units the instruction is offered to
  MachineInstruction instruction;  ///< in hand; holds its value until the next one is decoded
  std::uint32_t entry = 0;         ///< place of the next instruction to be fetched
  std::uint32_t free = 0;          ///< entries the host may hand over
  bool idle = true;                ///< nothing to do
  bool doorbell_ok =
      false;  ///< the doorbell of this cycle counts; not when more than `free` or an instruction is illegal
  bool completed = false;     ///< an instruction is complete in this cycle
  std::uint32_t elapsed = 0;  ///< its cycles, 0 unless completed
  bool illegal = false;       ///< the instruction fetched does not exist: the sequencer stops
  Units stray = 0;            ///< done by units that had nothing to complete; without effect
  bool operator==(const SequencerOutputs&) const = default;
};

/// A sequencer as a node uses it: the plain class below, its RTL, or both.
class CommandSequencerIf {
 public:
  virtual ~CommandSequencerIf() = default;
  /// One clock cycle: the outputs in it; registers change at its end.
  virtual SequencerOutputs step(const SequencerInputs& inputs) = 0;
  /// True when nothing changes until write, doorbell, a done, or a ready of a unit that the instruction is offered to;
  /// cycles until then may be left out.
  virtual bool rests() const = 0;
  /// Outputs of the present cycle that depend on registers alone: units offered the instruction, and the instruction.
  virtual Units issue() const = 0;
  virtual const MachineInstruction& instruction() const = 0;
};

class CommandSequencer final : public CommandSequencerIf {
 public:
  /// `depth`: entries of the instruction memory, 2 to 4096. Throws std::invalid_argument.
  explicit CommandSequencer(std::uint32_t depth = kDefaultDepth);
  static constexpr std::uint32_t kDefaultDepth = 256;
  static constexpr std::uint32_t kMaxDepth = 4096;

  SequencerOutputs step(const SequencerInputs& inputs) override;
  bool rests() const override { return state_ == State::kIdle || state_ == State::kRun; }
  Units issue() const override { return waiting_; }
  const MachineInstruction& instruction() const override { return instruction_; }
  std::uint32_t depth() const { return static_cast<std::uint32_t>(memory_.size()); }

  /// The rest of the state, for messages.
  Units running() const { return running_; }
  std::string_view state_name() const;

 private:
  enum class State : std::uint8_t { kIdle, kFetch, kDecode, kRun };
  struct Entry {
    MachineInstruction instruction;
    bool written = false;
  };

  std::vector<Entry> memory_;
  State state_ = State::kIdle;
  std::uint32_t entry_ = 0;            // next to be fetched
  std::uint32_t waiting_entries_ = 0;  // handed over, not yet fetched
  Entry fetched_;                      // output register of the memory
  MachineInstruction instruction_;     // in hand
  Units waiting_ = 0;                  // units that have not accepted it
  Units running_ = 0;                  // units that have accepted it and are not done
  std::uint32_t begun_ = 0;            // time of its fetch
};

}  // namespace weft::optweb
