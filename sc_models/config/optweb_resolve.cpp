// From what a file says about an OPTWEB network to its checked configuration.

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <numeric>

#include "config/optweb_schema.h"

namespace weft {
namespace {

constexpr std::int64_t kPsPerMetre = 5000;  // light in glass, 2/3 of its speed in vacuum

std::uint64_t bytes_of(const DataSize& size) { return static_cast<std::uint64_t>(size.bits) / 8; }

bool uses_root(OptwebOp op) {
  return op == OptwebOp::scatter || op == OptwebOp::gather || op == OptwebOp::broadcast || op == OptwebOp::reduce;
}

bool uses_at(OptwebOp op) {
  return op == OptwebOp::send || op == OptwebOp::recv || op == OptwebOp::fence || op == OptwebOp::compute;
}

bool moves_data(OptwebOp op) { return op != OptwebOp::barrier && op != OptwebOp::fence && op != OptwebOp::compute; }

class OptwebResolver {
 public:
  OptwebResolver(const RawOptweb& raw, const ConfigDocument& document, Diagnostics& diagnostics)
      : raw_(raw), document_(document), diagnostics_(diagnostics) {}

  OptwebConfig resolve() {
    out_.title = raw_.title.value;
    out_.seed = raw_.seed.value;
    out_.nodes = raw_.nodes.value;
    out_.clock = raw_.clock.value;
    if (raw_.clock.valid) out_.period = *period_of(raw_.clock.value).value;
    all_.resize(out_.nodes);
    std::iota(all_.begin(), all_.end(), NodeId{0});
    whole_bytes(raw_.word, "word");
    out_.word_bytes = static_cast<std::uint32_t>(bytes_of(raw_.word.value));
    if (!raw_.nodes.valid || !raw_.clock.valid || !raw_.word.valid) return out_;
    topology();
    memory();
    rates();
    latencies();
    wiring();
    out_.sequencer_depth = raw_.sequencer.value.depth.value;
    out_.sequencer = raw_.sequencer.value.implementation.value;
    out_.stripe_address = raw_.dmac.value.stripe_address.value;
    out_.link_sync = raw_.link.value.implementation.value;
    out_.link_sync_where = raw_.link.value.implementation.where;
    out_.sequencer_where = raw_.sequencer.value.implementation.where;
    out_.stripe_address_where = raw_.dmac.value.stripe_address.where;
    out_.multipath_from = bytes_of(raw_.multipath_from.value);
    out_.mode = raw_.mode.value;
    out_.verify = raw_.verify.value;
    if (out_.mode == OptwebMode::timing && out_.verify == OptwebVerify::data) {
      error(raw_.verify.where, "verify: there are no data to compare in mode 'timing'");
    }
    programs();
    return out_;
  }

 private:
  void error(const Location& where, std::string message) { diagnostics_.error(where, std::move(message)); }

  void whole_bytes(const Given<DataSize>& size, const std::string& path) {
    if (!size.valid || size.value.bits % 8 == 0) return;
    error(size.where, fmt::format("{}: expected whole bytes, got '{}'", path, to_string(size.value)));
  }

  void topology() {
    constexpr std::uint32_t kMostLinks = 64;  // of an FPGA, section 5.3 of the paper
    if (!raw_.topology.valid || (raw_.groups.given && !raw_.groups.valid)) return;
    if (raw_.topology.value == OptwebTopology::full_mesh) {
      if (raw_.groups.given) error(raw_.groups.key_where, "groups: a full mesh has no groups; for topology: dragonfly");
      if (out_.nodes > kMostLinks) {
        error(raw_.nodes.where, fmt::format("nodes: a full mesh has at most {}; more are possible with topology: "
                                            "dragonfly",
                                            kMostLinks));
      }
      return;
    }
    const std::uint32_t g = raw_.groups.value;
    if (!raw_.groups.given) {
      error(raw_.topology.where, "topology: a dragonfly needs the key 'groups'");
    } else if (out_.nodes % g != 0) {
      error(raw_.groups.where, fmt::format("groups: {} nodes are not {} groups of the same size", out_.nodes, g));
    } else {
      out_.groups = g;
      if (out_.links() > kMostLinks) {
        error(raw_.groups.where, fmt::format("groups: {} groups of {} nodes need {} links per node, an FPGA has {}", g,
                                             out_.nodes / g, out_.links(), kMostLinks));
      }
    }
  }

  void memory() {
    const RawOptwebMemory& m = raw_.memory.value;
    if (!m.capacity.valid || !m.interfaces.valid) return;
    const std::uint32_t interfaces = m.interfaces.value;
    out_.stripes = interfaces / 2;
    out_.interface_bytes = bytes_of(m.capacity.value) / interfaces;
    if (interfaces % 2 != 0) {
      error(m.interfaces.where, fmt::format("memory.interfaces: expected an even number, got '{}'", interfaces));
    } else if (out_.stripes < out_.links() + 1) {
      error(m.interfaces.where,
            out_.groups > 1 ? fmt::format("memory.interfaces: {} links and the node itself need {} memory interfaces, "
                                          "two each, there are {}",
                                          out_.links(), 2 * out_.links() + 2, interfaces)
                            : fmt::format("memory.interfaces: {} nodes need {} memory interfaces, two each, there are "
                                          "{}",
                                          out_.nodes, 2 * out_.nodes, interfaces));
    }
    if (bytes_of(m.capacity.value) % (std::uint64_t{interfaces} * out_.word_bytes) != 0) {
      error(m.capacity.where,
            fmt::format("memory.capacity: {} are not whole words of {} bytes in each of {} interfaces",
                        to_string(m.capacity.value), out_.word_bytes, interfaces));
    } else if (out_.interface_bytes > std::uint64_t{1} << 31) {
      error(m.capacity.where, fmt::format("memory.capacity: an interface has at most 2GiB, {} over {} are more",
                                          to_string(m.capacity.value), interfaces));
    }
  }

  void rates() {
    const std::int64_t bus = std::int64_t{out_.word_bytes} * 8 * out_.clock.hz;
    const auto at_most_bus = [&](const Given<Rate>& rate, const std::string& path) {
      if (rate.value.bits_per_s <= bus) return;
      error(rate.where, fmt::format("{}: {} are more than a word per cycle ({})", path, to_string(rate.value),
                                    to_string(Rate{bus})));
    };
    const RawOptwebMemory& m = raw_.memory.value;
    out_.interface_rate = m.rate.given ? m.rate.value : Rate{bus};
    if (m.rate.given && m.rate.valid) at_most_bus(m.rate, "memory.rate");
    out_.link.rate = raw_.link.value.rate.value;
    if (raw_.link.value.rate.valid) at_most_bus(raw_.link.value.rate, "link.rate");
    out_.link.gap = raw_.link.value.gap.value;
    out_.eager_buffer = bytes_of(raw_.distributed_switch.value.eager_buffer.value);
  }

  void latencies() {
    const auto cycles = [&](const Given<CycleSpan>& span) { return span.value.cycles(out_.period); };
    const RawOptwebSwitch& s = raw_.distributed_switch.value;
    const RawOptwebLink& l = raw_.link.value;
    OptwebLatencies& t = out_.latencies;
    t.dispatch = cycles(raw_.dmac.value.dispatch);
    t.read = cycles(raw_.memory.value.read);
    t.write = cycles(raw_.memory.value.write);
    t.setup = cycles(s.setup);
    t.notification = cycles(s.notification);
    t.distributor = cycles(s.distributor);
    t.select = cycles(s.select);
    t.gate = cycles(s.gate);
    t.receive = cycles(s.receive);
    t.counter = cycles(s.counter);
    t.notified = cycles(s.notified);
    t.reduce = cycles(s.reduce);
    t.report = cycles(s.report);
    t.transmit = cycles(l.transmit);
    t.link_ip = cycles(l.ip);
    t.receive_link = cycles(l.receive);
  }

  void wiring() {
    const RawOptwebWiring& w = raw_.wiring.value;
    out_.link.wiring = w.kind.value;
    out_.link.length_cm = static_cast<std::int64_t>(w.length.value);
    out_.link.hub = w.hub.value;
    if (w.hub.given && w.kind.valid && w.kind.value == OptwebWiring::direct) {
      error(w.hub.key_where, "wiring.hub: direct wiring has no hub");
    }
    const Duration light{out_.link.length_cm * kPsPerMetre / 100 + out_.link.hub.ps};
    // A link takes a cycle at least: everything one node does to another is later than its cause.
    out_.link.propagation = std::max<Cycle>(1, CycleSpan{false, light.ps}.cycles(out_.period));
  }

  void programs() {
    std::vector<Location> given;
    if (raw_.program.given) given.push_back(raw_.program.key_where);
    if (raw_.programs.given) given.push_back(raw_.programs.key_where);
    if (raw_.measure.given) given.push_back(raw_.measure.key_where);
    if (given.size() != 1) {
      error(given.empty() ? document_.root.where : given.back(),
            given.empty() ? "one of program, programs and measure is needed"
                          : "only one of program, programs and measure may be given");
      return;
    }
    if (raw_.program.valid && raw_.program.given) {
      out_.programs.push_back({"program", all_, instructions(raw_.program.value, "program", all_)});
    }
    if (raw_.programs.valid && raw_.programs.given) {
      for (const auto& p : raw_.programs.value) {
        const std::vector<NodeId> nodes = nodes_of(p.name, p.where);
        if (!nodes.empty()) {
          out_.programs.push_back({p.name, nodes, instructions(p.value, join_path("programs", p.name), nodes)});
        }
      }
    }
    if (raw_.measure.valid && raw_.measure.given) {
      OptwebInstruction common;
      common.group = common.at = all_;
      buffers({}, common, "measure");
      out_.programs.push_back({"measure", all_, measured_program(raw_.measure.value, common, diagnostics_)});
      out_.measures = true;
    }
  }

  // node[3], node[0..3]
  std::vector<NodeId> nodes_of(const std::string& text, const Location& where) {
    NodeId first = 0;
    NodeId last = 0;
    const auto fail = [&](const std::string& message) {
      error(where, fmt::format("programs: {}", message));
      return std::vector<NodeId>();
    };
    const std::string expected = fmt::format("expected nodes written as node[5] or node[0..3], got '{}'", text);
    if (!text.starts_with("node[") || !text.ends_with("]")) return fail(expected);
    const char* const end = text.data() + text.size() - 1;
    auto result = std::from_chars(text.data() + 5, end, first);
    last = first;
    if (result.ec == std::errc() && end - result.ptr >= 3 && result.ptr[0] == '.' && result.ptr[1] == '.') {
      result = std::from_chars(result.ptr + 2, end, last);
    }
    if (result.ec != std::errc() || result.ptr != end || first > last) return fail(expected);
    if (last >= out_.nodes) {
      return fail(fmt::format("there is no node {}: the network has nodes 0 to {}", last, out_.nodes - 1));
    }
    std::vector<NodeId> nodes;
    for (NodeId n = first; n <= last; ++n) {
      if (std::find(taken_.begin(), taken_.end(), n) != taken_.end()) {
        return fail(fmt::format("node {} has a program already", n));
      }
      nodes.push_back(n);
    }
    taken_.insert(taken_.end(), nodes.begin(), nodes.end());
    return nodes;
  }

  std::vector<OptwebInstruction> instructions(const RawOptwebInstructions& list, const std::string& path,
                                              const std::vector<NodeId>& nodes) {
    std::vector<OptwebInstruction> out;
    std::size_t index = 0;
    for (const auto& [raw, where, valid] : list) {
      const std::string own = join_path(path, std::to_string(index++));
      if (valid && raw.op.valid) out.push_back(instruction(raw, where, own, nodes));
    }
    return out;
  }

  // A list of nodes, sorted.
  std::vector<NodeId> node_list(const Given<std::vector<Placed<std::uint32_t>>>& list, const std::string& path,
                                const std::vector<NodeId>& otherwise) {
    if (!list.given || !list.valid) return otherwise;
    std::vector<NodeId> out;
    for (const auto& n : list.value) {
      check_node(n.value, n.where, path);
      if (std::find(out.begin(), out.end(), n.value) != out.end()) {
        error(n.where, fmt::format("{}: node {} stands there twice", path, n.value));
      }
      out.push_back(n.value);
    }
    std::sort(out.begin(), out.end());
    return out;
  }

  bool check_node(NodeId node, const Location& where, const std::string& path) {
    if (node < out_.nodes) return true;
    error(where, fmt::format("{}: there is no node {}: the network has nodes 0 to {}", path, node, out_.nodes - 1));
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

  OptwebInstruction instruction(const RawOptwebInstruction& raw, const Location& where, const std::string& path,
                                const std::vector<NodeId>& nodes) {
    OptwebInstruction i;
    i.where = where;
    i.op = raw.op.value;
    i.name = raw.name.given ? raw.name.value : to_string(i.op);
    i.group = node_list(raw.group, path + ".group", all_);
    i.at = node_list(raw.at, path + ".at", nodes);
    i.source = node(raw.source, path + ".source");
    i.destination = node(raw.destination, path + ".destination");
    i.path = raw.path.value;
    i.combine = raw.combine.value;
    i.element = raw.type.value;
    i.measured = true;
    foreign_keys(raw, i, path);
    buffers(raw, i, path);
    peers(raw, i, where, path);
    if (is_reduction(i.op)) whole_elements(raw, i, path);
    for (const NodeId n : i.at) {
      if (raw.at.given && std::find(nodes.begin(), nodes.end(), n) == nodes.end()) {
        error(raw.at.where, fmt::format("{}.at: node {} does not run this program", path, n));
      }
    }
    if (i.op == OptwebOp::compute) {
      if (!raw.time.given) error(where, fmt::format("required key 'time' is missing in section '{}'", path));
      i.cycles = raw.time.value.cycles(out_.period);
    }
    return i;
  }

  void buffers(const RawOptwebInstruction& raw, OptwebInstruction& i, const std::string& path) {
    const RawOptwebBuffers& b = raw_.buffers.value;
    const std::uint64_t k = out_.interface_bytes;
    const Given<DataSize>& size = raw.size.given ? raw.size : b.size;
    whole_bytes(size, path + ".size");
    i.bytes = bytes_of(size.value);
    i.send = address(raw.send, b.send, 0, path + ".send");
    i.receive = address(raw.receive, b.receive, k, path + ".receive");
    i.scratch = address(raw.scratch, b.scratch, k + k / 2, path + ".scratch");
  }

  // Of reductions, sizes and addresses.
  void whole_elements(const RawOptwebInstruction& raw, const OptwebInstruction& i, const std::string& path) {
    const RawOptwebBuffers& b = raw_.buffers.value;
    const auto check = [&](const Given<DataSize>& own, const Given<DataSize>& common, std::uint64_t bytes,
                           const char* key) {
      if (bytes % kOptwebElementBytes == 0) return;
      error((own.given ? own : common).where,
            fmt::format("{}.{}: '{}' needs a multiple of {} bytes (elements of {}), got {}B", path, key,
                        to_string(i.op), kOptwebElementBytes, to_string(i.element), bytes));
    };
    check(raw.size, b.size, i.bytes, "size");
    check(raw.send, b.send, i.send, "send");
    check(raw.receive, b.receive, i.receive, "receive");
  }

  // Keys that mean nothing for the operation.
  void foreign_keys(const RawOptwebInstruction& raw, const OptwebInstruction& i, const std::string& path) {
    const auto refuse = [&](const auto& key, const char* name, bool used) {
      if (!key.given || used) return;
      error(key.key_where, fmt::format("{}.{}: this key has no meaning for '{}'", path, name, to_string(i.op)));
    };
    const OptwebOp op = i.op;
    const bool data = moves_data(op);
    const bool single = op == OptwebOp::transfer || op == OptwebOp::sendrecv;
    const bool many_paths = op == OptwebOp::transfer || op == OptwebOp::broadcast || op == OptwebOp::allreduce;
    refuse(raw.at, "at", uses_at(op));
    refuse(raw.group, "group", !uses_at(op));
    refuse(raw.source, "source", single || op == OptwebOp::recv);
    refuse(raw.destination, "destination", single || op == OptwebOp::send);
    refuse(raw.between, "between", op == OptwebOp::sendrecv);
    refuse(raw.shift, "shift", op == OptwebOp::sendrecv);
    refuse(raw.root, "root", uses_root(op));
    refuse(raw.size, "size", data);
    refuse(raw.send, "send", data && op != OptwebOp::recv);
    refuse(raw.receive, "receive", data && op != OptwebOp::send);
    refuse(raw.path, "path", many_paths);
    const bool two_hops = out_.groups > 1 && (op == OptwebOp::alltoall || op == OptwebOp::allreduce);
    refuse(raw.scratch, "scratch",
           (op == OptwebOp::transfer && (i.path != OptwebPath::direct || out_.groups > 1)) || two_hops);
    refuse(raw.combine, "combine", is_reduction(op));
    refuse(raw.type, "type", is_reduction(op));
    refuse(raw.time, "time", op == OptwebOp::compute);
  }

  void peers(const RawOptwebInstruction& raw, OptwebInstruction& i, const Location& where, const std::string& path) {
    const auto need = [&](const Given<std::uint32_t>& key, const char* name) {
      if (!key.given) error(where, fmt::format("required key '{}' is missing in section '{}'", name, path));
    };
    const auto member = [&](NodeId n, const Location& at, const std::string& key) {
      if (std::find(i.group.begin(), i.group.end(), n) != i.group.end()) return;
      error(at, fmt::format("{}.{}: node {} is not in the group", path, key, n));
    };
    if (uses_root(i.op)) {
      i.root = i.group.front();
      if (raw.root.given && raw.root.valid && check_node(raw.root.value, raw.root.where, path + ".root")) {
        i.root = raw.root.value;
        member(i.root, raw.root.where, "root");
      }
    }
    if (i.op == OptwebOp::send || i.op == OptwebOp::transfer) need(raw.destination, "destination");
    if (i.op == OptwebOp::recv || i.op == OptwebOp::transfer) need(raw.source, "source");
    if (i.op == OptwebOp::sendrecv) exchange(raw, i, where, path);
    if (i.op == OptwebOp::transfer && i.source && i.destination) {
      member(*i.source, raw.source.where, "source");
      member(*i.destination, raw.destination.where, "destination");
      if (*i.source == *i.destination) {
        error(raw.destination.where, fmt::format("{}.destination: node {} is the source as well", path, *i.source));
      }
    }
  }

  void exchange(const RawOptwebInstruction& raw, OptwebInstruction& i, const Location& where, const std::string& path) {
    const int ways =
        (raw.between.given ? 1 : 0) + (raw.shift.given ? 1 : 0) + (raw.source.given || raw.destination.given ? 1 : 0);
    if (ways != 1 || raw.source.given != raw.destination.given) {
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

  const RawOptweb& raw_;
  const ConfigDocument& document_;
  Diagnostics& diagnostics_;
  OptwebConfig out_;
  std::vector<NodeId> all_;
  std::vector<NodeId> taken_;
};

}  // namespace

OptwebConfig resolve_optweb(const RawOptweb& raw, const ConfigDocument& document, Diagnostics& diagnostics) {
  return OptwebResolver(raw, document, diagnostics).resolve();
}

}  // namespace weft
