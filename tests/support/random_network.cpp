#include "support/random_network.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <vector>

#include "base/random.h"
#include "run/tdm/tdm_family.h"
#include "run/tdm/tdm_platform.h"

namespace weft::test {
namespace {

class NetworkGenerator {
 public:
  NetworkGenerator(std::uint64_t seed, const RandomNetworkOptions& options)
      : random_(seed, "random network"), options_(options), seed_(seed) {}

  std::string text() {
    for (;;) {
      head();
      const auto nodes = node_count();
      if (nodes < 2) continue;
      const std::uint64_t phases = chance(0.5) ? 1 : 1 + below(options_.most_phases);
      phases_.clear();
      for (std::uint64_t p = 0; p < phases; ++p) {
        phases_.push_back({});
        const std::uint64_t wanted = 1 + below(6);
        for (std::uint64_t f = 0; f < wanted; ++f) {
          phases_.back().push_back(flow(nodes, f));
          if (!valid()) phases_.back().pop_back();  // no slots left, or two trees of the flow share a link
        }
      }
      phases_.erase(std::remove_if(phases_.begin(), phases_.end(), [](const auto& p) { return p.empty(); }),
                    phases_.end());
      if (!phases_.empty()) return assemble();
    }
  }

 private:
  std::uint64_t below(std::uint64_t n) { return random_.below(n); }
  bool chance(double p) { return random_.uniform() < p; }
  template <class T>
  T pick(const std::vector<T>& from) {
    return from[below(from.size())];
  }

  std::string topology() {
    switch (below(5)) {
      case 0:
        return fmt::format("{{ kind: mesh, dims: [{}, {}]{}{} }}", 1 + below(4), 2 + below(3), trunk(), node_links());
      case 1:
        return fmt::format("{{ kind: torus, dims: [{}, {}]{}{} }}", 2 + below(3), 2 + below(3), trunk(), node_links());
      case 2:
        return fmt::format("{{ kind: tree, arity: {}, levels: {} }}", 2 + below(2), 1 + below(2));
      case 3:
        return fmt::format("{{ kind: full_mesh, switches: {} }}", 2 + below(5));
      default:
        return fmt::format(
            "{{ kind: dragonfly, groups: 3, routers_per_group: 2, nodes_per_router: {}, global_links: {} }}",
            1 + below(2), 1 + below(2));
    }
  }

  // Needs slots of bundles together.
  bool has_node_links() const { return seed_ % 4 == 1; }
  std::string node_links() const { return has_node_links() ? fmt::format(", node_links: {}", 2 + seed_ / 4 % 2) : ""; }
  std::string trunk() { return chance(0.5) ? "" : fmt::format(", trunk: {}", 2 + below(2)); }

  void head() {
    slots_ = static_cast<std::uint32_t>(2 + below(15));
    head_ = fmt::format("fabric: tdm\nseed: {}\ntopology: {}\n", seed_, topology());
    head_ += fmt::format(
        "switch: {{ slots: {}, pipeline: {}cycles, serdes: {}cycles, reconfiguration: {}cycles, "
        "clock: {}{} }}\n",
        slots_, chance(0.3) ? 0 : below(21), chance(0.3) ? 0 : below(21), 1 + below(3),
        chance(0.7) ? "100MHz" : "250MHz", implementations());
    head_ += fmt::format("slots: {{ allocator: {}, slot_update: {}, bundles: {}, search_iterations: 2000 }}\n",
                         pick<std::string>({"first_fit", "longest_first", "dsatur", "search"}), chance(0.5),
                         chance(0.8) || has_node_links() ? "together" : "apart");
    head_ +=
        fmt::format("setup: {{ mode: {}, processing: {}cycles }}\n", chance(0.5) ? "central" : "preset", 1 + below(4));
    head_ += fmt::format("run: {{ warm_up: {}ns, measure: {}ns }}\n", 10 * below(20), 100 + 10 * below(400));
  }

  std::string implementations() {
    if (!options_.rtl || chance(0.6)) return "";
    const std::vector<std::string> all{"model", "rtl", "lockstep"};
    std::string out =
        fmt::format(", data_path: {{ implementation: {} }}, slot_lut: {{ implementation: {} }}", pick(all), pick(all));
    if (chance(0.5)) {
      out += fmt::format(
          ", instances: {{ 'sw[0]': {{ data_path: {{ implementation: {} }} }}, "
          "'sw[1]': {{ slot_lut: {{ implementation: {} }}, data_path: {{ implementation: {} }} }} }}",
          pick(all), pick(all), pick(all));
    }
    return out;
  }

  std::string flow(std::uint32_t nodes, std::uint64_t index) {
    const std::uint64_t m = chance(0.4) ? 1 + below(std::min<std::uint64_t>(4, slots_)) : 1;
    std::string out =
        fmt::format("{{ flow: f{}, slots: {}, message: {}b, ", index, m, 340 * (1 + below(chance(0.2) ? 40 : 9)));
    const auto source = below(nodes);
    if (chance(0.5) || nodes < 3) {
      return out + fmt::format("source: {}, destination: {} }}", source, (source + 1 + below(nodes - 1)) % nodes);
    }
    std::vector<std::uint64_t> others;
    for (std::uint64_t n = 0; n < nodes; ++n) {
      if (n != source) others.push_back(n);
    }
    for (std::size_t i = others.size(); i > 1; --i) std::swap(others[i - 1], others[below(i)]);
    if (chance(0.7)) {
      others.resize(1 + below(std::min<std::size_t>(others.size(), 4)));
      return out + fmt::format("source: {}, destinations: [{}] }}", source, fmt::join(others, ", "));
    }
    return out + fmt::format("pairs: [[{}, {}], [{}, {}]] }}", source, others[0], others[1],
                             others.size() > 2 ? others[2] : source);
  }

  std::string sources() {
    switch (below(3)) {
      case 0:
        return chance(0.7) ? fmt::format("{{ arrivals: saturated, messages: {} }}", 1 + below(8))
                           : "{ arrivals: saturated }";
      case 1:
        return fmt::format("{{ arrivals: periodic, interval: {}ns, messages: {} }}", 1 + below(1500), 1 + below(10));
      default:
        return fmt::format("{{ arrivals: poisson, interval: {}ns{} }}", 50 + below(1500),
                           chance(0.5) ? fmt::format(", messages: {}", 1 + below(10)) : "");
    }
  }

  std::string assemble() {
    std::string out = head_;
    if (phases_.size() == 1 && chance(0.5)) {
      out += fmt::format("sources: {}\ncircuits:\n", sources());
      for (const std::string& f : phases_[0]) out += "  - " + f + "\n";
      return out;
    }
    out += "phases:\n";
    for (std::size_t p = 0; p < phases_.size(); ++p) {
      out += fmt::format("  - name: p{}\n    sources: {}\n    circuits:\n", p, sources());
      for (const std::string& f : phases_[p]) out += "      - " + f + "\n";
    }
    return out;
  }

  bool valid() {
    std::string text = head_ + "sources: { messages: 1 }\ncircuits:\n";
    for (const std::string& f : phases_.back()) text += "  - " + f + "\n";
    return builds(text) != 0;
  }

  std::uint32_t node_count() { return builds(head_ + "circuits:\n  - { source: 0, destination: 1 }\n"); }

  // Number of nodes, 0 when the configuration is refused.
  static std::uint32_t builds(const std::string& text) {
    try {
      Diagnostics diagnostics;
      const TdmConfig config = parse_tdm_config(text, "random.yaml", ".", {}, diagnostics);
      return TdmPlatform(config).graph().nodes();
    } catch (const InputError&) {
      return 0;
    }
  }

  RandomStream random_;
  RandomNetworkOptions options_;
  std::uint64_t seed_;
  std::uint32_t slots_ = 2;
  std::string head_;
  std::vector<std::vector<std::string>> phases_;  // flows of each phase
};

}  // namespace

std::string random_network(std::uint64_t seed, const RandomNetworkOptions& options) {
  return NetworkGenerator(seed, options).text();
}

}  // namespace weft::test
