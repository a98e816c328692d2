#pragma once
// Rules of IHI 0051 at the pins of an AXI4-Stream interface. A StreamReceiverPort holds the transmitter at its pins to
// them; axi::StreamCheckerPort does so for any other pins.

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <utility>

#include "workload/axi/axi_port.h"
#include "workload/axi/axi_stream_pins.h"

namespace weft::axi {

/// What is valid stays as it is until it is taken; no TSTRB without TKEEP.
class StreamChecker : public RuleChecker {
 public:
  /// `report`: called for each violation, at the edge that samples it.
  explicit StreamChecker(std::string name, Report report = {}) : RuleChecker(std::move(name), std::move(report)) {}
  /// Pins as they are before a rising edge.
  void clock(const StreamPins& p, bool ready);
  template <class Pins>
  void clock_pins(const Pins& pins) {
    clock(pins.transmitter(), pins.tready.read());
  }
  /// A rising edge in reset: everything is forgotten but the figures below.
  void reset();

  std::uint64_t packets = 0;      ///< that are over
  std::uint64_t interleaved = 0;  ///< beats between those of another packet
  std::size_t open() const { return open_.size(); }

 private:
  StreamPins before_;  // while it waits
  bool waits_ = false;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> open_;  // beats, by TID and TDEST
  std::pair<std::uint32_t, std::uint32_t> last_{};
  bool within_ = false;
};

/// With clock and reset.
template <unsigned DataBits, unsigned IdBits, unsigned DestBits>
using StreamCheckerPort = CheckerModule<StreamChecker, StreamSignals<DataBits, IdBits, DestBits>>;

}  // namespace weft::axi
