#pragma once
// AXI4 bursts as transactions in a waveform (run/waves/transaction_stream.h): from the cycle of the handshake of AR to
// that of the last R, and from that of AW to that of B, as rows of text ("id 3 0x1040 INCR 8 x 8 B"). Packets of
// AXI4-Stream likewise, from the first beat on ("id 3 to 1: 8 beats").
//
// A handshake is sampled at the rising edge that ends its cycle. A row that began there would begin a cycle behind the
// pins, so it begins at the falling edge within the cycle, with the handshake that is to come. Should that not come,
// since pins change in the second half of the cycle, the row is withdrawn.

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "run/waves/transaction_stream.h"
#include "workload/axi/axi_burst.h"

namespace weft::axi {

class BurstStreams {
 public:
  /// Rows "PATH.reads.row0" ... and "PATH.writes.row0" ..., `rows` each. Before the waveform is opened.
  BurstStreams(const std::string& path, std::uint32_t rows);
  /// A falling edge: the address whose handshake is to come, if any.
  void expect(bool write, const std::optional<Address>& address);
  /// A rising edge: the address that is taken, if any.
  void request(bool write, const std::optional<Address>& address);
  /// The last R, or B: of the first burst of this ID that has none. Without such a burst nothing happens.
  void answer(bool write, std::uint32_t id);
  /// An edge in reset: all bursts end.
  void reset();

 private:
  struct Direction {
    TransactionStream stream;
    std::map<std::uint32_t, std::deque<std::size_t>> open;  // rows, by ID
    std::optional<Address> expected;                        // the last one of its ID
  };
  std::array<Direction, 2> directions_;  // reads, writes
};

class PacketStreams {
 public:
  struct Beat {
    std::uint32_t id = 0;
    std::uint32_t dest = 0;
    bool last = false;
    bool operator==(const Beat&) const = default;
  };
  /// Rows "PATH.packets.row0" ... Before the waveform is opened.
  PacketStreams(const std::string& path, std::uint32_t rows) : stream_(path + ".packets", rows) {}
  /// A falling edge: the beat whose handshake is to come, if any. Packets of one TID and TDEST come one after the
  /// other.
  void expect(const std::optional<Beat>& beat);
  /// A rising edge: the beat that is taken, if any. A packet that nobody expected stays in its row until the edge
  /// behind its last beat, so that it is seen if it has only one.
  void edge(const std::optional<Beat>& beat);
  /// An edge in reset: all packets end.
  void reset();

 private:
  struct Open {
    std::size_t row;
    std::uint64_t beats;
  };
  using Stream = std::pair<std::uint32_t, std::uint32_t>;
  void add(const Beat& beat);
  void show(const Stream& stream, const Open& packet);
  TransactionStream stream_;
  std::map<Stream, Open> open_;
  std::optional<Beat> expected_;
  std::deque<std::size_t> ended_;
};

}  // namespace weft::axi
