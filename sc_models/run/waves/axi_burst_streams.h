#pragma once
// AXI4 bursts as transactions in a waveform (run/waves/transaction_stream.h): from the handshake of AR to that of the
// last R, and from the handshake of AW to that of B, as rows of text ("id 3 0x1040 INCR 8 x 8 B"). Packets of
// AXI4-Stream likewise, from the first beat on ("id 3 to 1: 8 beats").

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <string>
#include <utility>

#include "run/waves/transaction_stream.h"
#include "workload/axi/axi_burst.h"

namespace weft::axi {

class BurstStreams {
 public:
  /// Rows "PATH.reads.row0" ... and "PATH.writes.row0" ..., `rows` each. Before the waveform is opened.
  BurstStreams(const std::string& path, std::uint32_t rows);
  void request(bool write, const Address& address);
  /// The last R, or B: of the first burst of this ID that has none. Without such a burst nothing happens.
  void answer(bool write, std::uint32_t id);

 private:
  struct Direction {
    TransactionStream stream;
    std::map<std::uint32_t, std::deque<std::size_t>> open;  // rows, by ID
  };
  std::array<Direction, 2> directions_;  // reads, writes
};

class PacketStreams {
 public:
  /// Rows "PATH.packets.row0" ... Before the waveform is opened.
  PacketStreams(const std::string& path, std::uint32_t rows) : stream_(path + ".packets", rows) {}
  /// A beat that is taken; packets of one TID and TDEST come one after the other. A packet stays in its row until the
  /// edge behind its last beat, so that it is seen if it has only one.
  void beat(std::uint32_t id, std::uint32_t dest, bool last);
  /// An edge: what has ended at the one before goes.
  void edge();

 private:
  struct Open {
    std::size_t row;
    std::uint64_t beats;
  };
  TransactionStream stream_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Open> open_;
  std::deque<std::size_t> ended_;
};

}  // namespace weft::axi
