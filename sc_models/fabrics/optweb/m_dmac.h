#pragma once
// M_DMAC: a dispatcher and one DMAC D#i per node of the network, a reader R#i from the memory to the distributed switch
// and a writer W#i from the switch to the memory. D#i reaches memory I/O i only; the address within it comes from
// Pa(i) = Ra + 2K*i (algorithms/optweb/stripe_address.h).
//
// The dispatcher takes an instruction apart (algorithms/optweb/step.h) and starts all readers at once: `dispatch`
// cycles after the instruction the requests go to the memory, and `read` cycles later the first words stand at the
// readers. Words follow as fast as interface, bus and link let them. Source: sections 3.2, 3.2.1 and 3.3 of the paper
// named in algorithms/optweb/link_sync.h.

#include <limits>
#include <memory>
#include <optional>
#include <systemc>
#include <vector>

#include "algorithms/optweb/step.h"
#include "fabrics/optweb/boxes/box_signals.h"
#include "fabrics/optweb/boxes/word_path.h"
#include "fabrics/optweb/hbm.h"
#include "fabrics/optweb/protocol.h"
#include "fabrics/optweb/switch_modules.h"

namespace weft {

/// A reader's stream as it enters the switch.
struct ReaderStream {
  optweb::Stream stream;
  bool shared = false;  ///< W#i writes to the same interface in this instruction
  std::uint64_t words = 0;
};

/// A writer's part of an instruction.
struct WriterStream {
  optweb::Receive receive;
  bool shared = false;  ///< R#i reads from the same interface in this instruction
  std::uint64_t words = 0;
};

/// An instruction after the dispatcher.
struct DmacPlan {
  std::vector<ReaderStream> readers;
  std::vector<WriterStream> writers;
  std::vector<NodeId> barrier;
  std::optional<optweb::Reduction> reduction;
  std::vector<optweb::Partner> partners;
  bool rendezvous = false;
  Cycle first_word = 0;  ///< at the readers
  /// Of what is read, what an earlier instruction has written without a fence in between.
  struct Unfenced {
    std::uint32_t writer = 0;  ///< that instruction
    Cycle acknowledged = 0;    ///< its last write
    Cycle read = 0;            ///< the first read reaches the memory
  };
  std::vector<Unfenced> unfenced;
};

/// Takes instructions apart and translates their addresses. Latency: dmac.dispatch.
class Dispatcher : public sc_core::sc_module {
 public:
  Dispatcher(sc_core::sc_module_name name, const OptwebParameters& parameters, const optweb::NodeView& view,
             std::unique_ptr<optweb::StripeAddressIf> addresses)
      : sc_module(name), parameters_(parameters), view_(view), addresses_(std::move(addresses)) {}
  /// Throws RunError when it cannot be executed.
  optweb::Step take_apart(const optweb::MachineInstruction& instruction);
  /// Requests of an instruction that comes in cycle `now` go to the memory.
  Cycle requests(Cycle now) const { return now + parameters_.latency().dispatch; }
  std::uint64_t dispatched() const { return dispatched_; }

 private:
  const OptwebParameters& parameters_;
  optweb::NodeView view_;
  std::unique_ptr<optweb::StripeAddressIf> addresses_;
  std::uint64_t dispatched_ = 0;
};

/// R#i of all i: each has one stream at a time. Latency: that of the memory.
class Readers : public sc_core::sc_module {
 public:
  Readers(sc_core::sc_module_name name, std::uint32_t dmacs)
      : sc_module(name), memory("memory"), out("out"), busy_(dmacs) {}
  sc_core::sc_port<MemoryBusIf> memory;
  sc_core::sc_port<WordPathIf> out;
  /// Its requests go to the memory in cycle `at`, now or later.
  void ask(const ReaderStream& reader, Cycle at) {
    memory->reader_asks(reader.stream.reader, {reader.stream.address, reader.words, at, reader.shared, {}}, at);
  }
  /// From cycle `now` on its words pass, on a way of such a pace.
  void begin(const ReaderStream& reader, Cycle now, const optweb::WordRate& path);
  /// It has handed its last word over.
  void end(const ReaderStream& reader);
  /// Of its words now.
  optweb::WordRate pace(const ReaderStream& reader) const;
  /// The host has the interface it reads from.
  bool host_has(const ReaderStream& reader) const {
    return memory->host_has(reader.stream.reader, reader.stream.interfaces);
  }
  bool busy(std::uint32_t reader) const { return busy_[reader]; }

 private:
  std::vector<bool> busy_;
};

/// W#i of all i, and what they have written since the last fence.
class Writers : public sc_core::sc_module, public WordPathIf {
 public:
  Writers(sc_core::sc_module_name name, std::uint32_t stripes) : sc_module(name), memory("memory"), writes_(stripes) {}
  sc_core::sc_port<MemoryBusIf> memory;
  /// Words have come, and their paths end.
  Cycle pass(const PassingWords&, Cycle at) const override { return at; }
  void set(const WordRoute&) override {}
  void clear(const WordRoute&) override {}
  void begin(const WordRoute&, const WordsBegin& words) override { opens(*words.writer, words.from, words.pace); }
  void turn(const WordRoute&, Cycle, const optweb::WordRate&) override {}
  void carry(const PassingWords&, std::uint64_t, std::span<std::byte>) override {}
  /// Words go into the memory from a cycle on, now or later, and up to another one; they come on a way of such a pace.
  void opens(const WriterStream& w, Cycle from, const optweb::WordRate& path) {
    memory->writer_opens(w.receive.writer, w.receive.interfaces, {w.receive.address, w.words, from, w.shared, path});
  }
  void closes(const WriterStream& w, Cycle at) { memory->writer_closes(w.receive.writer, at); }
  /// Of its words now, or by the turns of the crossbar while the host has or has not its interface open.
  optweb::WordRate pace(const WriterStream& w) const;
  optweb::WordRate pace(const WriterStream& w, bool host) const { return memory->pace(w.shared, host); }
  const std::vector<HostSpan>& host_spans(const WriterStream& w) const { return memory->host_spans(w.receive.writer); }
  const std::vector<MemoryLimit>& limits(const WriterStream& w) const {
    return memory->writer_limits(w.receive.writer);
  }
  /// A writer of instruction `number` has got its last word at boundary `at`.
  void end(const WriterStream& writer, std::uint32_t number, Cycle at);
  /// Those of these bytes that were written since the last fence, as a read that reaches the memory at `read` finds it.
  void find_unfenced(const optweb::Stream& stream, Cycle read, std::vector<DmacPlan::Unfenced>& found) const;
  /// Done cycle of a fence that is issued in cycle `now`.
  Cycle fence(Cycle now);
  /// Everything handed over so far is acknowledged.
  Cycle acknowledged() const { return acknowledged_; }

 private:
  struct Write {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;
    std::uint32_t number = 0;
    Cycle acknowledged = 0;
  };
  /// Those to a stripe, of different places, and what they lie within.
  struct Writes {
    std::vector<Write> all;
    std::uint64_t begin = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t end = 0;
    bool meet(std::uint64_t from, std::uint64_t to) const { return begin < to && from < end; }
  };
  std::vector<Writes> writes_;  // by stripe: since the last fence
  Cycle acknowledged_ = 0;
};

class MDmac : public sc_core::sc_module, public DoneIf {
 public:
  sc_core::sc_port<DoneIf> to_sequencer;
  MDmac(sc_core::sc_module_name name, const OptwebParameters& parameters, const optweb::NodeView& view, Hbm& memory,
        std::unique_ptr<optweb::StripeAddressIf> addresses);

  /// Takes an instruction that is issued in cycle `now`. Throws RunError when it cannot be executed.
  DmacPlan dispatch(const optweb::MachineInstruction& instruction, Cycle now);
  /// A reader's first word passes.
  void read_begins(const ReaderStream& reader, Cycle now, const optweb::WordRate& path) {
    readers_.begin(reader, now, path);
  }
  /// The same of a stream of the user's logic, whose requests have gone to the memory in time.
  void user_read_begins(const ReaderStream& reader, Cycle now, const optweb::WordRate& path) {
    readers_.ask(reader, now - readers_.memory->read_latency());
    readers_.begin(reader, now, path);
  }
  /// A reader has handed its last word over.
  void read_done(const ReaderStream& reader) { readers_.end(reader); }
  /// A writer of instruction `number` has got its last word at boundary `at`: the bytes are in the memory.
  void write_done(const WriterStream& writer, const OptwebTrain& train, std::uint32_t number, Cycle at);
  /// The same for what a reduction unit makes of several streams.
  void reduction_done(const WriterStream& writer, ReductionUnitIf& unit, const optweb::Reduction& reduction,
                      const std::vector<optweb::StoredStream>& streams, std::uint32_t number, Cycle at);
  /// Done cycle of a fence that is issued in cycle `now`.
  Cycle fence(Cycle now) { return writers_.fence(now); }
  /// The switch is done in cycle `now`: its readers have handed everything over and its writers have got everything
  /// when the switch has counted it, so M_DMAC is done with it.
  void done(optweb::Units units, Cycle now) override {
    to_sequencer->done(static_cast<optweb::Units>(units | moving_), now);
  }
  /// A fence is over.
  void fenced(Cycle now) { to_sequencer->done(optweb::kDmacUnit, now); }

  const Dispatcher& dispatcher() const { return dispatcher_; }
  const Readers& readers() const { return readers_; }
  Readers& readers() { return readers_; }
  const Writers& writers() const { return writers_; }
  Writers& writers() { return writers_; }

 private:
  const OptwebParameters& parameters_;
  Hbm& memory_;
  Dispatcher dispatcher_;
  Readers readers_;
  Writers writers_;
  optweb::Units moving_ = 0;  // kDmacUnit: the instruction under way has data
};

}  // namespace weft
