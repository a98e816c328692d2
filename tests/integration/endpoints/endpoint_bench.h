#pragma once
// Fabrics of all families with what the tests of endpoints need to know of them, and a bench that sends transfers to
// one and records what its clients are told.

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <tuple>
#include <vector>

#include "base/diagnostics.h"
#include "base/random.h"
#include "cli/families.h"
#include "own_fabric/bus.h"
#include "run/fabric_plan.h"
#include "schema/document.h"

namespace weft::test::endpoints {

struct FabricCase {
  std::string name;
  std::string network;
  std::uint32_t nodes;
  bool multicast;
  Cycle one_flit;  ///< latency of one flit from node 0 to node 1 that meets nobody, by the documents of the fabric
  /// The least that a flit behind the head takes from the link of its source on, by the same documents; heads of iq
  /// wait for routing and VC allocation at each router, the flits behind them do not.
  Cycle last_flit;
  Cycle frame = 1;   ///< flits from node 0 to node 1 leave in every so manieth cycle, from cycle 0 on
  Cycle behind = 0;  ///< a second flit arrives so much later than the first; 0: a frame
  Cycle setup = 0;   ///< a circuit has to be asked for: the first flit leaves so much later at the earliest
  /// First cycle in which a flit leaves that comes in cycle `at`.
  Cycle start(Cycle at) const { return (at + setup + frame - 1) / frame * frame; }
};

inline void PrintTo(const FabricCase& fabric, std::ostream* out) { *out << fabric.name; }

inline constexpr const char* kLevels =
    "qos: { levels: { small: { message: 64B }, large: { message: 512B } } }\n"
    "traffic: [ { level: small, load: 0 } ]\n";

inline std::string packets(const std::string& architecture, const std::string& topology) {
  return "fabric: packet\nswitch: { architecture: " + architecture + " }\ntopology: { " + topology + " }\n" + kLevels;
}

inline std::string bus(const std::string& order) {
  return "fabric: bus\nbus: { nodes: 9, width: 64B, arbitration: 0cycles, order: " + order + " }\n" + kLevels;
}

inline std::string optweb(const std::string& network) {
  return "fabric: optweb\n" + network + "\nmode: data\nverify: data\n" + kLevels;
}

// Circuits between all nodes, and two multicasts; the one from node 0 to node 1 has slot 0.
inline constexpr Cycle kFrame = 32;
inline std::string circuits(const std::string& setup) {
  std::string out = fmt::format(
      "fabric: tdm\ntopology: {{ kind: mesh, dims: [3, 3] }}\n{}\nswitch: {{ slots: {}, lane_payload: 128b }}\n"
      "circuits:\n",
      setup, kFrame);
  for (int from = 0; from < 9; ++from) {
    for (int to = 0; to < 9; ++to) {
      if (from != to) out += fmt::format("  - {{ source: {}, destination: {} }}\n", from, to);
    }
  }
  return out + "  - { source: 0, destinations: [1, 4, 8] }\n  - { source: 0, destinations: [1, 2] }\n";
}

/// With the family that a program outside the tree adds.
inline Registry families() {
  Registry registry = cli::builtin_families();
  registry.add(own::bus_family());
  return registry;
}

// IB and OPA: output stage and link of the NIC, then per switch input, routing, allocation, crossbar, output and link,
// one cycle each: 2 + 6 per switch; routes over a tree of three levels go over a root, five switches. iq: link, then
// per router routing, VC and switch allocation, crossbar and link. tdm over two switches: a frame for each of them with
// the same slot everywhere, else a cycle each; circuits that come and go are asked for first, there and back a cycle
// each and one of t_proc, and used from the next cycle on. The bus of examples/own_fabric: its `flight`. OPTWEB: a
// notification and a doorbell, 74 cycles (73 more in a dragonfly), then the 142 of docs/optweb.md for 64 bytes and 6
// for the confirmation; of these, the report to the sequencer and the 6 come after the word counter. The source goes on
// after 142 + 78. An adapter of 40 cycles between the switches of nodes 0 and 1 costs a word on a circuit a frame; one
// of 10 between OPTWEB nodes is crossed by the posting, the words and the confirmation.
inline std::vector<FabricCase> cases() {
  const std::string mesh = "kind: mesh, dims: [3, 3]";
  const std::string preset = "setup: { mode: preset }\nslots: { allocator: first_fit, slot_update: ";
  const std::string longer = "\nadapters: [ { at: 'sw[0]-sw[1]', delay: 40cycles } ]";
  return {{"tdm", circuits(preset + "false }"), 9, true, 2 * kFrame, 2 * kFrame, kFrame},
          {"tdm_slot_update", circuits(preset + "true }"), 9, true, 2, 2, kFrame},
          {"tdm_in_network", circuits("setup: { mode: in_network }"), 9, true, 2 * kFrame, 2 * kFrame, kFrame, 0,
           2 + 1 + 1},
          {"tdm_adapter", circuits(preset + "false }" + longer), 9, true, 3 * kFrame, 3 * kFrame, kFrame},
          {"tdm_in_network_adapter", circuits("setup: { mode: in_network }" + longer), 9, true, 3 * kFrame, 3 * kFrame,
           kFrame, 0, 2 + 1 + 1},
          {"ideal", std::string("fabric: ideal\nideal: { nodes: 9, latency: 7cycles }\n") + kLevels, 9, true, 7, 7},
          {"bus", bus("round_robin"), 9, true, 1, 1},
          {"bus_fcfs", bus("fcfs"), 9, true, 1, 1},
          {"optweb", optweb("nodes: 9"), 9, true, 74 + 142 + 6, 4 + 6 - 1, 1, 142 + 78},
          {"optweb_adapter", optweb("nodes: 9\nadapters: [ { at: 'sw[0]-sw[1]', delay: 10cycles } ]"), 9, true,
           74 + 142 + 6 + 20, 4 + 6 - 1, 1, 142 + 78 + 20},
          {"optweb_dragonfly", optweb("nodes: 16\ntopology: dragonfly\ngroups: 4"), 16, false, 73 + 74 + 142 + 6,
           4 + 6 - 1, 1, 142 + 78},
          {"ib", packets("ib", mesh), 9, false, 2 + 2 * 6, 1 + 2 * 6},
          {"opa", packets("opa", mesh), 9, false, 2 + 2 * 6, 1 + 2 * 6},
          {"iq", packets("iq", mesh), 9, false, 1 + 2 * 5, 1 + 2 * 3},
          {"iq_small_buffers", packets("iq, iq: { buffer: 64B }", mesh), 9, false, 1 + 2 * 5, 1 + 2 * 3},
          {"ib_torus", packets("ib", "kind: torus, dims: [4, 4]"), 16, false, 2 + 2 * 6, 1 + 2 * 6},
          {"ib_tree", packets("ib", "kind: tree, arity: 2, levels: 3"), 8, false, 2 + 5 * 6, 1 + 5 * 6}};
}

/// The network of a case; empty: there is none of that name.
inline std::string network_of(const std::string& name) {
  for (const FabricCase& c : cases()) {
    if (c.name == name) return c.network;
  }
  return "";
}

/// One event that a client was told of.
struct Told {
  Cycle at;
  std::uint64_t tag;
  NodeId node;
  char what;  ///< l left, a arrived, x lost
  auto operator<=>(const Told&) const = default;
};

class Recorder final : public Client {
 public:
  explicit Recorder(ClockDomain& domain) : domain_(domain) {}
  void left(std::uint64_t tag, Cycle at) override { tell({at, tag, kNoId, 'l'}); }
  void arrived(std::uint64_t tag, NodeId node, Cycle at) override { tell({at, tag, node, 'a'}); }
  void lost(std::uint64_t tag, NodeId node, Cycle at, std::string_view) override { tell({at, tag, node, 'x'}); }
  std::vector<Told> told;

 private:
  void tell(const Told& t) {
    if (t.at <= domain_.now()) throw RunError("a client is told of something that it could act on already");
    told.push_back(t);
  }
  ClockDomain& domain_;
};

/// Sends a list of transfers in their cycles, each client its own.
struct Planned {
  Cycle at;
  NodeId from;
  Transfer transfer;
  std::size_t client;
};

class Sender final : public Agent {
 public:
  Sender(Fabric& fabric, std::vector<Planned> plan) : fabric_(fabric), plan_(std::move(plan)) {
    for (std::uint32_t i = 0; i < plan_.size(); ++i) {
      fabric_.domain().schedule(plan_[i].at, Phase::generate, *this, i);
    }
  }
  void due(Cycle, std::uint32_t token) override { fabric_.send(plan_[token].from, plan_[token].transfer); }

 private:
  Fabric& fabric_;
  std::vector<Planned> plan_;
};

class Counter final : public TransferObserver {
 public:
  void on_generate(const TransferRecord& t) override { bytes += t.bytes, all_bytes += t.bytes, ++generated; }
  void on_arrive(const TransferRecord& t, Cycle now) override {
    bytes -= t.bytes;
    ++arrived;
    if (now - t.generated < t.serialization || t.entered < t.generated) ++wrong;
    if (t.id <= last[{t.from, t.to, t.service}]) ++overtakes;
    last[{t.from, t.to, t.service}] = t.id;
  }
  void on_lose(const TransferRecord& t, Cycle) override { bytes -= t.bytes, ++lost; }
  void on_withdraw(const TransferRecord& t) override { bytes -= t.bytes, ++withdrawn; }
  std::uint64_t bytes = 0, all_bytes = 0, generated = 0, arrived = 0, lost = 0, withdrawn = 0, wrong = 0, overtakes = 0;
  std::map<std::tuple<NodeId, NodeId, ServiceId>, std::uint64_t> last;
};

inline std::unique_ptr<Design> design_of(const std::string& yaml) {
  Diagnostics diagnostics;
  return cli::read_design(families(), parse_document(yaml, "t.yaml", "."), "t.yaml", {}, diagnostics);
}

struct Bench {
  explicit Bench(const std::string& yaml, std::optional<std::uint64_t> shuffle = {}) {
    design = design_of(yaml);
    plan = design->plan();
    const auto& fabric_plan = dynamic_cast<const FabricPlan&>(*plan);
    services = fabric_plan.workload().traffic.services.size();
    domain = std::make_unique<ClockDomain>("clock", fabric_plan.workload().traffic.period);
    built = fabric_plan.build(*domain, Part{});
    if (shuffle) domain->shuffle(*shuffle);
    fabric().observe(counter);
    for (std::size_t i = 0; i < 2; ++i) {
      recorders.push_back(std::make_unique<Recorder>(*domain));
      ids.push_back(fabric().attach(*recorders.back()));
    }
  }
  Fabric& fabric() { return built->fabric(); }
  Transfer transfer(NodeId to, std::uint64_t bytes, std::uint64_t tag, std::size_t client = 0, ServiceId service = 0) {
    Transfer t;
    t.to = to;
    t.bytes = bytes;
    t.service = services == 1 && service == 1 ? 0 : service;
    t.client = ids[client];
    t.notify = Notify::both;
    t.tag = tag;
    return t;
  }
  /// Runs until nothing happens any more, then checks the accounting.
  void run() {
    sc_core::sc_start();
    if (fabric().outstanding() != 0) throw RunError("transfers are left: " + fabric().describe_stall());
    if (const std::string wrong = fabric().miscounted(); !wrong.empty()) throw RunError(wrong);
    fabric().check_conservation(domain->now() + fabric().watchdog_interval());
    if (counter.wrong > 0) throw RunError("a record is not in order");
    if (counter.bytes != 0) throw RunError("bytes are missing");
  }
  /// Everything the clients were told, in an order of its own.
  std::string text() {
    std::ostringstream out;
    for (auto& r : recorders) {
      std::sort(r->told.begin(), r->told.end());
      for (const Told& t : r->told) out << t.at << ' ' << t.tag << ' ' << t.node << ' ' << t.what << '\n';
      out << "--\n";
    }
    return out.str();
  }

  std::unique_ptr<Design> design;
  std::unique_ptr<Plan> plan;
  std::unique_ptr<ClockDomain> domain;
  std::unique_ptr<BuiltFabric> built;
  std::size_t services = 0;  // with one, it stands for the second one too
  Counter counter;
  std::vector<std::unique_ptr<Recorder>> recorders;
  std::vector<ClientId> ids;
};

/// Random transfers of both clients: zero bytes, to the node itself, of every service, many packets.
inline std::vector<Planned> random_plan(Bench& s, std::uint64_t seed, std::size_t count, std::uint32_t nodes) {
  RandomStream random(seed, "transfers");
  std::vector<Planned> plan;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t client = random.below(2);
    const auto service = static_cast<ServiceId>(random.below(2));
    const std::uint64_t sizes[] = {0, 1, 64, 65, 512, random.below(5000)};
    Transfer t = s.transfer(static_cast<NodeId>(random.below(nodes)), sizes[random.below(6)], i, client, service);
    t.choice = static_cast<std::uint32_t>(random());
    plan.push_back({static_cast<Cycle>(random.below(count * 3)), static_cast<NodeId>(random.below(nodes)), t, client});
  }
  return plan;
}

}  // namespace weft::test::endpoints
