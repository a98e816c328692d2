#pragma once
// User logic that sees its words: a module behind the changeover switch with a stream interface to M_DMAC in each
// direction, as in Figure 3. A `compute` instruction starts it; R#i bring it the words that it names, and W#i take
// those that it makes, while more come.
//
// Pace. In a *step* the logic takes `step` words of each stream that it reads and makes as many of each that it writes.
// Steps pass at the pace of the logic or of the slowest memory interface: a logic that is busy holds M_DMAC up, and a
// writer that waits for the memory holds the logic up. All streams go on together (ours: a pipeline without room in
// between). Of an instruction that is issued in cycle t, n steps of a logic that takes c cycles for each, alone at its
// interfaces:
//
//   first word comes   t + `dmac.dispatch` + `memory.read`; without reads t + `dmac.dispatch`
//   last word is read  n * c cycles later
//   last word written  `latency` cycles behind that; the instruction is over
//
// c is at least a cycle per word, two where a stream is read and one written in the same interface, and more beside the
// host. Bytes: the words of all reads are put into `in` when the last one is there; what the logic puts into `out` goes
// into the memory with the last word that is written. In mode `timing` there are none.
// Source: sections 3.2 and 3.2.2 of the paper named in algorithms/optweb/link_sync.h; the pace is ours.

#include <cstddef>
#include <cstdint>
#include <span>
#include <systemc>
#include <vector>

#include "algorithms/optweb/word_rate.h"
#include "fabrics/optweb/user/user_logic.h"

namespace weft {

/// Words of a stream, in one direction.
class UserWordsIf : public virtual sc_core::sc_interface {
 public:
  /// The next bytes of a stream, in their order. `stream`: its place in the list of reads, or of writes.
  virtual void put(std::size_t stream, std::span<const std::byte> bytes) = 0;
};

struct UserFlow {
  /// At most one read and one write in a stripe, all of the same number of steps.
  std::vector<UserStream> reads;
  std::vector<UserStream> writes;
  optweb::WordRate pace;  ///< of steps: `words` of them in `cycles`, each 1 to 1,000
  Cycle latency = 1;      ///< from the last word that a step takes to the first one that it makes; at least 0
};

/// To be derived from with sc_module, which comes first.
class StreamLogic : public UserLogic {
 public:
  /// Words that R#i bring, which the logic binds to what takes them, and words for W#i.
  sc_core::sc_export<UserWordsIf> in{"in"};
  sc_core::sc_port<UserWordsIf> out{"out"};

  /// An instruction begins.
  virtual UserFlow flow(const optweb::MachineInstruction& instruction) = 0;
  /// All words that it reads have been put: what the logic has not put out yet comes now.
  virtual void ends() {}
  /// Has no part in this.
  Cycle compute(const optweb::MachineInstruction&, optweb::SparseMemory&) final { return 1; }
};

}  // namespace weft
