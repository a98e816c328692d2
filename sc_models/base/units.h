#pragma once
// Physical quantities as exact integers, and the text form they have in configuration files.
//
// A frequency is whole hertz, a duration whole picoseconds, a data size whole bits, a rate whole bits per second.
// Parsing is decimal arithmetic, never floating point: "12.5GB/s" is exactly 100,000,000,000 bit/s, and a value that
// is not a whole number of its base unit is an error. A bare number is an error where a unit belongs.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace weft {

/// Number of clock cycles, or a point in time counted in cycles since the start of the run.
using Cycle = std::int64_t;

struct Frequency {
  std::int64_t hz = 0;
  auto operator<=>(const Frequency&) const = default;
};
struct Duration {
  std::int64_t ps = 0;
  auto operator<=>(const Duration&) const = default;
};
struct DataSize {
  std::int64_t bits = 0;
  auto operator<=>(const DataSize&) const = default;
};
struct Rate {
  std::int64_t bits_per_s = 0;
  auto operator<=>(const Rate&) const = default;
};

/// A span of time written either as a duration ("20ns") or as a number of cycles ("2cycles").
/// Durations become cycles by rounding up to the next whole cycle; this is the project's one rounding rule for time.
struct CycleSpan {
  bool in_cycles = true;
  std::int64_t value = 0;  ///< cycles if in_cycles, else picoseconds
  Cycle cycles(Duration period) const;
  auto operator<=>(const CycleSpan&) const = default;
};

/// Either a value or the reason why the text is not one.
template <class T>
struct Parsed {
  std::optional<T> value;
  std::string error;  ///< empty when value is set; says what was expected
};

Parsed<Frequency> parse_frequency(std::string_view text);   ///< Hz, kHz, MHz, GHz
Parsed<Duration> parse_duration(std::string_view text);     ///< ps, ns, us, ms, s
Parsed<CycleSpan> parse_cycle_span(std::string_view text);  ///< a duration, or "cycle"/"cycles"
Parsed<DataSize> parse_data_size(std::string_view text);    ///< b, kb, Mb, Gb (bits); B, kB, KiB, MB, MiB, GB, GiB
Parsed<Rate> parse_rate(std::string_view text);  ///< b/s, kb/s, Mb/s, Gb/s, Tb/s, B/s, kB/s, MB/s, GB/s, bps to Tbps

/// Period of a clock in whole picoseconds; an error names the two nearest frequencies that have one.
Parsed<Duration> period_of(Frequency clock);

/// Shortest exact text of a quantity, with the largest unit that leaves a short decimal: "100MHz", "12.5ns".
std::string to_string(Frequency);
std::string to_string(Duration);
/// Time that so much data take; nothing when that is no whole number of picoseconds, or above 2^63 of them.
std::optional<Duration> transfer_time(DataSize size, Rate rate);

std::string to_string(DataSize);
std::string to_string(Rate);
std::string to_string(CycleSpan);

}  // namespace weft
