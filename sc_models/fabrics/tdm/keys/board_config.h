#pragma once
// Board of a FiC network (FiC-SW, Figure 5 of the paper): what one board can do, and what its serial links make of the
// rate of their lanes.
//
// A lane of 9.9 Gb/s carries 64b/66b code: 9.6 Gb/s reach the serial side, 64 bits in each cycle of 150 MHz. They cross
// into the clock of the switch, 100 MHz: 96 bits per cycle and lane, of which the error-correcting code leaves 85 bits
// of payload, 8.5 Gb/s. Both clocks have one source, so a gearbox is all that the crossing needs, and no flow control.
//
// A link between boards takes, besides switch.serdes, encoding, two crossings and decoding. The node of a board sends
// and receives by user logic or by the DRAM modules, each with a rate of its own. A unit that is slower than the link
// of the node leaves slots of its circuits empty; there is no back-pressure, so circuits must not bring a unit more
// than it takes.

#include <cstdint>

#include "base/diagnostics.h"
#include "base/units.h"
#include "base/words.h"

namespace weft {

enum class BoardKind { none, fic };
template <>
inline constexpr auto kWords<BoardKind> = words("none", "fic");

/// Unit of a node that makes the words of circuits, or takes them.
enum class BoardUnit { logic, memory };
template <>
inline constexpr auto kWords<BoardUnit> = words("logic", "memory");

struct BoardConfig {
  BoardKind kind = BoardKind::none;
  Location where;
  Location unit_where;  ///< of the choice of the source
  Location sink_where;
  Location shared_where;
  std::uint32_t links = 0;  ///< to other boards
  std::uint32_t lanes = 0;  ///< of a link
  Rate lane_rate;           ///< on the line
  Frequency serial_clock;
  std::int64_t serial_bits = 0;  ///< of a lane in a cycle of it, decoded
  Cycle crossing = 0;            ///< between the two clocks, one way
  Cycle code = 0;                ///< encoding, and decoding, of the error-correcting code
  std::uint32_t memories = 0;
  Rate memory_rate;  ///< of a module
  Rate logic_rate;
  BoardUnit source = BoardUnit::logic;
  BoardUnit sink = BoardUnit::logic;
  bool shared = false;  ///< rates are those of a board, not of a node, and for both directions together

  bool is_board() const { return kind != BoardKind::none; }
  /// Latency that a board adds to a link.
  Cycle link_latency() const { return is_board() ? 2 * (crossing + code) : 0; }
  Rate rate_of(BoardUnit unit) const {
    return unit == BoardUnit::logic ? logic_rate : Rate{memory_rate.bits_per_s * memories};
  }
};

}  // namespace weft
