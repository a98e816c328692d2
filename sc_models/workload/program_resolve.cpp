// From what a file says about programs to checked instructions.

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "network/keys/port_range.h"
#include "workload/program_schema.h"

namespace weft {
namespace {

std::uint64_t bytes_of(const DataSize& size) { return static_cast<std::uint64_t>(size.bits) / 8; }

bool uses_at(ProgramOp op) {
  return op == ProgramOp::send || op == ProgramOp::recv || op == ProgramOp::fence || op == ProgramOp::compute;
}

// Collectives whose data rest at `scratch` between two steps, when they take several.
bool rests_between_steps(ProgramOp op) {
  return op == ProgramOp::scatter || op == ProgramOp::gather || op == ProgramOp::alltoall || is_reduction(op);
}

class ProgramResolver {
 public:
  ProgramResolver(const RawPrograms& raw, const ProgramTarget& target, Diagnostics& diagnostics)
      : raw_(raw), target_(target), diagnostics_(diagnostics), all_(range(0, target.nodes)), taken_(target.nodes) {}

  std::vector<NodeProgram> resolve() {
    std::vector<NodeProgram> out;
    if (raw_.program.valid && raw_.program.given) {
      out.push_back({"program", all_, instructions(raw_.program.value, "program", all_)});
    }
    if (raw_.programs.valid && raw_.programs.given) {
      if (raw_.programs.value.empty())
        error(raw_.programs.where, "programs: expected the program of one node at least");
      for (const auto& p : raw_.programs.value) {
        const NodeList nodes = nodes_of(p.name, p.where);
        if (!nodes.empty()) {
          out.push_back({p.name, nodes, instructions(p.value, join_path("programs", p.name), nodes)});
        }
      }
    }
    return out;
  }

  ProgramInstruction common(const std::string& path) {
    ProgramInstruction i;
    i.group = i.at = all_;
    buffers({}, i, path);
    return i;
  }

 private:
  static NodeList range(NodeId first, NodeId end) {
    std::vector<NodeId> out(end - first);
    std::iota(out.begin(), out.end(), first);
    return out;
  }

  void error(const Location& where, std::string message) { diagnostics_.error(where, std::move(message)); }

  void whole_bytes(const Given<DataSize>& size, const std::string& path) {
    if (!size.valid || size.value.bits % 8 == 0) return;
    error(size.where, fmt::format("{}: expected whole bytes, got '{}'", path, to_string(size.value)));
  }

  // node[3], node[0..3]
  NodeList nodes_of(const std::string& text, const Location& where) {
    const auto fail = [&](const std::string& message) {
      error(where, fmt::format("programs: {}", message));
      return NodeList();
    };
    const auto named = parse_node_range(text, where, "programs", diagnostics_);
    if (!named) return {};
    const NodeId first = named->first;
    const NodeId last = named->last;
    if (last >= target_.nodes) {
      return fail(fmt::format("there is no node {}: the network has nodes 0 to {}", last, target_.nodes - 1));
    }
    for (NodeId n = first; n <= last; ++n) {
      if (taken_[n]) return fail(fmt::format("node {} has a program already", n));
    }
    std::fill(taken_.begin() + first, taken_.begin() + last + 1, true);
    return range(first, last + 1);
  }

  std::vector<ProgramInstruction> instructions(const RawProgramInstructions& list, const std::string& path,
                                               const NodeList& nodes) {
    std::vector<ProgramInstruction> out;
    append(list, path, nodes, out);
    return out;
  }

  // Repetitions are written out.
  void append(const RawProgramInstructions& list, const std::string& path, const NodeList& nodes,
              std::vector<ProgramInstruction>& out) {
    std::size_t index = 0;
    for (const auto& [raw, where, valid] : list) {
      const std::string own = join_path(path, std::to_string(index++));
      if (!valid) continue;
      if (raw.repeat.given || raw.program.given) {
        repeat(raw, where, own, nodes, out);
      } else if (!raw.op.given) {
        error(where, fmt::format("required key 'op' is missing in section '{}'", own));
      } else if (raw.op.valid) {
        out.push_back(instruction(raw, where, own, nodes));
      }
    }
  }

  void repeat(const RawProgramInstruction& raw, const Location& where, const std::string& path, const NodeList& nodes,
              std::vector<ProgramInstruction>& out) {
    if (raw.op.given) error(raw.op.key_where, fmt::format("{}: either op or repeat may be given, not both", path));
    for (const auto& [given, key] : {std::pair{raw.repeat.given, "repeat"}, std::pair{raw.program.given, "program"}}) {
      if (!given) error(where, fmt::format("required key '{}' is missing in section '{}'", key, path));
    }
    if (!raw.program.valid) return;
    std::vector<ProgramInstruction> once;
    append(raw.program.value, path + ".program", nodes, once);
    if (!raw.repeat.given || !raw.repeat.valid) return;
    if (out.size() + once.size() * raw.repeat.value > kMostInstructions) {
      error(raw.repeat.where,
            fmt::format("{}.repeat: written out, the program has more than {} instructions", path, kMostInstructions));
      return;
    }
    for (std::uint32_t i = 0; i < raw.repeat.value; ++i) out.insert(out.end(), once.begin(), once.end());
  }

  // A list of nodes, sorted.
  NodeList node_list(const Given<std::vector<Placed<std::uint32_t>>>& list, const std::string& path,
                     const NodeList& otherwise) {
    if (!list.given || !list.valid) return otherwise;
    std::vector<NodeId> out;
    std::vector<bool> seen(target_.nodes);
    for (std::size_t i = 0; i < list.value.size(); ++i) {
      const auto& n = list.value[i];
      out.push_back(n.value);  // wrong ones too: what is checked later depends on how many there are
      if (n.value > target_.nodes && in_range_of_previous(list.value, i)) continue;  // told of the one before
      if (!check_node(n.value, n.where, path)) continue;
      if (seen[n.value]) error(n.where, fmt::format("{}: node {} stands there twice", path, n.value));
      seen[n.value] = true;
    }
    std::sort(out.begin(), out.end());
    return out;
  }

  // Ranks are in the order of node numbers, which no other order in the file can change.
  void ascending(const Given<std::vector<Placed<std::uint32_t>>>& list, const std::string& path) {
    if (!list.given || !list.valid) return;
    const auto later = [](const auto& a, const auto& b) { return a.value > b.value; };
    const auto at = std::adjacent_find(list.value.begin(), list.value.end(), later);
    if (at == list.value.end()) return;
    error(list.where, fmt::format("{}: expected the nodes in ascending order, as their ranks are; got {} before {}",
                                  path, at->value, (at + 1)->value));
  }

  bool check_node(NodeId node, const Location& where, const std::string& path) {
    if (node < target_.nodes) return true;
    error(where, fmt::format("{}: there is no node {}: the network has nodes 0 to {}", path, node, target_.nodes - 1));
    return false;
  }

  std::optional<NodeId> node(const Given<std::uint32_t>& given, const std::string& path) {
    if (!given.given || !given.valid || !check_node(given.value, given.where, path)) return std::nullopt;
    return given.value;
  }

  std::uint64_t address(const Given<DataSize>& own, const Given<DataSize>& common, std::uint64_t otherwise,
                        const std::string& path) {
    const Given<DataSize>& g = own.given ? own : common;
    if (!g.given) return otherwise;
    whole_bytes(g, path);
    return bytes_of(g.value);
  }

  ProgramInstruction instruction(const RawProgramInstruction& raw, const Location& where, const std::string& path,
                                 const NodeList& nodes) {
    ProgramInstruction i;
    i.where = where;
    i.op = raw.op.value;
    i.name = raw.name.given ? raw.name.value : to_string(i.op);
    i.group = node_list(raw.group, path + ".group", all_);
    ascending(raw.group, path + ".group");
    i.at = node_list(raw.at, path + ".at", nodes);
    i.source = node(raw.source, path + ".source");
    i.destination = node(raw.destination, path + ".destination");
    i.path = raw.path.value;
    i.waits = raw.wait.value;
    i.combine = raw.combine.value;
    i.element = raw.type.value;
    i.measured = true;
    foreign_keys(raw, i, path);
    buffers(raw, i, path);
    peers(raw, i, where, path);
    taking_part(i, path, nodes);
    if (is_reduction(i.op)) whole_elements(raw, i, path);
    for (const NodeId n : i.at) {
      if (raw.at.given && n < target_.nodes && !nodes.contains(n)) {
        error(raw.at.where, fmt::format("{}.at: node {} does not run this program", path, n));
      }
    }
    if (i.op == ProgramOp::compute) {
      if (!raw.time.given) error(where, fmt::format("required key 'time' is missing in section '{}'", path));
      i.cycles = raw.time.value.cycles(target_.period);
    }
    return i;
  }

  void buffers(const RawProgramInstruction& raw, ProgramInstruction& i, const std::string& path) {
    const RawProgramBuffers& b = raw_.buffers.value;
    const std::uint64_t k = target_.interface_bytes;
    const Given<DataSize>& size = raw.size.given ? raw.size : b.size;
    whole_bytes(size, path + ".size");
    i.bytes = bytes_of(size.value);
    i.send = address(raw.send, b.send, 0, path + ".send");
    i.receive = address(raw.receive, b.receive, default_receive(i, target_), path + ".receive");
    i.scratch = address(raw.scratch, b.scratch, k + k / 2, path + ".scratch");
    i.scratch2 = address(raw.scratch2, b.scratch2, k / 2, path + ".scratch2");
    if (raw.scratch.given) i.scratch_where = raw.scratch.key_where;
    if (raw.scratch2.given) i.scratch2_where = raw.scratch2.key_where;
  }

  // Of reductions, sizes and addresses.
  void whole_elements(const RawProgramInstruction& raw, const ProgramInstruction& i, const std::string& path) {
    const RawProgramBuffers& b = raw_.buffers.value;
    const auto check = [&](const Given<DataSize>& own, const Given<DataSize>& common, std::uint64_t bytes,
                           const char* key) {
      if (bytes % kElementBytes == 0) return;
      error((own.given ? own : common).where,
            fmt::format("{}.{}: '{}' needs a multiple of {} bytes (elements of {}), got {}B", path, key,
                        to_string(i.op), kElementBytes, to_string(i.element), bytes));
    };
    check(raw.size, b.size, i.bytes, "size");
    check(raw.send, b.send, i.send, "send");
    check(raw.receive, b.receive, i.receive, "receive");
  }

  // Keys that mean nothing for the operation.
  void foreign_keys(const RawProgramInstruction& raw, const ProgramInstruction& i, const std::string& path) {
    const auto refuse = [&](const auto& key, const char* name, bool used) {
      if (!key.given || used) return;
      error(key.key_where, fmt::format("{}.{}: this key has no meaning for '{}'", path, name, to_string(i.op)));
    };
    const ProgramOp op = i.op;
    const bool data = moves_data(op);
    const bool single = op == ProgramOp::transfer || op == ProgramOp::sendrecv;
    const bool many_paths = op == ProgramOp::transfer || op == ProgramOp::broadcast || op == ProgramOp::allreduce;
    refuse(raw.at, "at", uses_at(op));
    refuse(raw.group, "group", !uses_at(op));
    refuse(raw.source, "source", single || op == ProgramOp::recv);
    refuse(raw.destination, "destination", single || op == ProgramOp::send);
    refuse(raw.between, "between", op == ProgramOp::sendrecv);
    refuse(raw.shift, "shift", op == ProgramOp::sendrecv);
    refuse(raw.root, "root", uses_root(op));
    refuse(raw.size, "size", data);
    refuse(raw.send, "send", data && op != ProgramOp::recv);
    refuse(raw.receive, "receive", data && op != ProgramOp::send);
    refuse(raw.path, "path", many_paths);
    refuse(raw.scratch, "scratch", single || rests_between_steps(op));
    refuse(raw.scratch2, "scratch2", single || rests_between_steps(op));
    refuse(raw.combine, "combine", is_reduction(op));
    refuse(raw.type, "type", is_reduction(op));
    refuse(raw.time, "time", op == ProgramOp::compute);
    refuse(raw.wait, "wait", op == ProgramOp::send);
    if (!i.waits && target_.interface_bytes > 0) {
      error(raw.wait.where,
            fmt::format("{}.wait: a command sequencer executes one instruction after the other; expected "
                        "true",
                        path));
    }
  }

  void peers(const RawProgramInstruction& raw, ProgramInstruction& i, const Location& where, const std::string& path) {
    const auto need = [&](const Given<std::uint32_t>& key, const char* name) {
      if (!key.given) error(where, fmt::format("required key '{}' is missing in section '{}'", name, path));
    };
    const auto member = [&](NodeId n, const Location& at, const std::string& key) {
      if (i.group.contains(n)) return;
      error(at, fmt::format("{}.{}: node {} is not in the group", path, key, n));
    };
    if (uses_root(i.op)) {
      i.root = i.group.front();
      if (raw.root.given && raw.root.valid && check_node(raw.root.value, raw.root.where, path + ".root")) {
        i.root = raw.root.value;
        member(i.root, raw.root.where, "root");
      }
    }
    if (i.op == ProgramOp::send || i.op == ProgramOp::transfer) need(raw.destination, "destination");
    if (i.op == ProgramOp::recv || i.op == ProgramOp::transfer) need(raw.source, "source");
    if (i.op == ProgramOp::sendrecv) exchange(raw, i, where, path);
    if (i.op == ProgramOp::transfer && i.source && i.destination) {
      member(*i.source, raw.source.where, "source");
      member(*i.destination, raw.destination.where, "destination");
      if (*i.source == *i.destination) {
        error(raw.destination.where, fmt::format("{}.destination: node {} is the source as well", path, *i.source));
      }
    }
  }

  // What no node of the program has a part in would silently be nothing.
  void taking_part(const ProgramInstruction& i, const std::string& path, const NodeList& nodes) {
    if (uses_at(i.op)) return;
    const auto runs_it = [&](NodeId n) { return nodes.contains(n); };
    bool some = std::any_of(i.group.begin(), i.group.end(), runs_it);
    // Nodes between others have a part as well, in the group or not: the fabric knows which
    // (algorithms/optweb/address_check.cpp).
    if (target_.steps && (i.op == ProgramOp::transfer || i.op == ProgramOp::sendrecv)) return;
    // Only on other ways than the direct one have further nodes of the group a part in a transfer.
    if (i.op == ProgramOp::transfer && i.path == ProgramPath::direct) {
      if (!i.source || !i.destination) return;
      some = runs_it(*i.source) || runs_it(*i.destination);
    }
    if (!some) error(i.where, fmt::format("{}: no node of this program takes part in this {}", path, to_string(i.op)));
  }

  void exchange(const RawProgramInstruction& raw, ProgramInstruction& i, const Location& where,
                const std::string& path) {
    const int forms =
        (raw.between.given ? 1 : 0) + (raw.shift.given ? 1 : 0) + (raw.source.given || raw.destination.given ? 1 : 0);
    if (forms != 1 || raw.source.given != raw.destination.given) {
      error(where, fmt::format("{}: one of between, shift, and source with destination is needed", path));
    } else if (raw.between.given && raw.between.valid) {
      i.group = node_list(raw.between, path + ".between", all_);
      if (raw.group.given) error(raw.group.key_where, path + ".group: the nodes stand in 'between'");
      i.shift = 1;
    } else if (raw.shift.given && raw.shift.valid) {
      i.shift = raw.shift.value;
      if (raw.shift.value >= i.group.size()) {
        error(raw.shift.where, fmt::format("{}.shift: expected less than the {} nodes of the group, got '{}'", path,
                                           i.group.size(), raw.shift.value));
        i.shift = 1;
      }
    }
  }

  const RawPrograms& raw_;
  const ProgramTarget& target_;
  Diagnostics& diagnostics_;
  const NodeList all_;
  std::vector<bool> taken_;  // nodes that have a program
};

}  // namespace

std::vector<NodeProgram> resolve_programs(const RawPrograms& raw, const ProgramTarget& target,
                                          Diagnostics& diagnostics) {
  std::vector<NodeProgram> out = ProgramResolver(raw, target, diagnostics).resolve();
  compare_programs(out, diagnostics);
  return out;
}

// The last step of a collective of several steps reads what rests while it writes what is received, so they lie in
// different interfaces: of two steps, what rests in the upper one, beside nothing that the first step reads; of three,
// what rests last in the lower one; of four, in the upper one again, and what is received beside what rests before.
// Where data of other instructions may rest at `scratch2`, what is received in two steps lies beside them, too.
std::uint64_t default_receive(const ProgramInstruction& instruction, const ProgramTarget& target) {
  const std::uint64_t k = target.interface_bytes;
  const std::size_t steps =
      rests_between_steps(instruction.op) && target.steps ? target.steps(instruction.group) : std::size_t{1};
  if (steps % 2 == 1) return k;
  return steps == 2 && !target.keeps_twice ? k / 2 : k / 2 + k / 4;
}

ProgramInstruction common_instruction(const RawPrograms& raw, const ProgramTarget& target, const std::string& path,
                                      Diagnostics& diagnostics) {
  return ProgramResolver(raw, target, diagnostics).common(path);
}

}  // namespace weft
