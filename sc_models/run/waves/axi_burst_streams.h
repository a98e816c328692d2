#pragma once
// AXI4 bursts as transactions in a waveform (run/waves/transaction_stream.h): from the handshake of AR to that of the
// last R, and from the handshake of AW to that of B, as rows of text ("id 3 0x1040 INCR 8 x 8 B").

#include <array>
#include <cstdint>
#include <deque>
#include <map>
#include <string>

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

}  // namespace weft::axi
