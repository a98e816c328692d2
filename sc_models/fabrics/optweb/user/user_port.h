#pragma once
// User logic's side of the changeover switch: the streams of its words through M_DMAC, in turns with the host.
//
// Of an instruction that is issued in cycle t: R#i begins at t + `dmac.dispatch` + `memory.read`; its n words pass at
// the pace of a memory interface, or of its turns with the host, so n cycles alone and 2n beside it. When the last word
// of all readers is here, the logic works for the cycles it says; then W#i take theirs, n cycles alone. The instruction
// is over with the last of them; a fence waits for its acknowledgement. Without streams, the logic works from t on.
// The streams of a StreamLogic pass at the same time (fabrics/optweb/user/stream_logic.h).

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <systemc>
#include <vector>

#include "fabrics/optweb/boxes/box_recorder.h"
#include "fabrics/optweb/boxes/box_signals.h"
#include "fabrics/optweb/m_dmac.h"
#include "fabrics/optweb/node_clock.h"
#include "fabrics/optweb/user/stream_logic.h"
#include "fabrics/optweb/user/user_logic.h"

namespace weft {

class UserPort : public sc_core::sc_module, public UserWordsIf, public Agent {
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
  /// Bytes that a StreamLogic makes.
  void put(std::size_t stream, std::span<const std::byte> bytes) override;
  /// Words of the instruction under way, or of the last one, that have passed to a StreamLogic, or from it.
  std::uint64_t words_passed(bool write) const;

 private:
  enum Token : std::uint32_t { kReads, kComputed, kWrites, kStep, kStream };  // kStream + place of the stream
  struct Stream {
    bool write = false;
    ReaderStream reader;
    WriterStream writer;
    optweb::WideInteger left = 0;  // units, at since
    Cycle begun = 0;
    Cycle since = 0;
    Cycle end = -1;  // its last word has passed; -1: over
    optweb::WordRate pace;
    std::uint32_t step = 1;  // of a StreamLogic, and what it has made
    std::shared_ptr<optweb::SparseMemory> made;
    std::uint64_t bytes_made = 0;
    std::uint32_t stripe() const { return write ? writer.receive.writer : reader.stream.reader; }
    std::uint64_t words() const { return write ? writer.words : reader.words; }
    std::uint64_t address() const { return write ? writer.receive.address : reader.stream.address; }
    std::uint64_t bytes() const { return write ? writer.receive.bytes : reader.stream.bytes; }
    std::uint8_t interfaces() const { return write ? writer.receive.interfaces : reader.stream.interfaces; }
  };
  Stream stream_of(const UserStream& s, bool write) const;
  void begin(const std::vector<UserStream>& streams, bool write, Cycle now);
  optweb::WordRate pace_of(const Stream& s) const;
  void plan(std::uint32_t place, Cycle now);
  void ends(std::uint32_t place, Cycle now);
  void compute(Cycle now);
  // Of a StreamLogic (stream_words.cpp).
  void begin_flow(Cycle now);
  void check_flow() const;
  void open(Stream& s, Cycle now);
  void step(Cycle now);
  void move(Cycle now);
  optweb::WideInteger step_rate() const;
  void close(Stream& s, Cycle now);
  void carry();
  bool carries() const { return parameters_.config->mode == OptwebMode::data; }

  NodeClock& clock_;
  const OptwebParameters& parameters_;
  MDmac& dmac_;
  optweb::SparseMemory& memory_;
  const BoxRecorder& boxes_;
  UserLogic* logic_ = nullptr;
  optweb::MachineInstruction instruction_;
  std::uint32_t number_ = 0;
  UserStreams wanted_;
  std::vector<Stream> streams_;   // under way
  std::size_t open_ = 0;          // of them
  StreamLogic* words_ = nullptr;  // the logic, when it is one
  UserFlow flow_;
  optweb::WideInteger whole_ = 1;  // units of a step
  optweb::WideInteger rate_ = 0;   // that pass in a cycle
  Cycle since_ = 0;
  Cycle due_ = -1;
  Cycle read_until_ = -1;  // the last stream that is read was over; -1: not yet
};

}  // namespace weft
