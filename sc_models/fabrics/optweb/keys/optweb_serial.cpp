#include "fabrics/optweb/keys/optweb_serial.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>

#include "algorithms/optweb/link_fifo.h"
#include "algorithms/optweb/word_rate.h"
#include "base/units.h"
#include "network/keys/network_schema.h"

namespace weft {
namespace {

constexpr Rate kSlowestSerial{1'000'000'000};
constexpr std::int64_t kWhole = 10'000;  // of an efficiency
constexpr std::uint32_t kDeepestFifo = 65'536;
constexpr std::uint32_t kMostStages = 8;

// Unlike a clock of the simulation it need not have a period of whole picoseconds.
Type<Frequency> frequency_type() {
  TypeInfo info = clock_type().info;
  info.range = "1Hz to 1000GHz";
  return {std::move(info),
          [](const YamlNode& node, const std::string& path, Diagnostics& diagnostics) -> std::optional<Frequency> {
            const std::optional<std::string> text = read_scalar(node, path, "a frequency", diagnostics);
            if (!text) return std::nullopt;
            Parsed<Frequency> parsed = parse_frequency(*text);
            if (!parsed.value) diagnostics.error(node.where, fmt::format("{}: {}", path, parsed.error));
            return parsed.value;
          }};
}

}  // namespace

Section<RawOptwebSerial> serial_section() {
  Section<RawOptwebSerial> s("serial",
                             "Clock and encoding of the serial-link IPs. A link has a payload of clock * bits * "
                             "efficiency, and a run of words begins at an edge of the clock of its IP.");
  s.key("clock", &RawOptwebSerial::clock, frequency_type(), by_default("355MHz"), "Clock of the IP.");
  s.key("bits", &RawOptwebSerial::bits, whole<std::uint32_t>(1, 8192), by_default("128"),
        "Bits that it takes in a cycle: 64 for each lane.");
  s.key("efficiency", &RawOptwebSerial::efficiency, decimal_type(4, 1, 10'000), by_default("1"),
        "Payload among them. 1: coding and frames are in the clock already, as 355 MHz are 25 Gb/s / 1.1 / 64.");
  s.key("ecc", &RawOptwebSerial::ecc, cycle_span_type(0), by_default("0cycles"),
        "Latency of error correction, both ends together, besides that of 'ip'.");
  s.key("phase", &RawOptwebSerial::phase, choice<OptwebPhase>(), by_default("aligned"),
        "First edge of the clocks of the IPs: aligned: at 0; random: of each sending end anywhere in the first period, "
        "by the seed.");
  s.key("fifo", &RawOptwebSerial::fifo, whole<std::uint32_t>(1, kDeepestFifo),
        optional("readers hand words over as they leave"),
        "Words that fit into the dual-clock FIFO between a node's clock and that of its IP, in each direction. Readers "
        "run ahead of the link until it is full; one of few words, less than its pointers need to go round, slows the "
        "link down.");
  s.key("synchronizer", &RawOptwebSerial::synchronizer, whole<std::uint32_t>(1, kMostStages), by_default("2"),
        "Registers through which a pointer of the FIFO comes to the other clock. With 'fifo'.");
  return s;
}

namespace {

// A FIFO that is too shallow for the payload slows the link down.
void resolve_fifo(const RawOptwebSerial& s, Rate payload, Frequency clock, std::int64_t word_bits,
                  OptwebLinkConfig& out, Diagnostics& diagnostics) {
  warn_unused(s.synchronizer, s.fifo.given, "link.serial.synchronizer has no effect without 'fifo'", diagnostics);
  if (!s.fifo.given || !s.fifo.valid || !s.synchronizer.valid) return;
  out.serial->fifo = {s.fifo.value, s.synchronizer.value};
  const optweb::LinkFifoClocks clocks{clock, s.clock.value, word_bits, payload};
  out.rate = optweb::fifo_rate(out.serial->fifo, clocks);
  if (out.rate < kSlowestSerial) {
    diagnostics.error(s.fifo.where, fmt::format("link.serial.fifo: {} words pass {}, less than {}", s.fifo.value,
                                                to_string(out.rate), to_string(kSlowestSerial)));
  } else if (out.rate < payload) {
    diagnostics.warning(
        s.fifo.where,
        fmt::format(
            "link.serial.fifo: {} words pass {:.4g} of the {:.4g} Gb/s of the payload; it takes {} for all of it",
            s.fifo.value, static_cast<double>(out.rate.bits_per_s) / 1e9, static_cast<double>(payload.bits_per_s) / 1e9,
            optweb::full_rate_depth(s.synchronizer.value, clocks)));
  }
}

}  // namespace

void resolve_serial(const Given<RawOptwebSerial>& serial, const Given<Rate>& rate, Frequency clock,
                    std::int64_t word_bits, OptwebLinkConfig& out, Diagnostics& diagnostics) {
  const Rate bus{word_bits * clock.hz};
  const RawOptwebSerial& s = serial.value;
  if (!serial.valid || !s.clock.valid || !s.bits.valid || !s.efficiency.valid || !s.phase.valid) return;
  out.serial = OptwebSerial{s.clock.value, s.bits.value, s.efficiency.value, s.phase.value, {}};
  const auto exact = static_cast<optweb::WideInteger>(s.clock.value.hz) * s.bits.value *
                     static_cast<std::int64_t>(s.efficiency.value) / kWhole;
  const Rate payload{static_cast<std::int64_t>(exact)};
  const std::string text = fmt::format("the payload of {} * {} bits * {} is {}", to_string(s.clock.value), s.bits.value,
                                       static_cast<double>(s.efficiency.value) / kWhole, to_string(payload));
  if (rate.given) {
    diagnostics.error(rate.key_where,
                      fmt::format("link.rate: follows from link.serial, where {}; only one of both", text));
  } else if (payload > bus) {
    diagnostics.error(serial.key_where,
                      fmt::format("link.serial: {}, more than a word per cycle ({}); fewer bits or a lower efficiency",
                                  text, to_string(bus)));
  } else if (payload < kSlowestSerial) {
    diagnostics.error(serial.key_where, fmt::format("link.serial: {}, less than {}", text, to_string(kSlowestSerial)));
  } else {
    out.rate = payload;
    resolve_fifo(s, payload, clock, word_bits, out, diagnostics);
  }
}

}  // namespace weft
