// Keys of the boards of a FiC network, and what their numbers must fulfil.

#include <fmt/format.h>

#include <algorithm>

#include "fabrics/tdm/keys/tdm_schema.h"

namespace weft {
namespace {

// 64b/66b.
constexpr std::int64_t kCodeData = 64;
constexpr std::int64_t kCodeBlock = 66;

__extension__ using BoardWide = __int128;

// No module has this clock, so its period need not be whole picoseconds as that of others.
Type<Frequency> serial_clock_type() {
  TypeInfo info;
  info.name = "frequency";
  info.units = "Hz, kHz, MHz, GHz";
  info.range = "above 0Hz";
  info.form = phrase_form(quantity_pattern(info.units));
  return {std::move(info),
          [](const YamlNode& node, const std::string& path, Diagnostics& diagnostics) -> std::optional<Frequency> {
            const bool scalar = node.kind == YamlNode::Kind::scalar;
            const Parsed<Frequency> parsed = parse_frequency(scalar ? node.text : std::string());
            if (scalar && parsed.value && parsed.value->hz > 0) return parsed.value;
            const std::string error = scalar && !parsed.value ? parsed.error : "expected a frequency above 0Hz";
            diagnostics.error(node.where,
                              fmt::format("{}: {}{}", path, error, scalar ? "" : ", got " + node.describe()));
            return std::nullopt;
          }};
}

// Every stage of a lane passes what comes out of the next one.
void check_stages(const RawBoard& raw, const Given<RawSwitch>& section, const BoardConfig& board,
                  const TdmSwitchConfig& sw, Diagnostics& diagnostics) {
  const BoardWide decoded = BoardWide{board.lane_rate.bits_per_s} * kCodeData;
  const BoardWide serial = BoardWide{board.serial_bits} * board.serial_clock.hz;
  const auto gbps = [](BoardWide bits_per_s) { return static_cast<double>(bits_per_s) * 1e-9; };
  if (serial * kCodeBlock > decoded) {
    diagnostics.error(
        raw.serial_clock.given ? raw.serial_clock.where : raw.lane_rate.where,
        fmt::format("fic_board: the serial side takes {:.6g} Gb/s of a lane ({} bits at {}), which carries "
                    "{:.6g} Gb/s behind its 64b/66b code",
                    gbps(serial), board.serial_bits, to_string(board.serial_clock), gbps(decoded / kCodeBlock)));
  }
  const BoardWide payload = BoardWide{sw.lane_payload_bits} * sw.clock.hz;
  if (payload > serial) {
    const RawSwitch& s = section.value;
    diagnostics.error(s.lane_payload.given ? s.lane_payload.where : section.where,
                      fmt::format("switch.lane_payload: {} bits at {} are {:.6g} Gb/s, more than the {:.6g} Gb/s of a "
                                  "lane of this board before error correction",
                                  sw.lane_payload_bits, to_string(sw.clock), gbps(payload), gbps(serial)));
  }
  if (sw.lanes > board.lanes) {
    const RawSwitch& s = section.value;
    diagnostics.error(s.lanes.given ? s.lanes.where : section.where,
                      fmt::format("switch.lanes: a link of this board has {} lanes, not {} (fic_board.lanes)",
                                  board.lanes, sw.lanes));
  }
}

}  // namespace

Section<RawBoard> board_section() {
  constexpr Rate kLeast{1'000'000};
  constexpr Rate kMost{100'000'000'000'000};
  Section<RawBoard> s("fic_board", "board: fic: the numbers of a FiC-SW board.");
  s.key("links", &RawBoard::links, whole<std::uint32_t>(1, 1024), by_default("8"),
        "Links of a board to other boards; a network that needs more is refused.");
  s.key("lanes", &RawBoard::lanes, whole<std::uint32_t>(1, 64), by_default("4"), "Lanes that a link has at most.");
  s.key("lane_rate", &RawBoard::lane_rate, rate_type(kLeast, kMost), by_default("9.9Gb/s"),
        "Rate of a lane on the line, with its 64b/66b code.");
  s.key("serial_clock", &RawBoard::serial_clock, serial_clock_type(), by_default("150MHz"),
        "Clock of the serial side; it has the source of switch.clock.");
  s.key("serial_width", &RawBoard::serial_width, data_size_type({1}, {4096}), by_default("64b"),
        "Decoded bits of a lane in a cycle of the serial side.");
  s.key("crossing", &RawBoard::crossing, cycle_span_type(0), by_default("20ns"),
        "Latency between the clocks of switch and serial side, each way: by default the period after which both clocks "
        "meet again, what a gearbox has to hold (ours).");
  s.key("code", &RawBoard::code, cycle_span_type(0), by_default("10ns"),
        "Latency of the encoder of the error-correcting code, and of its decoder (ours).");
  s.key("memories", &RawBoard::memories, whole<std::uint32_t>(1, 64), by_default("2"), "DRAM modules.");
  s.key("memory_rate", &RawBoard::memory_rate, rate_type(kLeast, kMost), by_default("19.2GB/s"),
        "Rate of a module: DDR4-2400 with 64 of its 72 bits (ours).");
  s.key("logic_rate", &RawBoard::logic_rate, rate_type(kLeast, kMost), by_default("34Gb/s"),
        "Rate of the user logic, which makes and takes a word per cycle (ours).");
  s.key("source", &RawBoard::source, choice<BoardUnit>(), by_default("logic"),
        "Unit that makes the data a node sends. If it is slower than the node's link, slots stay empty.");
  s.key("sink", &RawBoard::sink, choice<BoardUnit>(), by_default("logic"),
        "Unit that takes the data a node receives. Circuits that exceed its rate are refused: a circuit cannot be "
        "stalled.");
  s.key(
      "shared", &RawBoard::shared, boolean_type(), by_default("false"),
      "Whether all nodes of a board share the rate of a unit, and what they write with what they read (ours). Slots of "
      "circuits that end at the board come first, what it sends gets the rest. Otherwise each node has the rate in "
      "each direction.");
  return s;
}

BoardConfig resolve_board(const RawTdm& raw, const TdmSwitchConfig& sw, Diagnostics& diagnostics) {
  BoardConfig out;
  const RawBoard& r = raw.fic_board.value;
  out.kind = raw.board.value;
  out.where = raw.board.where;
  if (!out.is_board()) {
    warn_unused(raw.fic_board, false, "fic_board has no effect without board: fic", diagnostics);
    return out;
  }
  out.links = r.links.value;
  out.lanes = r.lanes.value;
  out.lane_rate = r.lane_rate.value;
  out.serial_clock = r.serial_clock.value;
  out.serial_bits = r.serial_width.value.bits;
  out.memories = r.memories.value;
  out.memory_rate = r.memory_rate.value;
  out.logic_rate = r.logic_rate.value;
  out.source = r.source.value;
  out.sink = r.sink.value;
  out.shared = r.shared.value;
  if (sw.period.ps == 0) return out;
  out.crossing = r.crossing.value.cycles(sw.period);
  out.code = r.code.value.cycles(sw.period);
  if (diagnostics.errors() == 0) check_stages(r, raw.tdm_switch, out, sw, diagnostics);
  out.unit_where = r.source.given ? r.source.where : raw.board.where;
  out.sink_where = r.sink.given ? r.sink.where : raw.board.where;
  out.shared_where = r.shared.given ? r.shared.where : raw.board.where;
  return out;
}

}  // namespace weft
