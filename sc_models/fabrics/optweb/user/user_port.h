#pragma once
// User logic's side of the changeover switch: the streams of its words through M_DMAC, in turns with the host.
//
// Of an instruction that is issued in cycle t: R#i begins at t + `dmac.dispatch` + `memory.read`; its n words pass at
// the pace of a memory interface, or of its turns with the host, so n cycles alone and 2n beside it. When the last word
// of all readers is here, the logic works for the cycles it says; then W#i take theirs, n cycles alone. The instruction
// is over with the last of them; a fence waits for its acknowledgement. Without streams, the logic works from t on.

#include <cstdint>
#include <systemc>
#include <vector>

#include "fabrics/optweb/boxes/box_recorder.h"
#include "fabrics/optweb/boxes/box_signals.h"
#include "fabrics/optweb/m_dmac.h"
#include "fabrics/optweb/node_clock.h"
#include "fabrics/optweb/user/user_logic.h"

namespace weft {

class UserPort : public sc_core::sc_module, public Agent {
 public:
  UserPort(sc_core::sc_module_name name, NodeClock& clock, const OptwebParameters& parameters, MDmac& dmac,
           optweb::SparseMemory& memory, const BoxRecorder& boxes);
  /// To the changeover switch.
  sc_core::sc_port<DoneIf> done;
  /// Runs the logic for instruction `number`, issued in cycle `now`. Throws RunError for streams that M_DMAC cannot
  /// move.
  void start(UserLogic& logic, const optweb::MachineInstruction& instruction, std::uint32_t number, Cycle now);
  /// Words of a stripe pass at another pace from now on.
  void memory_changed(std::uint32_t stripe);
  void due(Cycle, std::uint32_t token) override;

 private:
  enum Token : std::uint32_t { kReads, kComputed, kStream };  // kStream + place of the stream
  struct Stream {
    bool write = false;
    ReaderStream reader;
    WriterStream writer;
    optweb::WideInteger left = 0;  // units, at since
    Cycle begun = 0;
    Cycle since = 0;
    Cycle end = -1;  // its last word has passed; -1: over
    optweb::WordRate pace;
    std::uint32_t stripe() const { return write ? writer.receive.writer : reader.stream.reader; }
  };
  Stream stream_of(const UserStream& s, bool write) const;
  void begin(const std::vector<UserStream>& streams, bool write, Cycle now);
  optweb::WordRate pace_of(const Stream& s) const;
  void plan(std::uint32_t place, Cycle now);
  void ends(std::uint32_t place, Cycle now);
  void compute(Cycle now);

  NodeClock& clock_;
  const OptwebParameters& parameters_;
  MDmac& dmac_;
  optweb::SparseMemory& memory_;
  const BoxRecorder& boxes_;
  UserLogic* logic_ = nullptr;
  optweb::MachineInstruction instruction_;
  std::uint32_t number_ = 0;
  UserStreams wanted_;
  std::vector<Stream> streams_;  // under way
  std::size_t open_ = 0;         // of them
};

}  // namespace weft
