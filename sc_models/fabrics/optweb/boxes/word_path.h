#pragma once
// Path of words through the boxes of a node. Every box on it has a port `out` to the next one and hands words on over
// it, so a box that is bound between two others is passed by all words and changes nothing else:
//
//   sending    R#i -> [sent boxes] -> distributor -> N x 1 switch -> word counter -> gate, before the links
//   receiving  buffer -> N x N switch -> [received boxes] -> reduction unit -> word counter -> W#i
//
// Boxes are called when words have a time, not for each word: the answer is the boundary at which a word that enters
// now has passed the box and all behind it. Each takes a word per cycle; there is no back-pressure. Commands go the
// same way: a path is set box by box from its reader, or its buffer, on, its words begin to pass and change their pace,
// and it is taken away in that order when the last word has passed. fabrics/optweb/boxes/box_signals.h has the signals
// between boxes that are not on this way.

#include <cstddef>
#include <cstdint>
#include <span>
#include <systemc>

#include "algorithms/optweb/word_rate.h"
#include "base/ids.h"
#include "base/units.h"
#include "fabrics/optweb/boxes/box_trace.h"
#include "fabrics/optweb/protocol.h"

namespace weft {

/// Words that pass a box. Sending side: those of an instruction, of the longest stream. Receiving side: those that a
/// writer gets.
struct PassingWords {
  NodeId from = kNoId;           ///< sent by
  std::uint32_t number = 0;      ///< of the instruction, at the node of the box
  std::uint64_t words = 0;       ///< of a stream
  std::uint64_t bytes = 0;       ///< of a stream
  bool reduced = false;          ///< receiving side: to one stream
  std::size_t streams = 1;       ///< of that reduction, the node's own included
  std::uint32_t reader = kNoId;  ///< sending side, with bytes: their R#i
  std::uint32_t writer = kNoId;  ///< receiving side: their W#i
};

/// Path of words from a reader to links, or from a link to a writer. Ports of links are numbered as the DMACs.
struct WordRoute {
  std::uint32_t dmac = kNoId;            ///< reader, or writer
  std::span<const std::uint32_t> ports;  ///< sending side: all outputs; receiving side: the one input
  std::uint64_t words = 0;               ///< of its stream
  bool combined = false;                 ///< receiving side: with those of other inputs on the way
  std::uint32_t receivers = 0;           ///< sending side: that have to be ready before its words pass the gate
};

struct WriterStream;

/// Words of a path that begin to pass: on the sending side by its links, on the receiving side into the memory.
struct WordsBegin {
  Cycle from = 0;
  optweb::WordRate pace;
  const OptwebTrain* train = nullptr;    ///< sending side
  const WriterStream* writer = nullptr;  ///< receiving side
};

class WordPathIf : public virtual sc_core::sc_interface {
 public:
  /// Sets a path through this box and all that follow it, before its first word passes the gate.
  virtual void set(const WordRoute& route) = 0;
  /// Its words have passed: takes the path away.
  virtual void clear(const WordRoute& route) = 0;
  /// A word that enters at boundary `at` has passed this box and all that follow it at the one returned.
  virtual Cycle pass(const PassingWords& words, Cycle at) const = 0;
  /// The words of a path that is set begin to pass.
  virtual void begin(const WordRoute& route, const WordsBegin& words) = 0;
  /// Sending side: those that are left go on at another pace from cycle `now` on.
  virtual void turn(const WordRoute& route, Cycle now, const optweb::WordRate& pace) = 0;
  /// Bytes of words, in runs that move bytes, from `offset` in their stream on: what the boxes on the way make of them.
  virtual void carry(const PassingWords& words, std::uint64_t offset, std::span<std::byte> bytes) = 0;
};

/// Gate -> links.
class LeavingWordsIf : public virtual sc_core::sc_interface {
 public:
  /// Words begin to leave by a port.
  virtual void begin(std::uint32_t port, const WordsBegin& words) = 0;
  virtual void turn(std::uint32_t port, Cycle now, const optweb::WordRate& pace) = 0;
};

/// A box with another one behind it.
class WordStage : public WordPathIf {
 public:
  sc_core::sc_port<WordPathIf> out{"out"};
  Cycle pass(const PassingWords& words, Cycle at) const final { return out->pass(words, through(words, at)); }
  void set(const WordRoute& route) final {
    opens(route);
    out->set(route);
  }
  void clear(const WordRoute& route) final {
    closes(route);
    out->clear(route);
  }
  void begin(const WordRoute& route, const WordsBegin& words) final { out->begin(route, words); }
  void turn(const WordRoute& route, Cycle now, const optweb::WordRate& pace) final { out->turn(route, now, pace); }
  void carry(const PassingWords& words, std::uint64_t offset, std::span<std::byte> bytes) override {
    out->carry(words, offset, bytes);
  }

 protected:
  /// A path through this box is set, or taken away; boxes where every word goes the same way do nothing.
  virtual void opens(const WordRoute&) {}
  virtual void closes(const WordRoute&) {}
  /// As `pass`, for this box alone.
  virtual Cycle through(const PassingWords& words, Cycle at) const = 0;
};

/// A design's own box between two of Weft's: a module that sees the words, may change them, and takes its time. One
/// instance stands in a place of a node.
class WordBox : public WordStage {
 public:
  /// Cycles from the entry of a word to its exit; at least 0.
  virtual Cycle latency(const PassingWords& words) const = 0;
  /// Bytes of a stream, in runs that move bytes: all of them once, in their order, a part at a time of which `offset`
  /// is the first. The box may change them in place. Sending side: called when the first word leaves; receiving side:
  /// when the last one is counted.
  virtual void see(const PassingWords& words, std::uint64_t offset, std::span<std::byte> bytes) = 0;
  void carry(const PassingWords& words, std::uint64_t offset, std::span<std::byte> bytes) final {
    see(words, offset, bytes);
    out->carry(words, offset, bytes);
  }
  /// Signals of its own in waveforms, beside its words and its state; called once, when a waveform is opened.
  virtual void trace(BoxTrace&) const {}

 protected:
  Cycle through(const PassingWords& words, Cycle at) const final;
};

}  // namespace weft
