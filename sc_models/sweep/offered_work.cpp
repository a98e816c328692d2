#include "sweep/offered_work.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <string_view>

#include "base/units.h"

namespace weft {
namespace {

const YamlNode* child(const YamlNode* node, std::string_view key) {
  if (node == nullptr || node->kind != YamlNode::Kind::map) return nullptr;
  const YamlEntry* entry = node->find(key);
  return entry == nullptr ? nullptr : &entry->value;
}

std::optional<double> plain_number(const YamlNode* node) {
  if (node == nullptr || node->kind != YamlNode::Kind::scalar) return std::nullopt;
  double value = 0;
  const char* const end = node->text.data() + node->text.size();
  const auto [stop, error] = std::from_chars(node->text.data(), end, value);
  return error == std::errc() && stop == end && value > 0 ? std::optional(value) : std::nullopt;
}

// In picoseconds; a cycle counts as one nanosecond, which is the same for all points of nearly every sweep.
std::optional<double> time_span(const YamlNode* node) {
  if (node == nullptr || node->kind != YamlNode::Kind::scalar) return std::nullopt;
  const auto span = parse_cycle_span(node->text).value;
  if (!span || span->value <= 0) return std::nullopt;
  return static_cast<double>(span->value) * (span->in_cycles ? 1000 : 1);
}

double nodes(const YamlNode& root) {
  const YamlNode* topology = child(&root, "topology");
  double out = plain_number(child(&root, "nodes")).value_or(1);
  if (const YamlNode* dims = child(topology, "dims"); dims != nullptr && dims->kind == YamlNode::Kind::sequence) {
    for (const YamlEntry& e : dims->entries) out *= plain_number(&e.value).value_or(1);
  }
  const auto levels = plain_number(child(topology, "levels"));
  out *= std::pow(plain_number(child(topology, "arity")).value_or(1), std::min(levels.value_or(1), 16.0));
  for (const char* key : {"groups", "routers", "switches", "nodes_per_switch", "nodes_per_router"}) {
    out *= plain_number(child(topology, key)).value_or(1);
  }
  return out;
}

// A stream by its load, or by the messages that it sends in a unit of time.
std::optional<double> stream_load(const YamlNode& stream) {
  if (const auto load = plain_number(child(&stream, "load"))) return load;
  const auto interval = time_span(child(&stream, "interval"));
  if (!interval) return std::nullopt;
  const YamlNode* message = child(&stream, "message");
  const auto size = message == nullptr ? std::nullopt : parse_data_size(message->text).value;
  return (size ? static_cast<double>(size->bits) : 1.0) / *interval;
}

double offered_load(const YamlNode& root) {
  std::optional<double> out;
  const auto add = [&](const YamlNode& stream) {
    if (const auto load = stream_load(stream)) out = out.value_or(0) + *load;
  };
  if (const YamlNode* sources = child(&root, "sources"); sources != nullptr) add(*sources);
  if (const YamlNode* traffic = child(&root, "traffic"); traffic != nullptr) {
    for (const YamlEntry& e : traffic->entries) add(e.value);
  }
  return out.value_or(1);
}

double simulated_time(const YamlNode& root) {
  const YamlNode* run = child(&root, "run");
  const double window = time_span(child(run, "warm_up")).value_or(0) + time_span(child(run, "measure")).value_or(0);
  return window > 0 ? window : 1;
}

}  // namespace

double offered_work(const YamlNode& root) { return nodes(root) * offered_load(root) * simulated_time(root); }

}  // namespace weft
