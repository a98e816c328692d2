// TLM-2.0 modules of a user at the nodes of every fabric (run/tlm_system.h): what is written is read, over the network
// and within a node, and an access that meets nobody takes the times of two transfers and of the memory.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <tlm_utils/simple_initiator_socket.h>
#include <tlm_utils/simple_target_socket.h>
#include <algorithm>
#include <cstring>
#include <functional>
#include <nlohmann/json.hpp>

#include "base/diagnostics.h"
#include "base/random.h"
#include "integration/endpoints/endpoint_bench.h"
#include "run/tlm_system.h"
#include "support/child.h"
#include "support/scratch.h"

namespace weft::test {
namespace {

using endpoints::design_of;

constexpr sc_dt::uint64 kBase = 0x8000;
constexpr unsigned kSize = 4096;

struct TlmCase {
  std::string name;
  std::string network;
  /// Latency of a transfer of 24 and of 16 bytes from node 0 to node 5 and back, in cycles, when it meets nobody; 0: it
  /// depends on when it is sent.
  Cycle request = 0;
  Cycle answer = 0;
};
void PrintTo(const TlmCase& c, std::ostream* out) { *out << c.name; }

constexpr const char* kNothing = "qos: { levels: { a: { message: 64B } } }\ntraffic: []\n";

std::vector<TlmCase> tlm_cases() {
  const auto packet = [](const std::string& architecture, const std::string& topology) {
    return "fabric: packet\nswitch: { architecture: " + architecture + " }\ntopology: { " + topology + " }\n" +
           kNothing;
  };
  std::string circuits =
      "fabric: tdm\ntopology: { kind: mesh, dims: [3, 3] }\nswitch: { slots: 32 }\nsources: { arrivals: none }\n"
      "circuits:\n";
  for (int from = 0; from < 9; ++from) {
    for (int to = 0; to < 9; ++to) {
      if (from != to) circuits += fmt::format("  - {{ source: {}, destination: {} }}\n", from, to);
    }
  }
  // 0 and 5 are three links apart in the mesh: four switches.
  return {{"tdm", circuits + "setup: { mode: preset }\n"},
          {"tdm_in_network", circuits + "setup: { mode: in_network }\n"},
          {"ideal", std::string("fabric: ideal\nideal: { nodes: 9, latency: 7cycles }\n") + kNothing, 7, 7},
          {"ib", packet("ib", "kind: mesh, dims: [3, 3]"), 2 + 4 * 6, 2 + 4 * 6},
          // One turn on each way is between ports 0 to 3 and port 4, of another MPort: a stage of allocation and one of
          // the crossbar more.
          {"opa", packet("opa", "kind: mesh, dims: [3, 3]"), 2 + 4 * 6 + 2, 2 + 4 * 6 + 2},
          {"iq", packet("iq", "kind: mesh, dims: [3, 3]"), 1 + 4 * 5, 1 + 4 * 5},
          // One word of 32 bytes is a cycle or two less than the 222 of 64 bytes (docs/optweb.md).
          {"optweb", std::string("fabric: optweb\nnodes: 9\n") + kNothing, 221, 221},
          {"optweb_dragonfly", std::string("fabric: optweb\nnodes: 16\ntopology: dragonfly\ngroups: 4\n") + kNothing}};
}

class Memory final : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<Memory> socket{"socket"};
  explicit Memory(sc_core::sc_module_name name) : sc_module(name), bytes_(kSize) {
    socket.register_b_transport(this, &Memory::b_transport);
  }

 private:
  void b_transport(tlm::tlm_generic_payload& p, sc_core::sc_time&) {
    unsigned char* cell = &bytes_.at(p.get_address());
    if (p.is_write()) std::memcpy(cell, p.get_data_ptr(), p.get_data_length());
    if (p.is_read()) std::memcpy(p.get_data_ptr(), cell, p.get_data_length());
    p.set_response_status(tlm::TLM_OK_RESPONSE);
  }
  std::vector<unsigned char> bytes_;
};

/// Accesses its own part of the memories of others, and its own memory.
class Processor final : public sc_core::sc_module {
 public:
  tlm_utils::simple_initiator_socket<Processor> socket{"socket"};
  SC_HAS_PROCESS(Processor);
  Processor(sc_core::sc_module_name name, unsigned number, unsigned memories, int accesses)
      : sc_module(name), number_(number), memories_(memories), accesses_(accesses) {
    SC_THREAD(work);
  }
  std::string wrong = "it has not ended";
  sc_core::sc_time first;  ///< of the first access

 private:
  static constexpr unsigned kPart = 512;
  void work() {
    RandomStream random(number_, "accesses");
    std::vector<std::vector<unsigned char>> expected(memories_, std::vector<unsigned char>(kPart));
    for (int i = 0; i < accesses_; ++i) {
      const auto memory = static_cast<unsigned>(i == 0 ? memories_ - 1 : random.below(memories_));
      const auto length = static_cast<unsigned>(i == 0 ? 8 : 1 + random.below(64));
      const auto at = static_cast<unsigned>(random.below(kPart - length));
      std::vector<unsigned char> data(length);
      const bool write = i == 0 || random.below(2) == 0;
      if (write) {
        for (unsigned char& b : data) b = static_cast<unsigned char>(random());
        std::copy(data.begin(), data.end(), expected[memory].begin() + at);
      }
      tlm::tlm_generic_payload p;
      p.set_command(write ? tlm::TLM_WRITE_COMMAND : tlm::TLM_READ_COMMAND);
      p.set_address(kBase + memory * kSize + number_ * kPart + at);
      p.set_data_ptr(data.data());
      p.set_data_length(length);
      p.set_streaming_width(length);
      sc_core::sc_time delay;
      const sc_core::sc_time start = sc_core::sc_time_stamp();
      socket->b_transport(p, delay);
      if (i == 0) first = sc_core::sc_time_stamp() - start;
      if (!p.is_response_ok()) return fail(fmt::format("access {}: {}", i, p.get_response_string()));
      if (!write && !std::equal(data.begin(), data.end(), expected[memory].begin() + at)) {
        return fail(fmt::format("access {} reads what nobody has written", i));
      }
      if (p.is_dmi_allowed()) return fail("DMI is allowed");
    }
    wrong.clear();
  }
  void fail(const std::string& what) { wrong = what; }

  unsigned number_;
  unsigned memories_;
  int accesses_;
};

class TlmClients : public ::testing::TestWithParam<TlmCase> {};

TEST_P(TlmClients, ReadWhatTheyHaveWritten) {
  const ChildResult child = in_child([&]() -> std::string {
    const auto design = design_of(GetParam().network);
    const auto plan = design->plan();
    TlmSystem network("network", *plan, {0, 1, 5});
    const std::vector<NodeId> nodes{0, 1, 5};
    std::vector<std::unique_ptr<Memory>> memories;
    std::vector<std::unique_ptr<Processor>> processors;
    for (unsigned i = 0; i < nodes.size(); ++i) {
      memories.push_back(std::make_unique<Memory>(fmt::format("memory{}", i).c_str()));
      network.map(kBase + i * kSize, kSize, nodes[i]);
      network.node(nodes[i]).target_side.bind(memories.back()->socket);
    }
    for (unsigned i = 0; i < 2; ++i) {
      processors.push_back(std::make_unique<Processor>(fmt::format("cpu{}", i).c_str(), i, 3, 200));
      processors.back()->socket.bind(network.node(nodes[i]).initiator_side);
    }
    sc_core::sc_start(100, sc_core::SC_MS);
    for (const auto& p : processors) {
      if (!p->wrong.empty()) return p->wrong;
    }
    Fabric& fabric = network.fabric();
    if (fabric.outstanding() != 0) return "something is left: " + fabric.describe_stall();
    fabric.check_conservation(fabric.domain().now() + fabric.watchdog_interval());
    return "";
  });
  ASSERT_TRUE(child.ok) << child.text;
  EXPECT_EQ(child.text, "");
}

// The request enters the network in the cycle after the access begins, the answer in the one after the request has
// come.
TEST_P(TlmClients, AnAccessTakesTwoTransfers) {
  if (GetParam().request == 0) return;
  const ChildResult child = in_child([&]() -> std::string {
    const auto design = design_of(GetParam().network);
    const auto plan = design->plan();
    TlmSystem network("network", *plan, {0, 5});
    Memory memory("memory");
    Processor cpu("cpu", 0, 1, 1);
    network.map(kBase, kSize, 5);
    network.node(5).target_side.bind(memory.socket);
    cpu.socket.bind(network.node(0).initiator_side);
    sc_core::sc_start(1, sc_core::SC_MS);
    if (!cpu.wrong.empty()) return cpu.wrong;
    return std::to_string(cpu.first.value() / network.fabric().domain().period().ps);
  });
  ASSERT_TRUE(child.ok) << child.text;
  EXPECT_EQ(child.text, std::to_string(1 + GetParam().request + 1 + GetParam().answer));
}

INSTANTIATE_TEST_SUITE_P(Fabrics, TlmClients, ::testing::ValuesIn(tlm_cases()),
                         [](const auto& p) { return p.param.name; });

/// Answers at once, from its middle on with an error.
class HalfMemory final : public sc_core::sc_module {
 public:
  tlm_utils::simple_target_socket<HalfMemory> socket{"socket"};
  explicit HalfMemory(sc_core::sc_module_name name) : sc_module(name) {
    socket.register_b_transport(this, &HalfMemory::b_transport);
  }

 private:
  void b_transport(tlm::tlm_generic_payload& p, sc_core::sc_time&) {
    p.set_response_status(p.get_address() < kSize / 2 ? tlm::TLM_OK_RESPONSE : tlm::TLM_GENERIC_ERROR_RESPONSE);
  }
};

// A target at the own node is reached in no time and without the network; an answer that is an error has no data, so it
// takes 1 + 7 cycles, as the request, where 17 flits take 16 more.
TEST(TlmAccesses, OfTheOwnNodeTakeNoTimeAndErrorsCarryNoData) {
  const ChildResult child = in_child([&]() -> std::string {
    const auto design = design_of(std::string("fabric: ideal\nideal: { nodes: 9, latency: 7cycles }\n") + kNothing);
    const auto plan = design->plan();
    TlmSystem network("network", *plan, {0, 5});
    HalfMemory own("own");
    HalfMemory other("other");
    network.map(kBase, kSize, 0);
    network.map(kBase + kSize, kSize, 5);
    network.node(0).target_side.bind(own.socket);
    network.node(5).target_side.bind(other.socket);
    struct Reader final : sc_core::sc_module {
      tlm_utils::simple_initiator_socket<Reader> socket{"socket"};
      explicit Reader(sc_core::sc_module_name name) : sc_module(name) {}
    } reader("reader");
    reader.socket.bind(network.node(0).initiator_side);
    endpoints::Counter counter;
    network.fabric().observe(counter);
    std::string out;
    sc_core::sc_spawn([&] {
      for (const sc_dt::uint64 address :
           {kBase, kBase + kSize / 2, kBase + kSize, kBase + kSize + kSize / 2, kBase + 2 * kSize}) {
        unsigned char data[1024];
        tlm::tlm_generic_payload p;
        p.set_command(tlm::TLM_READ_COMMAND);
        p.set_address(address);
        p.set_data_ptr(data);
        p.set_data_length(sizeof data);
        p.set_streaming_width(sizeof data);
        sc_core::sc_time delay;
        const sc_core::sc_time start = sc_core::sc_time_stamp();
        const std::uint64_t before = counter.all_bytes;
        reader.socket->b_transport(p, delay);
        out += fmt::format("{}: {} bytes, {} cycles\n", p.get_response_string(), counter.all_bytes - before,
                           (sc_core::sc_time_stamp() - start).value() / network.fabric().domain().period().ps);
      }
    });
    sc_core::sc_start(1, sc_core::SC_US);
    return out;
  });
  ASSERT_TRUE(child.ok) << child.text;
  EXPECT_EQ(child.text,
            "TLM_OK_RESPONSE: 0 bytes, 0 cycles\n"
            "TLM_GENERIC_ERROR_RESPONSE: 0 bytes, 0 cycles\n"
            "TLM_OK_RESPONSE: 1044 bytes, 32 cycles\n"
            "TLM_GENERIC_ERROR_RESPONSE: 20 bytes, 16 cycles\n"
            "TLM_ADDRESS_ERROR_RESPONSE: 0 bytes, 0 cycles\n");
}

std::string error_of(const std::string& yaml, const std::vector<NodeId>& nodes, ServiceId service = 0) {
  const ChildResult child = in_child([&]() -> std::string {
    try {
      const auto design = design_of(yaml);
      const auto plan = design->plan();
      TlmSystem network("network", *plan, nodes, service);
      network.map(kBase, kSize, nodes.front());
      network.map(kBase + kSize / 2, kSize, nodes.front());
    } catch (const InputError& e) {
      return e.what();
    }
    return "nothing";
  });
  EXPECT_TRUE(child.ok) << child.text;
  return child.text;
}

TEST(TlmSystemErrors, SayWhatIsWrong) {
  using ::testing::HasSubstr;
  const std::string ideal = std::string("fabric: ideal\nideal: { nodes: 4 }\n") + kNothing;
  EXPECT_THAT(error_of(ideal, {0, 4}), HasSubstr("there is no node 4 for a bridge: 4 nodes has nodes 0 to 3"));
  EXPECT_THAT(error_of(ideal, {0, 0}), HasSubstr("node 0 is named twice for a bridge"));
  EXPECT_THAT(error_of(ideal, {0}, 1), HasSubstr("there is no service 1 for bridges: there are 1"));
  EXPECT_THAT(error_of("fabric: optweb\nnodes: 4\nprogram: [ { op: barrier } ]\n", {0}),
              HasSubstr("bridges need a service level (qos.levels, with 'traffic: []')"));
  EXPECT_THAT(error_of(ideal, {0}), HasSubstr("region at 0x8800 overlaps the one at 0x8000"));
}

// What is wrong with an address map in a file, by its place; nothing if the map is sound.
std::string map_error(const std::string& regions) {
  const ScratchFolder folder;
  const std::string file = folder.write("map.yaml", "addresses:\n" + regions);
  const ChildResult child = in_child([&]() -> std::string {
    const auto design = design_of(std::string("fabric: ideal\nideal: { nodes: 4 }\n") + kNothing);
    const auto plan = design->plan();
    TlmSystem network("network", *plan, {0, 1});
    try {
      network.map(file);
    } catch (const InputError& e) {
      const std::string text = e.what();
      return text.substr(text.find("map.yaml"));
    }
    return "";
  });
  EXPECT_TRUE(child.ok) << child.text;
  return child.text;
}

TEST(TlmAddressMap, IsReadAndChecked) {
  using ::testing::HasSubstr;
  EXPECT_EQ(map_error("  - { base: 0x80000000, size: 64KiB, node: 1 }\n  - { base: 0, size: 4096B, node: 0 }\n"), "");
  EXPECT_EQ(map_error("  - { base: 0xffffffffffffff00, size: 256B, node: 1 }\n"), "");
  EXPECT_THAT(map_error("  - { base: 0xffffffffffffff00, size: 257B, node: 1 }\n"),
              HasSubstr("map.yaml:2:39: error: addresses.0: 257 bytes from 0xffffffffffffff00 on go beyond the last"));
  EXPECT_THAT(map_error("  - { base: 0x1000, size: 4KiB, node: 1 }\n  - { base: 0x1fff, size: 1B, node: 0 }\n"),
              HasSubstr("map.yaml:3:5: error: addresses.1: addresses from 0x1fff on are those of node 1 already"));
  EXPECT_THAT(map_error("  - { base: 1k, size: 4KiB, node: 1 }\n"),
              HasSubstr("map.yaml:2:13: error: addresses.0.base: expected an address such as 0x80000000, got '1k'"));
  EXPECT_THAT(map_error("  - { base: 0x0, size: 100b, node: 1 }\n"),
              HasSubstr("map.yaml:2:24: error: addresses.0.size: 100 bits are no whole number of bytes"));
  EXPECT_THAT(map_error("  - { base: 0x0, size: 4KiB, node: 2 }\n"),
              HasSubstr("map.yaml:2:5: error: node 2 has no bridge"));
  EXPECT_THAT(map_error("  - { base: 0x0, size: 4KiB, nod: 1 }\n"), HasSubstr("did you mean 'node'"));
}

// Without a circuit a report, and an error response where reports do not end the program.
TEST(TlmSystemErrors, NoWayIsAnErrorOfTheAccess) {
  const ChildResult child = in_child([&]() -> std::string {
    const auto design = design_of(
        "fabric: tdm\ntopology: { kind: mesh, dims: [3] }\nsetup: { mode: preset }\ncircuits: "
        "[ { source: 1, destination: 0 } ]\nsources: { arrivals: none }\n");
    const auto plan = design->plan();
    TlmSystem network("network", *plan, {0, 2});
    Memory memory("memory");
    Processor cpu("cpu", 0, 1, 1);
    network.map(kBase, kSize, 2);
    network.node(2).target_side.bind(memory.socket);
    cpu.socket.bind(network.node(0).initiator_side);
    sc_core::sc_report_handler::set_actions(sc_core::SC_ERROR, sc_core::SC_DO_NOTHING);
    sc_core::sc_start(1, sc_core::SC_MS);
    return cpu.wrong;
  });
  ASSERT_TRUE(child.ok) << child.text;
  EXPECT_EQ(child.text, "access 0: TLM_GENERIC_ERROR_RESPONSE");
}

// Requests and answers between nodes 0 and 5, over the network: as many messages as the report says, in its latencies
// and on its links; of the rest, the times are those of single messages.
TEST(TlmReport, HasEveryRequestAndAnswer) {
  for (const std::string& name : {"ib", "iq", "opa", "tdm", "tdm_in_network", "ideal", "optweb"}) {
    SCOPED_TRACE(name);
    const std::vector<TlmCase> cases = tlm_cases();
    const auto of_name = std::find_if(cases.begin(), cases.end(), [&](const TlmCase& c) { return c.name == name; });
    const ScratchFolder folder;
    const ChildResult child = in_child([&]() -> std::string {
      const auto design = design_of(of_name->network);
      const auto plan = design->plan();
      TlmSystem network("network", *plan, {0, 5});
      Memory memory("memory");
      Processor cpu("cpu", 0, 1, 50);
      network.map(kBase, kSize, 5);
      network.node(5).target_side.bind(memory.socket);
      cpu.socket.bind(network.node(0).initiator_side);
      for (int piece = 0; piece < 100; ++piece) sc_core::sc_start(10, sc_core::SC_US);
      if (!cpu.wrong.empty()) return cpu.wrong;
      if (network.write_report(folder.path("out")).size() < 4) return "there are files missing";
      try {
        network.report();
      } catch (const InputError& e) {
        return e.what();
      }
      return "a second report";
    });
    EXPECT_THAT(child.text, ::testing::HasSubstr("there is a report of this network already"));
    const auto report = nlohmann::json::parse(slurp(folder.path("out/report.json")));
    const auto figure = [&](const char* section, const char* key) {
      return report.at("figures").at(section).at(key).at("value").get<double>();
    };
    const auto rows = [&](const char* table) { return report.at("tables").at(table).at("rows"); };
    EXPECT_TRUE(report.at("complete").get<bool>());
    EXPECT_EQ(figure("run", "delivered"), 100);
    EXPECT_EQ(rows("services").at(0).at("messages"), 100);
    if (name == "ib" || name == "iq") {  // the shortest request, or answer, has one flit
      EXPECT_NEAR(figure("run", "latency_min"), static_cast<double>(of_name->request) * figure("network", "cycle"),
                  1e-6);
    }
    if (name != "ideal") EXPECT_GE(rows("links").size(), 2U);
  }
}

std::string misuse(const std::function<void(TlmSystem&)>& call, bool bound = true) {
  const ChildResult child = in_child([&]() -> std::string {
    const auto design = design_of(std::string("fabric: ideal\nideal: { nodes: 4 }\n") + kNothing);
    const auto plan = design->plan();
    TlmSystem network("network", *plan, {0, 1});
    std::unique_ptr<Memory> memory;
    network.map(kBase, kSize, 1);
    if (bound) {
      memory = std::make_unique<Memory>("memory");
      network.node(1).target_side.bind(memory->socket);
    }
    try {
      sc_core::sc_start(1, sc_core::SC_US);
      call(network);
    } catch (const InputError& e) {
      return e.what();
    } catch (const sc_core::sc_report& e) {
      return e.get_msg();
    }
    return "nothing";
  });
  EXPECT_TRUE(child.ok) << child.text;
  return child.text;
}

TEST(TlmSystemErrors, WhatComesTooLateOrTwiceIsRefused) {
  using ::testing::HasSubstr;
  const ScratchFolder folder;
  EXPECT_THAT(misuse([](TlmSystem& n) { n.node(0).configure({}); }), HasSubstr("configure() comes before time begins"));
  const auto open = [&](TlmSystem& n, const char* name) { n.open_waves(folder.path(name)); };
  EXPECT_THAT(misuse([&](TlmSystem& n) {
                open(n, "a.fst");
                open(n, "b.fst");
              }),
              HasSubstr("a waveform of this network is open; close_waves() comes first"));
  EXPECT_EQ(misuse([&](TlmSystem& n) {
              open(n, "a.fst");
              n.close_waves();
              open(n, "b.fst");
            }),
            "nothing");
}

TEST(TlmSystemErrors, ANodeThatOwnsAddressesHasATarget) {
  EXPECT_THAT(
      misuse([](TlmSystem&) {}, false),
      ::testing::HasSubstr("addresses from 0x8000 on belong to node 1, whose target_side is bound to no target"));
  EXPECT_EQ(misuse([](TlmSystem&) {}), "nothing");
}

}  // namespace
}  // namespace weft::test
