// Traces of messages: CSV with the header time_ns,source,destination,level.

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <sstream>

#include "base/files.h"
#include "base/text.h"
#include "traffic/packet_sources.h"

namespace weft {
namespace {

constexpr std::size_t kMostErrors = 20;
constexpr const char* kHeader = "time_ns,source,destination,level";

// A decimal number of nanoseconds as picoseconds.
std::optional<std::int64_t> picoseconds(const std::string& text) {
  const Parsed<Duration> parsed = parse_duration(text + "ns");
  return parsed.value ? std::optional<std::int64_t>(parsed.value->ps) : std::nullopt;
}

// All fields of a line, empty ones included.
std::vector<std::string> split(const std::string& line) {
  std::vector<std::string> fields;
  std::size_t begin = 0;
  for (std::size_t comma = line.find(','); comma != std::string::npos; comma = line.find(',', begin)) {
    fields.push_back(line.substr(begin, comma - begin));
    begin = comma + 1;
  }
  fields.push_back(line.substr(begin));
  return fields;
}

std::optional<NodeId> node(const std::string& text, std::uint32_t nodes) {
  NodeId n = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, n);
  return error == std::errc() && stop == end && n < nodes ? std::optional<NodeId>(n) : std::nullopt;
}

}  // namespace

std::vector<TraceMessage> read_trace(const QosConfig& config, std::uint32_t nodes) {
  std::string text;
  try {
    text = read_file(config.trace);
  } catch (const InputError& e) {
    throw InputError(config.trace_where, fmt::format("trace: {}", e.what()));
  }
  std::vector<TraceMessage> out;
  Diagnostics diagnostics;
  std::istringstream in(text);
  std::string line;
  std::vector<std::string> names;
  for (const LevelConfig& l : config.levels) names.push_back(l.name);
  if (text.empty()) diagnostics.error({config.trace, 1}, fmt::format("expected the header '{}'", kHeader));
  for (int number = 1; std::getline(in, line); ++number) {
    if (!line.empty() && line.back() == '\r') line.pop_back();
    const auto error = [&](const std::string& message) { diagnostics.error({config.trace, number}, message); };
    if (diagnostics.errors() >= kMostErrors) {
      error("there are more errors in this file");
      break;
    }
    if (number == 1) {
      if (line != kHeader) error(fmt::format("expected the header '{}', got '{}'", kHeader, line));
      continue;
    }
    if (line.empty()) continue;
    const std::vector<std::string> fields = split(line);
    if (fields.size() != 4) {
      error(fmt::format("expected 4 fields, got {}", fields.size()));
      continue;
    }
    const auto time = picoseconds(fields[0]);
    const auto source = node(fields[1], nodes);
    const auto destination = node(fields[2], nodes);
    const auto level = std::find(names.begin(), names.end(), fields[3]);
    if (!time || *time < 0) error(fmt::format("expected a time in ns, got '{}'", fields[0]));
    if (!source) error(fmt::format("expected a source node below {}, got '{}'", nodes, fields[1]));
    if (!destination) error(fmt::format("expected a destination node below {}, got '{}'", nodes, fields[2]));
    if (level == names.end()) error(fmt::format("unknown level '{}'{}", fields[3], did_you_mean(fields[3], names)));
    if (!time || !source || !destination || level == names.end()) continue;
    TraceMessage m{*time / config.link.period.ps, *source, *destination,
                   static_cast<ServiceLevel>(level - names.begin())};
    if (!out.empty() && m.cycle < out.back().cycle) error("the times must not decrease");
    out.push_back(m);
  }
  diagnostics.throw_if_errors();
  return out;
}

}  // namespace weft
