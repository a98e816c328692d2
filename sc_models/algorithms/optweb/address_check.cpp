// Checks of addresses that need no run.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "algorithms/optweb/hops/routes.h"
#include "algorithms/optweb/hops/steps.h"
#include "algorithms/optweb/program.h"

namespace weft::optweb {
namespace {

bool overlap(std::uint64_t a, std::uint64_t b, std::uint64_t a_bytes, std::uint64_t b_bytes) {
  return a < b + b_bytes && b < a + a_bytes;
}

// What is sent and what is received in one instruction of one node must lie apart.
std::string check_overlap(const OptwebConfig& config, const Step& step, StagedEnds staged, NodeId node) {
  for (const Stream& s : step.streams) {
    for (const Receive& r : step.receives) {
      if (!overlap(s.address, r.address, s.bytes, r.bytes)) continue;
      return fmt::format("on node {} {} and {} overlap", node, area_text(config, sent_use(staged), s.bytes, s.address),
                         area_text(config, received_use(staged), r.bytes, r.address));
    }
  }
  return {};
}

std::string hint(const OptwebConfig& config, const Step& step) {
  if (step.error.find("stripe") != std::string::npos) {
    return fmt::format(" (a stripe, 2K, has {})",
                       to_string(DataSize{static_cast<std::int64_t>(16 * config.interface_bytes)}));
  }
  if (step.error.find("no link") == std::string::npos) return {};
  return "; the node between them has an instruction for their data only in a transfer, or in a sendrecv with shift "
         "or between";
}

// A collective of nodes that neither all have links nor are a grid; that every link it would use is there, as those of
// a star are, is not enough.
std::string check_group(const OptwebConfig& config, const ProgramInstruction& in) {
  const Neighbours& neighbours = neighbours_of(config);
  if (!is_collective(in.op) || neighbours.clique(in.group) || step_grid(config, in)) return {};
  for (const NodeId a : in.group) {
    for (const NodeId b : in.group) {
      if (neighbours.hops(a, b) < 2) continue;
      return fmt::format(
          "there is no link between nodes {} and {}; collectives go {} hops among nodes that have the same places in "
          "each of their groups{}",
          a, b, neighbours.levels() > 2 ? "several" : "two", neighbours.levels() > 2 ? ", at every level" : "");
    }
  }
  return {};
}

// What is to take all paths has more than one. (`measure` takes what there is, and its report says so.)
std::string check_paths(const OptwebConfig& config, const ProgramInstruction& in) {
  const std::string only = config.measures ? std::string() : one_way(config, in);
  return only.empty() ? only : only + "; use path: direct";
}

struct Area {
  std::uint64_t address = 0;
  std::uint64_t bytes = 0;
  const ProgramInstruction* in = nullptr;
  bool second = false;  // at scratch2
};

// What one instruction of a program is on one node when it takes several steps: what it sends, what it receives and
// what rests must lie apart over all of them. Data that are received and then sent on are one area.
class StepAreas {
 public:
  explicit StepAreas(const OptwebConfig& config) : config_(config) {}
  void clear() {
    for (std::vector<Area>* areas : {&sends_, &receives_, &rests_, &second_rests_}) areas->clear();
    steps_ = 0;
  }

  void add(const Step& step, StagedEnds staged) {
    for (const Receive& r : step.receives) {
      std::vector<Area>& rests = staged.second ? second_rests_ : rests_;
      (staged.received ? rests : receives_).push_back({r.address, r.bytes});
    }
    for (const Stream& s : step.streams) {
      const auto has_it = [&](const Area& r) {
        return r.address <= s.address && s.address + s.bytes <= r.address + r.bytes;
      };
      if (staged.sent || std::any_of(receives_.begin(), receives_.end(), has_it)) continue;
      sends_.push_back({s.address, s.bytes});
    }
    ++steps_;
  }

  // Empty when all is well.
  std::string check(NodeId node) {
    if (steps_ < 2) return {};
    const auto apart = [&](std::vector<Area>& a, AreaUse a_is, std::vector<Area>& b, AreaUse b_is) {
      const auto pair = meeting(a, b);
      if (!pair) return std::string();
      return fmt::format("on node {} {} and {} overlap", node,
                         area_text(config_, a_is, pair->first.bytes, pair->first.address),
                         area_text(config_, b_is, pair->second.bytes, pair->second.address));
    };
    std::string out = apart(sends_, AreaUse::sent, receives_, AreaUse::received);
    if (out.empty()) out = apart(rests_, AreaUse::rests, second_rests_, AreaUse::rests_second);
    for (const auto& [rests, use] :
         {std::pair(&rests_, AreaUse::rests), std::pair(&second_rests_, AreaUse::rests_second)}) {
      if (out.empty()) out = apart(*rests, use, sends_, AreaUse::sent);
      if (out.empty()) out = apart(*rests, use, receives_, AreaUse::received);
    }
    return out;
  }

 private:
  // An area of `a` and one of `b` that overlap.
  static std::optional<std::pair<Area, Area>> meeting(std::vector<Area>& a, std::vector<Area>& b) {
    const auto lower = [](const Area& x, const Area& y) { return x.address < y.address; };
    std::sort(a.begin(), a.end(), lower);
    std::sort(b.begin(), b.end(), lower);
    for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
      if (overlap(a[i].address, b[j].address, a[i].bytes, b[j].bytes)) return std::pair{a[i], b[j]};
      if (a[i].address + a[i].bytes <= b[j].address) {
        ++i;
      } else {
        ++j;
      }
    }
    return std::nullopt;
  }

  const OptwebConfig& config_;
  std::vector<Area> sends_;
  std::vector<Area> receives_;
  std::vector<Area> rests_;         // at scratch
  std::vector<Area> second_rests_;  // at scratch2
  int steps_ = 0;
};

bool same_place(const Location& a, const Location& b) {
  return a.line == b.line && a.column == b.column && a.file == b.file;
}

// What one node does with its memory. Data of others that rest there on their way must not lie where its own
// instructions send from or receive to: no fence and no rule of MPI keeps them apart.
class NodeAreas {
 public:
  NodeAreas(const OptwebConfig& config, NodeId node, bool any) : config_(config), node_(node), any_(any) {}

  void add(const Step& step, StagedEnds staged, const ProgramInstruction& in) {
    if (!any_) return;
    for (const Stream& s : step.streams) {
      if (!staged.sent) own_.push_back({s.address, s.bytes, &in});
    }
    for (const Receive& r : step.receives)
      (staged.received ? rests_ : own_).push_back({r.address, r.bytes, &in, staged.second});
  }

  // One error for each instruction whose data rest.
  void check(Diagnostics& diagnostics, std::vector<const ProgramInstruction*>& reported) {
    const auto lower = [](const Area& a, const Area& b) { return a.address < b.address; };
    std::sort(own_.begin(), own_.end(), lower);
    std::uint64_t longest = 0;
    for (const Area& o : own_) longest = std::max(longest, o.bytes);
    for (const Area& r : rests_) {
      if (std::any_of(reported.begin(), reported.end(),
                      [&](const ProgramInstruction* in) { return same_place(in->where, r.in->where); })) {
        continue;
      }
      const Area first{r.address - std::min(r.address, longest)};
      for (auto o = std::lower_bound(own_.begin(), own_.end(), first, lower);
           o != own_.end() && o->address < r.address + r.bytes; ++o) {
        if (!overlap(r.address, o->address, r.bytes, o->bytes) || same_place(o->in->where, r.in->where)) continue;
        diagnostics.error(r.in->where,
                          fmt::format("{}: on node {} data rest on their way (at {}, {}) where '{}' ({}) "
                                      "sends or receives ({}); choose another '{}'",
                                      r.in->name, node_, r.second ? "scratch2" : "scratch",
                                      place_text(config_, r.bytes, r.address), o->in->name, o->in->where.text(),
                                      place_text(config_, o->bytes, o->address), r.second ? "scratch2" : "scratch"));
        reported.push_back(r.in);
        break;
      }
    }
  }

 private:
  const OptwebConfig& config_;
  NodeId node_;
  bool any_;                 // data of others rest here
  std::vector<Area> rests_;  // where they do
  std::vector<Area> own_;    // sent from, or received to
};

// The nodes between others that a transfer or a sendrecv with shift needs, and which have no such instruction.
std::string check_between(const OptwebConfig& config, const NodeProgram& program, const ProgramInstruction& in) {
  const Neighbours& neighbours = neighbours_of(config);
  const auto same = [&](const ProgramInstruction& x) {
    return x.op == in.op && x.source == in.source && x.destination == in.destination && x.shift == in.shift &&
           x.group == in.group;
  };
  const auto without = [&](NodeId n) {
    if (std::binary_search(program.nodes.begin(), program.nodes.end(), n)) return std::string();
    for (const NodeProgram& p : config.programs) {
      if (!std::binary_search(p.nodes.begin(), p.nodes.end(), n)) continue;
      if (std::any_of(p.instructions.begin(), p.instructions.end(), same)) return std::string();
    }
    return fmt::format("data pass node {}, which has no such {} in its program", n, to_string(in.op));
  };
  std::string out;
  if (in.op == ProgramOp::transfer && takes_all_paths(config, in)) {
    for (const NodeId n : paths_of(config, in)) {
      if (out.empty() && n != *in.source && n != *in.destination) out = without(n);
    }
    return out;
  }
  for (const LegRound& round : relay_rounds(neighbours, in)) {
    for (const Leg& leg : round) {
      if (out.empty() && leg.rests) out = without(leg.to);
    }
  }
  return out;
}

// Groups and paths, each instruction once; returns those that are wrong.
std::vector<Line> check_instructions(const OptwebConfig& config, Diagnostics& diagnostics) {
  std::vector<Line> out;
  for (std::uint32_t p = 0; p < config.programs.size(); ++p) {
    const std::vector<ProgramInstruction>& instructions = config.programs[p].instructions;
    for (std::uint32_t i = 0; i < instructions.size(); ++i) {
      const ProgramInstruction& in = instructions[i];
      std::string error = check_group(config, in);
      if (error.empty()) error = check_paths(config, in);
      if (error.empty()) error = check_between(config, config.programs[p], in);
      if (error.empty()) continue;
      diagnostics.error(in.where, fmt::format("{}: {}", in.name, error));
      out.push_back({p, i});
    }
  }
  return out;
}

// Instructions in which no node of their program has a part: between nodes of which others are on the way, only
// assembling shows it.
void check_parts(const OptwebConfig& config, const MachinePrograms& programs, Diagnostics& diagnostics) {
  std::vector<std::vector<bool>> used;
  for (const NodeProgram& p : config.programs) used.emplace_back(p.instructions.size(), false);
  for (const MachineProgram& p : programs.nodes) {
    for (const Line& l : p.lines) used[l.program][l.index] = true;
  }
  for (std::size_t p = 0; p < used.size(); ++p) {
    for (std::size_t i = 0; i < used[p].size(); ++i) {
      if (used[p][i]) continue;
      const ProgramInstruction& in = config.programs[p].instructions[i];
      diagnostics.error(in.where,
                        fmt::format("{}: no node of this program takes part in this {}", in.name, to_string(in.op)));
    }
  }
}

class AddressCheck {
 public:
  // `reported`: instructions that are known to be wrong.
  AddressCheck(const OptwebConfig& config, const MachinePrograms& programs, std::vector<Line> reported)
      : config_(config), programs_(programs), addresses_(geometry_of(config)), reported_(std::move(reported)) {}

  void check(NodeId n, Diagnostics& diagnostics) {
    const MachineProgram& p = programs_.nodes[n];
    // What `measure` has received is never looked at.
    NodeAreas areas(config_, n, !config_.measures && std::any_of(p.staged.begin(), p.staged.end(), [](StagedEnds r) {
                      return r.received;
                    }));
    StepAreas steps(config_);
    for (std::size_t i = 0; i < p.instructions.size(); ++i) {
      if (reported(p.lines[i])) continue;
      const Step step = expand(p.instructions[i], view_of(config_, programs_, n), addresses_);
      const ProgramInstruction& in = instruction_at(config_, p.lines[i]);
      std::string error = step.error.empty() ? check_overlap(config_, step, p.staged[i], n) : step.error;
      if (i == 0 || !(p.lines[i] == p.lines[i - 1])) steps.clear();
      if (error.empty()) {
        areas.add(step, p.staged[i], in);
        steps.add(step, p.staged[i]);
        if (i + 1 == p.lines.size() || !(p.lines[i] == p.lines[i + 1])) error = steps.check(n);
      }
      if (error.empty()) continue;
      diagnostics.error(in.where,
                        fmt::format("{}: {}{}{}", in.name, error, hint(config_, step), defaults(p, p.lines[i], error)));
      reported_.push_back(p.lines[i]);
    }
    areas.check(diagnostics, resting_);
  }

 private:
  bool reported(const Line& line) const {
    return std::find(reported_.begin(), reported_.end(), line) != reported_.end();
  }

  // Of what does not fit or overlaps: which of its addresses are where they are when the file does not say it.
  std::string defaults(const MachineProgram& p, const Line& line, const std::string& error) const {
    if (error.find("stripe") == std::string::npos) return {};
    const ProgramInstruction& in = instruction_at(config_, line);
    const std::uint64_t k = config_.interface_bytes;
    bool rests = false;
    bool second = false;
    for (std::size_t i = 0; i < p.lines.size(); ++i) {
      if (!(p.lines[i] == line)) continue;
      rests = rests || p.staged[i].sent || p.staged[i].received;
      second = second || p.staged[i].second;
    }
    const auto at = [](const char* key, const char* place, std::uint64_t address) {
      return fmt::format("'{}' at {} (relative address {:#x})", key, place, address);
    };
    std::vector<std::string> out;
    if (in.receive == k) out.push_back(at("receive", "K", k));
    if (rests && in.receive == k / 2) out.push_back(at("receive", "K/2", k / 2));
    if (rests && in.receive == k / 2 + k / 4) out.push_back(at("receive", "3K/4", k / 2 + k / 4));
    if (rests && in.scratch == k + k / 2) out.push_back(at("scratch", "3K/2", k + k / 2));
    if (second && in.scratch2 == k / 2) out.push_back(at("scratch2", "K/2", k / 2));
    if (out.empty()) return {};
    return fmt::format("; {}, the default{}, can be given", fmt::join(out, out.size() > 2 ? ", " : " and "),
                       out.size() > 1 ? "s" : "");
  }

  const OptwebConfig& config_;
  const MachinePrograms& programs_;
  StripeAddress addresses_;
  std::vector<Line> reported_;  // an error of many nodes is one error
  std::vector<const ProgramInstruction*> resting_;
};

}  // namespace

std::string place_text(const OptwebConfig& config, std::uint64_t bytes, std::uint64_t address) {
  const std::uint64_t stripe = 2 * config.interface_bytes;
  return fmt::format("{} bytes from relative address {:#x} of stripe {} on", bytes, address % stripe, address / stripe);
}

std::string area_text(const OptwebConfig& config, AreaUse use, std::uint64_t bytes, std::uint64_t address) {
  const char* const what = use == AreaUse::rests          ? "what rests at scratch"
                           : use == AreaUse::rests_second ? "what rests at scratch2"
                           : use == AreaUse::sent         ? "what is sent"
                                                          : "what is received";
  return fmt::format("{} ({})", what, place_text(config, bytes, address));
}

std::string one_way(const OptwebConfig& config, const ProgramInstruction& in) {
  if (in.path != ProgramPath::multipath || takes_all_paths(config, in)) return {};
  const bool single = in.op == ProgramOp::transfer;
  if (!single && in.group.size() != 2) return "there are no routes between the nodes of this group, it has one";
  if (single && neighbours_of(config).hops(*in.source, *in.destination) > 2) {
    return fmt::format("no route of two hops leads from {} to {}", *in.source, *in.destination);
  }
  return fmt::format("there is only one route between {} and {} in this group", single ? *in.source : in.group[0],
                     single ? *in.destination : in.group[1]);
}

void warn_unused_scratch(const OptwebConfig& config, const MachinePrograms& programs, Diagnostics& diagnostics) {
  std::vector<std::vector<StagedEnds>> rests;  // of each instruction, over all nodes
  for (const NodeProgram& p : config.programs) rests.emplace_back(p.instructions.size());
  for (const MachineProgram& p : programs.nodes) {
    for (std::size_t i = 0; i < p.lines.size(); ++i) {
      StagedEnds& r = rests[p.lines[i].program][p.lines[i].index];
      r.received = r.received || p.staged[i].sent || p.staged[i].received;
      r.second = r.second || p.staged[i].second;
    }
  }
  std::vector<Location> warned;  // repetitions are written out
  const auto warn = [&](const std::optional<Location>& where, bool used, const std::string& what) {
    if (used || !where) return;
    const auto here = [&](const Location& l) { return same_place(l, *where); };
    if (std::any_of(warned.begin(), warned.end(), here)) return;
    warned.push_back(*where);
    diagnostics.warning(*where, what);
  };
  for (std::size_t p = 0; p < rests.size(); ++p) {
    for (std::size_t i = 0; i < rests[p].size(); ++i) {
      const ProgramInstruction& in = config.programs[p].instructions[i];
      warn(in.scratch_where, rests[p][i].received,
           fmt::format("scratch has no effect, no data of this {} rest on their way", to_string(in.op)));
      warn(in.scratch2_where, rests[p][i].second,
           fmt::format("scratch2 has no effect, no data of this {} rest behind a second hop", to_string(in.op)));
    }
  }
}

void check_addresses(const OptwebConfig& config, const MachinePrograms& programs) {
  Diagnostics diagnostics;
  check_parts(config, programs, diagnostics);
  AddressCheck check(config, programs, check_instructions(config, diagnostics));
  for (NodeId n = 0; n < config.nodes; ++n) check.check(n, diagnostics);
  diagnostics.sort();
  diagnostics.throw_if_errors();
}

}  // namespace weft::optweb
