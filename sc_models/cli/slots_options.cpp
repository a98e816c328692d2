#include "cli/study_options.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/text.h"
#include "cli/option_checks.h"
#include "network/patterns.h"
#include "schema/schema_types.h"
#include "studies/slots/pattern_slots.h"

namespace weft::cli {
namespace {

constexpr std::uint32_t kMostSeeds = 1'000'000;
constexpr std::uint64_t kMostIterations = 1'000'000'000;
constexpr std::uint32_t kTable1Seeds = 200;

bool is_fixed_pattern(const std::string& name) {
  const std::vector<std::string>& names = pattern_names();
  return std::find(names.begin(), names.end(), name) != names.end() && !is_random_pattern(name);
}

void read_pattern(const SlotsArguments& a, SlotsRequest& out, Diagnostics& diagnostics) {
  out.pattern = a.pattern;
  out.pattern_where = option_at("--pattern", a.pattern);
  const std::vector<std::string>& names = pattern_names();
  if (a.pattern.empty()) {
    diagnostics.error({"command line"}, "expected --pattern");
  } else if (std::find(names.begin(), names.end(), a.pattern) == names.end()) {
    diagnostics.error(out.pattern_where, fmt::format("unknown pattern '{}' (expected one of: {}){}", a.pattern,
                                                     fmt::join(names, ", "), did_you_mean(a.pattern, names)));
  } else if (!a.seeds.empty() && is_fixed_pattern(a.pattern)) {
    diagnostics.error(option_at("--seeds", a.seeds),
                      fmt::format("pattern '{}' is not random; only uniform and neighbor are", a.pattern));
  }
}

std::vector<const Allocator*> read_allocators(const std::string& text, Diagnostics& diagnostics) {
  if (text.empty() || text == "all") return slot_allocators().list();
  const Location where = option_at("--allocator", text);
  std::vector<std::string> words;
  for (const Allocator* a : slot_allocators()) words.emplace_back(a->name);
  const auto list =
      list_of(word_choice_type(words), 1, words.size()).read(list_node(text, where), "allocator", diagnostics);
  std::vector<const Allocator*> out;
  if (!list) return out;
  for (const auto& index : *list) {
    const Allocator* a = slot_allocators().list()[index.value];
    if (std::find(out.begin(), out.end(), a) != out.end()) {
      diagnostics.error(where, fmt::format("allocator '{}' is named twice", a->name));
    }
    out.push_back(a);
  }
  return out;
}

// Keeps `value` when the option is not given.
template <class T>
void read_number(const std::string& name, const std::string& text, std::uint64_t min, std::uint64_t max, T& value,
                 Diagnostics& diagnostics) {
  if (text.empty()) return;
  const auto read = whole<T>(min, max).read(scalar_node(text, option_at("--" + name, text)), name, diagnostics);
  value = read.value_or(value);
}

void refuse_network(const SlotsArguments& a, Diagnostics& diagnostics) {
  std::vector<GivenOption> refused = given_options(a.network);
  if (!a.pattern.empty()) refused.push_back({"--pattern", a.pattern});
  for (const GivenOption& o : refused) {
    diagnostics.error(option_at(o.option, o.text), "--table1 has networks and patterns of its own");
  }
}

}  // namespace

SlotsRequest read_slots_request(const SlotsArguments& a) {
  SlotsRequest out;
  Diagnostics diagnostics;
  out.table1 = a.table1;
  if (a.table1) {
    refuse_network(a, diagnostics);
    out.seeds = kTable1Seeds;
  } else {
    const NetworkConfig network = read_network(a.network, diagnostics);
    out.topology = network.topology;
    out.routing = network.routing;
    read_pattern(a, out, diagnostics);
  }
  out.allocators = read_allocators(a.allocator, diagnostics);
  read_number("seed", a.seed, 0, std::numeric_limits<std::uint32_t>::max(), out.seed, diagnostics);
  read_number("seeds", a.seeds, 1, kMostSeeds, out.seeds, diagnostics);
  read_number("search-iterations", a.search_iterations, 1, kMostIterations, out.search_iterations, diagnostics);
  const bool searches = std::any_of(out.allocators.begin(), out.allocators.end(),
                                    [](const Allocator* allocator) { return allocator->searches; });
  if (!a.seed.empty() && !a.table1 && !searches && !out.allocators.empty() && is_fixed_pattern(a.pattern)) {
    diagnostics.error(option_at("--seed", a.seed),
                      fmt::format("pattern '{}' is not random, and no allocator is that searches", a.pattern));
  }
  if (!a.search_iterations.empty() && !out.allocators.empty() && !searches) {
    diagnostics.error(option_at("--search-iterations", a.search_iterations), "needs allocator search");
  }
  diagnostics.throw_if_errors();
  return out;
}

}  // namespace weft::cli
