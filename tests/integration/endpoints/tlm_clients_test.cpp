// TLM-2.0 modules of a user at the nodes of every fabric (run/tlm_system.h): what is written is read, over the network
// and within a node, and an access that meets nobody takes the times of two transfers and of the memory.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/diagnostics.h"
#include "integration/endpoints/endpoint_bench.h"
#include "integration/endpoints/tlm_modules.h"
#include "run/tlm_system.h"
#include "support/child.h"
#include "support/scratch.h"

namespace weft::test {
namespace {

using endpoints::design_of;

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

}  // namespace
}  // namespace weft::test
