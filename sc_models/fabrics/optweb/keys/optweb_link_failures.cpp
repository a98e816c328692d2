#include "fabrics/optweb/keys/optweb_link_failures.h"

#include <fmt/format.h>

#include "network/keys/fault_schema.h"

namespace weft {

std::vector<optweb::NodePair> link_places(const std::string& name, const PortRange& place, const Graph& graph,
                                          Diagnostics& diagnostics) {
  const auto refuse = [&](const std::string& why) {
    diagnostics.error(place.where, fmt::format("{}.at: {}", name, why));
  };
  std::vector<optweb::NodePair> out;
  if (place.nic) {
    refuse(
        "the nodes of this network have no NICs, their links lead from one to another: 'sw[1]-sw[2]' between nodes 1 "
        "and 2, 'sw[1]' for all of node 1");
  } else if (const std::string problem = range_problem(place, graph); !problem.empty()) {
    refuse(problem);
  } else {
    out = optweb::links_at(place, graph);
    if (out.empty()) refuse("there is no link to another node");
  }
  return out;
}

void resolve_link_failures(const RawOptweb& raw, OptwebConfig& out, Diagnostics& diagnostics) {
  const RawOptwebLink& link = raw.link.value;
  out.faults = resolve_faults(raw.faults, out.period, diagnostics);
  if (out.neighbours && !out.faults.empty()) {
    const Graph graph = optweb::network_graph(out.levels);
    std::string before;  // of those that come again the place is the same
    for (const FaultConfig& f : out.faults) {
      if (f.name != before) link_places(f.name, f.place, graph, diagnostics);
      before = f.name;
    }
  }
  const bool fails = raw.faults.given && !raw.faults.value.empty();
  if (!has_traffic(raw)) out.link.detour = link.detour.value;
  warn_unused(link.detour, fails && !has_traffic(raw), "link.detour has no effect without faults, or with traffic",
              diagnostics);
  warn_unused(link.timeout, fails, "link.timeout has no effect without faults", diagnostics);
  warn_unused(link.frame, fails || link.errors.given, "link.frame has no effect without faults or link.errors",
              diagnostics);
  warn_unused(link.turnaround, link.errors.given, "link.turnaround has no effect without link.errors", diagnostics);
  const std::uint64_t bytes = static_cast<std::uint64_t>(link.frame.value.bits) / 8;
  if (!link.frame.given && !fails && !link.errors.given) return;  // the default need not fit
  if (link.frame.valid && (link.frame.value.bits % 8 != 0 || bytes % out.word_bytes != 0)) {
    diagnostics.error(link.frame.given ? link.frame.where : raw.word.where,
                      fmt::format("link.frame: expected whole words of {} bytes, got '{}'", out.word_bytes,
                                  to_string(link.frame.value)));
    return;
  }
  out.link.frame = bytes / out.word_bytes;
  out.link.turnaround = link.turnaround.value.cycles(out.period);
  if (link.timeout.given && link.timeout.valid) out.link.timeout = link.timeout.value.cycles(out.period);
  if (link.errors.given) resolve_errors(link.errors, out.word_bytes, out.link, diagnostics);
}

}  // namespace weft
