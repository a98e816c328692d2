// Checks of addresses that need no run.

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "optweb/program.h"

namespace weft::optweb {
namespace {

bool overlap(std::uint64_t a, std::uint64_t b, std::uint64_t a_bytes, std::uint64_t b_bytes) {
  return a < b + b_bytes && b < a + a_bytes;
}

// What is sent and what is received in one instruction of one node must lie apart.
std::string check_overlap(const Step& step, NodeId node) {
  for (const Stream& s : step.streams) {
    for (const Receive& r : step.receives) {
      if (!overlap(s.address, r.address, s.bytes, r.bytes)) continue;
      return fmt::format(
          "on node {} what is sent ({} bytes from {:#x} on) and what is received ({} bytes from {:#x} on) overlap",
          node, s.bytes, s.address, r.bytes, r.address);
    }
  }
  return {};
}

std::string hint(const OptwebConfig& config, const Step& step) {
  if (step.error.find("stripe") != std::string::npos) {
    return fmt::format(" (a stripe, 2K, has {})",
                       to_string(DataSize{static_cast<std::int64_t>(16 * config.interface_bytes)}));
  }
  if (step.error.find("no link") != std::string::npos) {
    return "; two hops are for transfer, and for barrier, broadcast, alltoall, allgather and allreduce among nodes "
           "that have the same places in each group, not by multipath";
  }
  return {};
}

struct Area {
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
  const OptwebInstruction* in = nullptr;
};

bool same_place(const Location& a, const Location& b) {
  return a.line == b.line && a.column == b.column && a.file == b.file;
}

// What one node does with its memory. Data of others that rest there on their way must not lie where its own
// instructions send from or receive to: no fence and no rule of MPI keeps them apart.
class NodeAreas {
 public:
  NodeAreas(NodeId node, bool any) : node_(node), any_(any) {}

  void add(const Step& step, Rest rest, const OptwebInstruction& in) {
    if (!any_) return;
    for (const Stream& s : step.streams) {
      if (!rest.sent) own_.push_back({s.address, s.bytes, &in});
    }
    for (const Receive& r : step.receives) (rest.received ? rests_ : own_).push_back({r.address, r.bytes, &in});
  }

  // One error for each instruction whose data rest.
  void check(Diagnostics& diagnostics, std::vector<const OptwebInstruction*>& reported) {
    const auto lower = [](const Area& a, const Area& b) { return a.address < b.address; };
    std::sort(own_.begin(), own_.end(), lower);
    std::uint64_t longest = 0;
    for (const Area& o : own_) longest = std::max(longest, o.bytes);
    for (const Area& r : rests_) {
      if (std::any_of(reported.begin(), reported.end(),
                      [&](const OptwebInstruction* in) { return same_place(in->where, r.in->where); })) {
        continue;
      }
      const Area first{r.address - std::min(r.address, longest), 0, nullptr};
      for (auto o = std::lower_bound(own_.begin(), own_.end(), first, lower);
           o != own_.end() && o->address < r.address + r.bytes; ++o) {
        if (!overlap(r.address, o->address, r.bytes, o->bytes) || same_place(o->in->where, r.in->where)) continue;
        diagnostics.error(
            r.in->where,
            fmt::format("{}: on node {} data rest on their way ({} bytes at scratch, from {:#x} on) where '{}' ({}) "
                        "sends or receives ({} bytes from {:#x} on); choose another 'scratch'",
                        r.in->name, node_, r.bytes, r.address, o->in->name, o->in->where.text(), o->bytes, o->address));
        reported.push_back(r.in);
        break;
      }
    }
  }

 private:
  NodeId node_;
  bool any_;                 // data of others rest here
  std::vector<Area> rests_;  // where they do
  std::vector<Area> own_;    // sent from, or received to
};

}  // namespace

void check_addresses(const OptwebConfig& config, const MachinePrograms& programs) {
  StripeAddress addresses(geometry_of(config));
  Diagnostics diagnostics;
  std::vector<Line> reported;  // an error of many nodes is one error
  std::vector<const OptwebInstruction*> resting;
  for (NodeId n = 0; n < config.nodes; ++n) {
    const MachineProgram& p = programs.nodes[n];
    // What `measure` has received is never looked at.
    NodeAreas areas(n,
                    !config.measures && std::any_of(p.rests.begin(), p.rests.end(), [](Rest r) { return r.received; }));
    for (std::size_t i = 0; i < p.instructions.size(); ++i) {
      if (std::find(reported.begin(), reported.end(), p.lines[i]) != reported.end()) continue;
      const Step step = expand(p.instructions[i], view_of(config, programs, n), addresses);
      const std::string error = step.error.empty() ? check_overlap(step, n) : step.error;
      const OptwebInstruction& in = instruction_at(config, p.lines[i]);
      if (error.empty()) {
        areas.add(step, p.rests[i], in);
        continue;
      }
      diagnostics.error(in.where, fmt::format("{}: {}{}", in.name, error, hint(config, step)));
      reported.push_back(p.lines[i]);
    }
    areas.check(diagnostics, resting);
  }
  diagnostics.sort();
  diagnostics.throw_if_errors();
}

}  // namespace weft::optweb
