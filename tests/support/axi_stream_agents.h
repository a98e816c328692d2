#pragma once
// AXI4-Stream for tests of what is between a transmitter and a receiver: both with random behaviour. Each works on
// plain values, a step per clock (workload/axi/axi_stream_pins.h).

#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/random.h"
#include "workload/axi/axi_stream_pins.h"

namespace weft::test {

/// Bytes of a packet without those that are null; -1: a position byte.
using StreamBytes = std::vector<int>;

struct StreamRecord {
  StreamBytes bytes;
  bool cut = false;  ///< by a reset of its transmitter: whole pieces of it may arrive, or nothing
};

/// What transmitters have sent and receivers have not seen yet, by TID and TDEST.
struct StreamBooks {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::deque<StreamRecord>> expected;
  std::size_t piece = 0;      ///< bytes of a transaction, with resets
  std::uint64_t sent = 0;     ///< whole packets
  std::uint64_t arrived = 0;  ///< packets and parts of cut ones
  std::uint64_t cut = 0;      ///< of these
  std::uint64_t missing = 0;  ///< whole packets that later ones of their stream have overtaken
  std::uint64_t empty = 0;    ///< of these without a byte
  std::string wrong;          ///< the first thing
};

struct StreamPlan {
  std::uint32_t bus = 8;
  std::uint32_t first_id = 0;
  std::uint32_t ids = 4;
  std::uint32_t dests = 1;  ///< from 0 on
  std::uint32_t beats = 12;
  std::uint64_t packets = 0;
  std::uint32_t pause = 0;  ///< of eight cycles, those without a beat
};

/// Packets of several TIDs at once, their beats interleaved, with null and position bytes.
class StreamTraffic {
 public:
  StreamTraffic(const StreamPlan& plan, StreamBooks& books, std::uint64_t seed);
  const axi::StreamPins& clock(bool ready);
  /// A rising edge in reset: forgets the packets that it has begun.
  const axi::StreamPins& reset();

 private:
  struct Packet {
    std::uint32_t dest;
    std::uint32_t beats;  ///< that are left
    StreamBytes bytes;
  };
  void next();

  const StreamPlan plan_;
  StreamBooks& books_;
  RandomStream random_;
  axi::StreamPins out_;
  std::map<std::uint32_t, Packet> open_;  // by TID
  std::uint64_t made_ = 0;
};

/// Takes beats when it likes, and compares.
class StreamSink {
 public:
  StreamSink(std::uint32_t dest, std::uint32_t pause, StreamBooks& books, std::uint64_t seed);
  bool clock(const axi::StreamPins& in);
  /// A rising edge in reset: forgets the packets of which it has seen a part.
  bool reset();

 private:
  void arrive(std::uint32_t id, const StreamBytes& bytes);
  void say(std::uint32_t id, const std::string& what);

  const std::uint32_t dest_;
  const std::uint32_t pause_;
  StreamBooks& books_;
  RandomStream random_;
  bool ready_ = false;
  std::map<std::uint32_t, StreamBytes> open_;  // by TID
};

}  // namespace weft::test
