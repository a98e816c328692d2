// Latency of a single message through packet networks, from YAML to the report, against closed forms.

#include <gtest/gtest.h>

#include "base/diagnostics.h"
#include "run/packet/packet_family.h"
#include "run/packet/packet_plan.h"
#include "schema/document.h"
#include "support/packet_runs.h"
#include "support/scratch.h"

namespace weft::test {
namespace {

double latency_of_one(const std::string& yaml, const std::string& line, const Overrides& set = {}) {
  const ScratchFolder folder;
  const std::string trace = folder.write("t.csv", "time_ns,source,destination,level\n" + line + "\n");
  const PacketOutcome r = run_packet_yaml(yaml + "trace: " + trace + "\nrun: { warm_up: 0ns, measure: 10us }\n", set);
  EXPECT_EQ(r.error + r.failure, "");
  if (r.report.is_null()) return -1;
  EXPECT_EQ(r.cell("services", 0, "messages"), 1);
  EXPECT_EQ(r.cell("services", 0, "queueing"), 0.0);
  EXPECT_EQ(r.cell("services", 0, "latency_min"), r.cell("services", 0, "latency_max"));
  EXPECT_NEAR(r.cell("services", 0, "queueing").get<double>() + r.cell("services", 0, "network").get<double>() +
                  r.cell("services", 0, "serialization").get<double>(),
              r.cell("services", 0, "latency_mean").get<double>(), 1e-9);
  return r.cell("services", 0, "latency_mean").get<double>();
}

// ob + link + H * (ib + rt + va + x + ob + link) + F - 1 cycles of 5.12 ns; OPA: va + x more per crossing of MPorts.
TEST(PacketZeroLoad, ZeroLoadLatencyIsTheClosedForm) {
  const std::string nc = "qos: { levels: { NC: { message: 192B } } }\n";
  const std::string tree = "fabric: packet\ntopology: { kind: tree, arity: 24, levels: 2 }\n" + nc;
  // Three switches, and in each another MPort than it came by: leaf 0 up, root, leaf 23 down to its port 5.
  EXPECT_NEAR(latency_of_one(tree, "100,0,557,NC"), 112.64, 1e-9);  // 22 cycles
  EXPECT_NEAR(latency_of_one(tree, "100,0,557,NC", {"switch.architecture=opa"}), 28 * 5.12, 1e-9);
  // All inside one MPort: an MPort of all ports.
  EXPECT_NEAR(latency_of_one(tree, "100,0,557,NC", {"switch.architecture=opa", "switch.mport.ports=48"}), 112.64, 1e-9);
  // Every latency once, on a line of switches.
  const std::string line =
      "fabric: packet\ntopology: { kind: mesh, dims: [5] }\nlink: { delay: 7cycles, credit_delay: 3cycles }\n"
      "switch: { stages: { input: 2cycles, routing: 3cycles, allocation: 4cycles, crossbar: 5cycles, output: 6cycles } "
      "}\n"
      "qos: { levels: { a: { message: 640B } } }\n";
  for (int switches = 1; switches <= 5; ++switches) {
    const int cycles = 6 + 7 + switches * (2 + 3 + 4 + 5 + 6 + 7) + 10 - 1;
    const std::string trace = fmt::format("0,{},{},a", 5 - switches, 4);
    EXPECT_NEAR(latency_of_one(line, trace), cycles * 5.12, 1e-9) << switches;
    EXPECT_NEAR(
        latency_of_one(line, trace, {"switch.architecture=opa", "switch.mport.ports=1", "switch.mport.central_rate=1"}),
        // An MPort of one port: every switch is a crossing, except one where a message leaves by its own port.
        (cycles + (switches == 1 ? 0 : switches * (4 + 5))) * 5.12, 1e-9)
        << switches;
  }
}

// H (bw + rc + va + sa + st) + (H + 1) link + F - 1 cycles; the buffers cover the way of a credit.
TEST(PacketZeroLoad, ZeroLoadLatencyOfInputQueuedRoutersIsTheClosedForm) {
  const std::string line =
      "fabric: packet\ntopology: { kind: mesh, dims: [5] }\nlink: { delay: 7cycles, credit_delay: 3cycles }\n"
      "switch: { architecture: iq, iq: { vcs: 2, buffer: 4096B, stages: { buffer_write: 1cycle, routing: 2cycles, "
      "vc_allocation: 3cycles, switch_allocation: 4cycles, crossbar: 5cycles } } }\n"
      "qos: { levels: { a: { message: 640B } } }\n";
  for (int routers = 1; routers <= 5; ++routers) {
    const int cycles = routers * (1 + 2 + 3 + 4 + 5) + (routers + 1) * 7 + 10 - 1;
    const std::string trace = fmt::format("0,{},{},a", 5 - routers, 4);
    EXPECT_NEAR(latency_of_one(line, trace), cycles * 5.12, 1e-9) << routers;
    EXPECT_NEAR(latency_of_one(line, trace, {"switch.iq.allocator=islip", "switch.iq.iterations=3"}), cycles * 5.12,
                1e-9)
        << routers;
  }
}

TEST(PacketZeroLoad, CheckTellsTheSameLatencyAsTheRun) {
  const std::string yaml =
      "fabric: packet\ntopology: { kind: mesh, dims: [2], nodes_per_switch: 2 }\n"
      "qos: { levels: { a: { message: 300B } } }\n";
  const double ran = latency_of_one(yaml, "0,0,1,a");
  Diagnostics diagnostics;
  const PacketConfig config =
      parse_packet_config(yaml + "traffic: [ { level: a, load: 0 } ]\n", "t.yaml", ".", {}, diagnostics);
  const PacketPlatform platform(config);
  const auto plan = nlohmann::json::parse(report_json(plan_packet(platform).report));
  EXPECT_NEAR(plan["tables"]["services"]["rows"][0]["latency_1_switch"].get<double>(), ran, 1e-9);
}

}  // namespace
}  // namespace weft::test
