#pragma once
// Modules of the distributed switch, one interface each: OptwebModules (fabrics/optweb/module_factory.h) makes the
// module behind it, so that a design can put its own in place. Those of the paper are in sending_side.h and
// receiving_side.h.
//
// A part that exists once per reader, writer or link is one module with N places: 968 nodes with 64 links each would be
// half a million modules otherwise. Ports of the switch are numbered as the DMACs (algorithms/optweb/neighbours.h).
// Modules are called in the cycle in which something happens, and answer with the boundary at which it has come through
// them. What one box does to another goes over a port of the first one: words with their paths and bytes over
// fabrics/optweb/boxes/word_path.h, other signals over fabrics/optweb/boxes/box_signals.h. The control, which keeps the
// agenda of the node's cycles, has ports to those boxes in which something comes due, as their clock edge; what boxes
// show in waves and reports is read without one. Source: Figures 4 and 6 of the paper named in
// algorithms/optweb/link_sync.h.

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <systemc>
#include <utility>
#include <vector>

#include "algorithms/optweb/reduction.h"
#include "algorithms/optweb/semantics/sparse_memory.h"
#include "base/ids.h"
#include "base/units.h"
#include "fabrics/optweb/boxes/box_signals.h"
#include "fabrics/optweb/boxes/box_trace.h"
#include "fabrics/optweb/boxes/word_path.h"
#include "fabrics/optweb/protocol.h"

namespace weft {

/// Holds the instruction whose paths are set. Latencies: switch.setup, switch.report.
class ControlRegisterIf : public virtual sc_core::sc_interface {
 public:
  /// Instruction `number` is written in cycle `now`; returns the boundary at which its paths are set. It may not be
  /// written while the one before is under way.
  virtual Cycle write(std::uint32_t number, Cycle now) = 0;
  /// The instruction is over: all its words and notifications have passed.
  virtual void clear() = 0;
  virtual bool holds() const = 0;
  virtual std::uint32_t number() const = 0;
  /// The command sequencer learns what counters and registers know at boundary `at`.
  virtual Cycle reported(Cycle at) const = 0;
  /// Answers to what has been received go out.
  virtual Cycle answered(Cycle at) const = 0;
};

/// Sending side: behind reader R#i, copies its words to any set of outputs. Latency: switch.distributor.
class DistributorsIf : public WordStage {
 public:
  /// Distributor of `reader` leads to these outputs until it is released.
  virtual void join(std::uint32_t reader, const std::vector<std::uint32_t>& outputs) = 0;
  virtual void release(std::uint32_t reader) = 0;
  /// Outputs it leads to; empty when it is not joined.
  virtual const std::vector<std::uint32_t>& outputs(std::uint32_t reader) const = 0;
  /// A word that enters at boundary `at` has passed.
  virtual Cycle passed(Cycle at) const = 0;

 protected:
  void opens(const WordRoute& route) override { join(route.dmac, {route.ports.begin(), route.ports.end()}); }
  void closes(const WordRoute& route) override { release(route.dmac); }
  Cycle through(const PassingWords&, Cycle at) const override { return passed(at); }
};

/// Sending side: an N x 1 switch before each link, and before the way to the node's own receiving side. Latency:
/// switch.select.
class SelectorsIf : public WordStage {
 public:
  /// Output takes the words of this distributor; of one at a time.
  virtual void join(std::uint32_t output, std::uint32_t reader) = 0;
  virtual void release(std::uint32_t output) = 0;
  virtual std::optional<std::uint32_t> joined(std::uint32_t output) const = 0;
  virtual Cycle passed(Cycle at) const = 0;

 protected:
  void opens(const WordRoute& route) override {
    for (const std::uint32_t output : route.ports) join(output, route.dmac);
  }
  void closes(const WordRoute& route) override {
    for (const std::uint32_t output : route.ports) release(output);
  }
  Cycle through(const PassingWords&, Cycle at) const override { return passed(at); }
};

/// Sending side: holds words back until all receivers of a rendezvous are ready. Latency: switch.gate.
class GateIf : public WordPathIf, public NotificationPathIf {
 public:
  sc_core::sc_port<LeavingWordsIf> out{"out"};
  sc_core::sc_port<GateSignalsIf> control{"control"};
  /// Words stand before it, and their paths end.
  Cycle pass(const PassingWords&, Cycle at) const final { return at; }
  void set(const WordRoute& route) final { shut(route.receivers); }
  void clear(const WordRoute&) final {}
  void begin(const WordRoute& route, const WordsBegin& words) final {
    for (const std::uint32_t port : route.ports) out->begin(port, words);
  }
  void turn(const WordRoute& route, Cycle now, const optweb::WordRate& pace) final {
    for (const std::uint32_t port : route.ports) out->turn(port, now, pace);
  }
  void carry(const PassingWords&, std::uint64_t, std::span<std::byte>) final {}
  /// One that the instruction under way uses; the first one of a receiver says that it is ready.
  void pass(std::uint32_t port, const OptwebNotification& notification, Cycle now) final {
    if (notification.kind == OptwebNotificationKind::ready) {
      if (const std::optional<Cycle> open = ready(now)) control->opens(*open);
    }
    control->used(port, notification);
  }
  /// Shut until so many receivers more are ready; with none it is open.
  virtual void shut(std::uint32_t receivers) = 0;
  /// One of them is ready, now; returns the boundary from which on words may pass when it is the last one.
  virtual std::optional<Cycle> ready(Cycle now) = 0;
  virtual std::uint32_t missing() const = 0;
};

/// Both sides: counts words of an instruction against its data size. Latency of the receiving side: switch.counter.
class WordCountersIf : public WordStage {
 public:
  sc_core::sc_port<CountedWordsIf> done{"done"};
  /// The instruction under way has so many words at this port, on top of what has been set for it.
  virtual void expect(std::uint32_t port, std::uint64_t words) = 0;
  /// So many have passed. More than are expected are an error.
  virtual void count(std::uint32_t port, std::uint64_t words) = 0;
  virtual std::uint64_t missing(std::uint32_t port) const = 0;
  /// Counted since the beginning of the run.
  virtual std::uint64_t total(std::uint32_t port) const = 0;
  /// A word that has passed at boundary `at` is counted.
  virtual Cycle counted(Cycle at) const = 0;

 protected:
  void opens(const WordRoute& route) override {
    for (const std::uint32_t port : route.ports) expect(port, route.words);
  }
  void closes(const WordRoute& route) override {
    for (const std::uint32_t port : route.ports) count(port, route.words);
    done->counted(route);
  }
  Cycle through(const PassingWords&, Cycle at) const override { return counted(at); }
};

/// Receiving side: notifications of the other nodes. Latency: switch.notified.
class NotificationRegistersIf : public NotificationPathIf {
 public:
  sc_core::sc_port<RegisteredIf> comes{"comes"};
  sc_core::sc_port<NotificationPathIf> out{"out"};
  void pass(std::uint32_t port, const OptwebNotification& notification, Cycle at) final {
    comes->registered(port, arrives(port, notification, at));
  }
  /// The instruction under way uses the oldest registered one, in cycle `now`.
  void use(std::uint32_t port, Cycle now) { out->pass(port, take(port), now); }
  /// One arrives at boundary `at`; returns when it is registered.
  virtual Cycle arrives(std::uint32_t port, const OptwebNotification& notification, Cycle at) = 0;
  /// The first one that has arrived and was not registered is.
  virtual void registers(std::uint32_t port) = 0;
  virtual bool registered(std::uint32_t port) const = 0;
  /// Takes the oldest registered one.
  virtual OptwebNotification take(std::uint32_t port) = 0;
  /// Registered since the beginning of the run.
  virtual std::uint64_t total(std::uint32_t port) const = 0;
};

/// A transfer on its way into a receive buffer, or waiting there.
struct Arrival {
  OptwebTrain train;
  Cycle due = 0;          ///< when it is looked at next
  bool arrived = false;   ///< its last word is here
  bool buffered = false;  ///< it came before its instruction
  /// Ends that it was to have before its words were delayed or turned, each up to the boundary at which that arrives.
  struct Before {
    Cycle until = 0;
    Cycle last = 0;
    std::size_t turns = 0;
  };
  std::vector<Before> before;
};

/// Receiving side: the buffer of each link, which words pass on their way to the writers and in which those wait that
/// come before their instruction. There is no back-pressure: what does not fit is lost, which is an error.
class ReceiveBuffersIf : public ArrivingWordsIf {
 public:
  sc_core::sc_port<WordPathIf> out{"out"};
  sc_core::sc_port<BufferedWordsIf> comes{"comes"};
  void begins(std::uint32_t port, OptwebTrain&& train) final {
    const Cycle last = train.last;
    keep(port, std::move(train));
    comes->begun(port, last);
  }
  void turns(std::uint32_t port, const OptwebTurn& turn, Cycle first, Cycle last, Picoseconds ended) final {
    comes->turned(port, keep_turn(port, turn, first, last, ended));
  }
  /// A transfer that has begun to come.
  virtual void keep(std::uint32_t port, OptwebTrain&& train) = 0;
  /// The one that began last comes at another pace from a point on.
  virtual Arrival& keep_turn(std::uint32_t port, const OptwebTurn& turn, Cycle first, Cycle last,
                             Picoseconds ended) = 0;
  /// The first transfer whose last word is not here; null when there is none.
  virtual Arrival* coming(std::uint32_t port) = 0;
  /// The oldest transfer of the port; null when there is none.
  virtual const Arrival* first(std::uint32_t port) const = 0;
  virtual Arrival take(std::uint32_t port) = 0;
  /// Words of all transfers of the port.
  virtual std::uint64_t waiting(std::uint32_t port) const = 0;
  virtual std::uint64_t capacity() const = 0;
  /// So many words wait there at a time: whether they fit. One more stands in the register behind the buffer.
  virtual bool holds(std::uint64_t words) const = 0;
};

/// Receiving side: N x N switch from the buffers to the writers. Latency: switch.receive.
class CrossbarIf : public WordStage {
 public:
  /// Words of `input` go to `writer`, and no others do, unless they are `combined` on the way.
  virtual void join(std::uint32_t input, std::uint32_t writer, bool combined) = 0;
  virtual void release(std::uint32_t input) = 0;
  virtual std::optional<std::uint32_t> joined(std::uint32_t input) const = 0;
  virtual Cycle passed(Cycle at) const = 0;

 protected:
  void opens(const WordRoute& route) override { join(route.ports.front(), route.dmac, route.combined); }
  void closes(const WordRoute& route) override { release(route.ports.front()); }
  Cycle through(const PassingWords&, Cycle at) const override { return passed(at); }
};

/// Words that pass a reduction unit: those of all streams, in the order of the ranks of their nodes, and where the
/// writer behind it puts the result.
struct ReducedWords {
  optweb::Reduction reduction;  ///< as the instruction has it
  const std::vector<optweb::StoredStream>& streams;
  optweb::SparseMemory& memory;
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
  const std::function<bool()>& stop;  ///< asked in between; true: the rest need not get anywhere
};

/// Receiving side: between the N x N switch and one writer, a tree of adders (algorithms/optweb/reduction.h). Latency:
/// switch.reduce per level.
class ReductionUnitIf : public WordStage {
 public:
  /// The last word of so many streams enters at boundary `at` and has passed at the one returned.
  virtual Cycle passed(Cycle at, std::size_t streams) const = 0;
  /// All words have passed, in a run that moves bytes.
  virtual void combine(const ReducedWords& words) = 0;
  /// As WordBox::trace().
  virtual void trace(BoxTrace&) const {}

 protected:
  /// Words that are not to be reduced pass beside it.
  Cycle through(const PassingWords& words, Cycle at) const override {
    return words.reduced ? passed(at, words.streams) : at;
  }
};

}  // namespace weft
