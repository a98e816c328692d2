#include "fabrics/optweb/keys/optweb_serial.h"

#include <fmt/format.h>

#include <optional>
#include <string>
#include <utility>

#include "algorithms/optweb/word_rate.h"
#include "base/units.h"

namespace weft {
namespace {

constexpr Rate kSlowestSerial{1'000'000'000};
constexpr std::int64_t kWhole = 10'000;  // of an efficiency

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
  return s;
}

void resolve_serial(const Given<RawOptwebSerial>& serial, const Given<Rate>& rate, Rate bus, OptwebLinkConfig& out,
                    Diagnostics& diagnostics) {
  const RawOptwebSerial& s = serial.value;
  if (!serial.valid || !s.clock.valid || !s.bits.valid || !s.efficiency.valid || !s.phase.valid) return;
  out.serial = OptwebSerial{s.clock.value, s.bits.value, s.efficiency.value, s.phase.value};
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
  }
}

}  // namespace weft
