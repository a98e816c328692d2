#include "base/units.h"

#include <fmt/format.h>

#include <array>
#include <limits>
#include <span>

namespace weft {
namespace {

__extension__ using Wide = __int128;  // products of two 64-bit values

struct Unit {
  std::string_view name;
  std::int64_t scale;  // base units in one of it
};

constexpr std::array kFrequency{Unit{"Hz", 1}, Unit{"kHz", 1'000}, Unit{"MHz", 1'000'000}, Unit{"GHz", 1'000'000'000}};
constexpr std::array kDuration{Unit{"ps", 1}, Unit{"ns", 1'000}, Unit{"us", 1'000'000}, Unit{"ms", 1'000'000'000},
                               Unit{"s", 1'000'000'000'000}};
constexpr std::array kDataSize{Unit{"b", 1},
                               Unit{"kb", 1'000},
                               Unit{"Mb", 1'000'000},
                               Unit{"Gb", 1'000'000'000},
                               Unit{"B", 8},
                               Unit{"kB", 8'000},
                               Unit{"KiB", 8LL * 1024},
                               Unit{"MB", 8'000'000},
                               Unit{"MiB", 8LL * 1024 * 1024},
                               Unit{"GB", 8'000'000'000},
                               Unit{"GiB", 8LL * 1024 * 1024 * 1024}};
constexpr std::array kRate{Unit{"b/s", 1},
                           Unit{"kb/s", 1'000},
                           Unit{"Mb/s", 1'000'000},
                           Unit{"Gb/s", 1'000'000'000},
                           Unit{"Tb/s", 1'000'000'000'000},
                           Unit{"B/s", 8},
                           Unit{"kB/s", 8'000},
                           Unit{"MB/s", 8'000'000},
                           Unit{"GB/s", 8'000'000'000},
                           Unit{"bps", 1},
                           Unit{"kbps", 1'000},
                           Unit{"Mbps", 1'000'000},
                           Unit{"Gbps", 1'000'000'000},
                           Unit{"Tbps", 1'000'000'000'000}};

std::string unit_list(std::span<const Unit> units) {
  std::string out;
  for (const Unit& u : units) out += (out.empty() ? "" : ", ") + std::string(u.name);
  return out;
}

std::string_view trim(std::string_view t) {
  while (!t.empty() && (t.front() == ' ' || t.front() == '\t')) t.remove_prefix(1);
  while (!t.empty() && (t.back() == ' ' || t.back() == '\t')) t.remove_suffix(1);
  return t;
}

// digits[.digits] unit -> exact number of base units
Parsed<std::int64_t> parse_quantity(std::string_view text, std::span<const Unit> units, std::string_view what,
                                    std::string_view example) {
  const auto fail = [&](const std::string& why) {
    return Parsed<std::int64_t>{
        {}, fmt::format("'{}' is not a {}: {} (units: {}; example: {})", text, what, why, unit_list(units), example)};
  };
  std::string_view rest = trim(text);
  if (!rest.empty() && rest.front() == '-') return fail("it must not be negative");
  Wide mantissa = 0;
  std::int64_t denominator = 1;
  bool digits = false;
  bool fraction = false;
  std::size_t pos = 0;
  for (; pos < rest.size(); ++pos) {
    const char c = rest[pos];
    if (c == '.' && !fraction) {
      fraction = true;
    } else if (c >= '0' && c <= '9') {
      digits = true;
      mantissa = mantissa * 10 + (c - '0');
      if (fraction) denominator *= 10;
      if (mantissa > std::numeric_limits<std::int64_t>::max() || denominator > 1'000'000'000'000'000) {
        return fail("it has too many digits");
      }
    } else {
      break;
    }
  }
  if (!digits) return fail("it must begin with a number");
  const std::string_view unit_text = trim(rest.substr(pos));
  if (unit_text.empty()) return fail("the unit is missing");
  for (const Unit& u : units) {
    if (u.name != unit_text) continue;
    const Wide scaled = mantissa * u.scale;
    if (scaled % denominator != 0) return fail(fmt::format("it is not a whole number of {}", units.front().name));
    const Wide value = scaled / denominator;
    if (value > std::numeric_limits<std::int64_t>::max()) return fail("it is too large");
    return {static_cast<std::int64_t>(value), {}};
  }
  return fail(fmt::format("unknown unit '{}'", unit_text));
}

template <class T>
Parsed<T> wrap(Parsed<std::int64_t> p) {
  if (!p.value) return {{}, std::move(p.error)};
  return {T{*p.value}, {}};
}

// Largest unit of the listed ones in which the value has at most three decimals.
std::string shortest(std::int64_t value, std::span<const Unit> units) {
  const Unit* best = &units.front();
  for (const Unit& u : units) {
    if (u.scale > best->scale && value >= u.scale && (static_cast<Wide>(value) * 1000) % u.scale == 0) best = &u;
  }
  const std::int64_t whole = value / best->scale;
  const auto thousandths = static_cast<std::int64_t>((static_cast<Wide>(value % best->scale) * 1000) / best->scale);
  std::string out = std::to_string(whole);
  if (thousandths != 0) {
    std::string f = fmt::format("{:03}", thousandths);
    while (f.back() == '0') f.pop_back();
    out += "." + f;
  }
  return out + std::string(best->name);
}

}  // namespace

Cycle CycleSpan::cycles(Duration period) const { return in_cycles ? value : (value + period.ps - 1) / period.ps; }

Parsed<Frequency> parse_frequency(std::string_view t) {
  return wrap<Frequency>(parse_quantity(t, kFrequency, "frequency", "100MHz"));
}
Parsed<Duration> parse_duration(std::string_view t) {
  return wrap<Duration>(parse_quantity(t, kDuration, "duration", "10ns"));
}
Parsed<DataSize> parse_data_size(std::string_view t) {
  return wrap<DataSize>(parse_quantity(t, kDataSize, "data size", "2KiB"));
}
Parsed<Rate> parse_rate(std::string_view t) { return wrap<Rate>(parse_quantity(t, kRate, "rate", "34Gb/s")); }

Parsed<CycleSpan> parse_cycle_span(std::string_view t) {
  const std::string_view s = trim(t);
  for (const std::string_view suffix : {"cycles", "cycle"}) {
    if (!s.ends_with(suffix)) continue;
    static constexpr std::array kCycles{Unit{"cycle", 1}, Unit{"cycles", 1}};
    auto p = parse_quantity(s, kCycles, "number of cycles", "3cycles");
    if (!p.value) return {{}, std::move(p.error)};
    return {CycleSpan{true, *p.value}, {}};
  }
  auto p = parse_quantity(s, kDuration, "duration or number of cycles", "20ns or 2cycles");
  if (!p.value) return {{}, std::move(p.error)};
  return {CycleSpan{false, *p.value}, {}};
}

Parsed<Duration> period_of(Frequency clock) {
  constexpr std::int64_t kPsPerSecond = 1'000'000'000'000;
  if (clock.hz <= 0) return {{}, "a clock must run faster than 0Hz"};
  if (clock.hz > kPsPerSecond) return {{}, "a clock cannot run faster than 1000GHz"};
  if (kPsPerSecond % clock.hz == 0) return {Duration{kPsPerSecond / clock.hz}, {}};
  std::int64_t below = kPsPerSecond / clock.hz;
  std::int64_t above = below + 1;
  while (below > 1 && kPsPerSecond % below != 0) --below;
  while (kPsPerSecond % above != 0) ++above;
  return {{},
          fmt::format("the period of {} is not a whole number of picoseconds; the nearest that are: {} and {}",
                      to_string(clock), to_string(Frequency{kPsPerSecond / above}),
                      to_string(Frequency{kPsPerSecond / below}))};
}

std::string to_string(Frequency f) { return shortest(f.hz, kFrequency); }
std::string to_string(Duration d) { return shortest(d.ps, kDuration); }
std::optional<Duration> transfer_time(DataSize size, Rate rate) {
  constexpr std::int64_t kPicoseconds = 1'000'000'000'000;
  std::int64_t product = 0;
  if (__builtin_mul_overflow(size.bits, kPicoseconds, &product) || product % rate.bits_per_s != 0) return std::nullopt;
  return Duration{product / rate.bits_per_s};
}

std::string to_string(DataSize s) {
  static constexpr std::array kBits{Unit{"b", 1}};
  static constexpr std::array kBytes{Unit{"B", 8}, Unit{"KiB", 8LL * 1024}, Unit{"MiB", 8LL * 1024 * 1024},
                                     Unit{"GiB", 8LL * 1024 * 1024 * 1024}};
  if (s.bits % 8 != 0) return shortest(s.bits, kBits);
  return shortest(s.bits, kBytes);
}
std::string to_string(Rate r) {
  static constexpr std::array kBits{Unit{"b/s", 1}, Unit{"kb/s", 1'000}, Unit{"Mb/s", 1'000'000},
                                    Unit{"Gb/s", 1'000'000'000}, Unit{"Tb/s", 1'000'000'000'000}};
  return shortest(r.bits_per_s, kBits);
}
std::string to_string(CycleSpan s) {
  if (!s.in_cycles) return to_string(Duration{s.value});
  return fmt::format("{}cycle{}", s.value, s.value == 1 ? "" : "s");
}

}  // namespace weft
