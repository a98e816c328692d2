// Traces of messages: CSV with the header time_ns,source,destination,level.

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>
#include <string_view>

#include "base/diagnostics.h"
#include "base/input_file.h"
#include "base/parsed_inputs.h"
#include "base/text.h"
#include "workload/stream_sources.h"

namespace weft {
namespace {

constexpr const char* kHeader = "time_ns,source,destination,level";

// A decimal number of nanoseconds as picoseconds.
std::optional<std::int64_t> picoseconds(const std::string& text) {
  const Parsed<Duration> parsed = parse_duration(text + "ns");
  return parsed.value ? std::optional<std::int64_t>(parsed.value->ps) : std::nullopt;
}

// What a time that cannot be read is not.
std::string expected_time(const std::string& text) {
  const std::size_t whole = std::min(text.find_first_not_of("0123456789"), text.size());
  const std::size_t decimals = whole < text.size() && text[whole] == '.' ? text.size() - whole - 1 : 0;
  const bool number = whole > 0 && decimals <= 3 &&
                      text.find_first_not_of("0123456789", whole + 1) == std::string::npos &&
                      (whole == text.size() || decimals > 0);
  return number ? fmt::format("a time of at most {} ns", std::numeric_limits<std::int64_t>::max() / 1000)
                : "a time in ns with at most 3 decimals";
}

struct Field {
  std::string text;
  int column = 1;
};

// All fields of a line, empty ones included.
std::vector<Field> split(std::string_view line) {
  std::vector<Field> fields;
  std::size_t begin = 0;
  for (std::size_t comma = 0; comma != std::string_view::npos; begin = comma + 1) {
    comma = line.find(',', begin);
    fields.push_back({std::string(line.substr(begin, comma == std::string_view::npos ? comma : comma - begin)),
                      static_cast<int>(begin) + 1});
  }
  return fields;
}

std::optional<std::uint32_t> number_below(const std::string& text, std::size_t limit) {
  std::uint32_t n = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, n);
  return error == std::errc() && stop == end && n < limit ? std::optional(n) : std::nullopt;
}

// By name or by number, as everywhere.
std::optional<std::uint32_t> level(const std::string& text, const std::vector<std::string>& names) {
  const auto found = std::find(names.begin(), names.end(), text);
  if (found != names.end()) return static_cast<std::uint32_t>(found - names.begin());
  return number_below(text, names.size());
}

TraceMessages parse_trace(const TrafficConfig& config, std::uint32_t nodes) {
  LineFile file = open_named(config.trace_where, "trace", [&] { return LineFile(config.trace); });
  TraceMessages out;
  Diagnostics diagnostics;
  std::vector<std::string> names;
  for (const ServiceConfig& l : config.services) names.push_back(l.name);
  std::int64_t last = 0;  // as written: what is out of order within a cycle is, too
  std::string_view line;
  while (file.next(line) && !give_up(diagnostics, {config.trace, file.number()})) {
    const auto error = [&](int column, const std::string& message) {
      diagnostics.error({config.trace, file.number(), column}, message);
    };
    if (file.number() == 1) {
      if (line != kHeader) error(1, fmt::format("expected the header '{}', got '{}'", kHeader, line));
      continue;
    }
    if (line.empty()) continue;
    const std::vector<Field> fields = split(line);
    if (fields.size() != 4) {
      error(fields.size() > 4 ? fields[4].column : static_cast<int>(line.size()) + 1,
            fmt::format("expected 4 fields ({}), got {}", kHeader, fields.size()));
      continue;
    }
    const auto time = picoseconds(fields[0].text);
    const auto source = number_below(fields[1].text, nodes);
    const auto destination = number_below(fields[2].text, nodes);
    const auto sl = level(fields[3].text, names);
    const auto expected = [&](bool ok, const Field& field, const std::string& what, const std::string& hint = {}) {
      if (!ok) error(field.column, fmt::format("expected {}, got '{}'{}", what, field.text, hint));
    };
    expected(time.has_value(), fields[0], expected_time(fields[0].text));
    expected(source.has_value(), fields[1], fmt::format("a source node below {}", nodes));
    expected(destination.has_value(), fields[2], fmt::format("a destination node below {}", nodes));
    expected(sl.has_value(), fields[3], fmt::format("a level (a name, or a number below {})", names.size()),
             did_you_mean(fields[3].text, names));
    if (!time || !source || !destination || !sl) continue;
    if (*time < last) error(1, "the times must not decrease");
    last = *time;
    out.push_back({*time / config.period.ps, *source, *destination, static_cast<ServiceId>(*sl)});
  }
  if (file.number() == 0) diagnostics.error({config.trace, 1, 1}, fmt::format("expected the header '{}'", kHeader));
  diagnostics.throw_if_errors();
  return out;
}

}  // namespace

std::shared_ptr<const TraceMessages> read_trace(const TrafficConfig& config, std::uint32_t nodes) {
  std::string name = fmt::format("{}\n{} nodes, {} ps", config.trace, nodes, config.period.ps);
  for (const ServiceConfig& l : config.services) name += "\n" + l.name;
  return ParsedInputs::once<TraceMessages>(name, [&] { return parse_trace(config, nodes); });
}

}  // namespace weft
