// Programs of 4,096 nodes over networks of as many switches: all messages arrive, on packets and on circuits.

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "base/diagnostics.h"
#include "cli/families.h"
#include "observe/report.h"
#include "schema/document.h"
#include "support/child.h"

namespace weft::test {
namespace {

constexpr int kManyNodes = 4096;

nlohmann::json run_of_many(const std::string& network, const std::string& program) {
  const ChildResult child = in_child([&]() -> std::string {
    Diagnostics diagnostics;
    const std::string yaml = network + "topology: { kind: torus, dims: [64, 64] }\nprogram: [ " + program +
                             ", { op: compute, time: 1us } ]\n";
    const auto design =
        cli::read_design(cli::builtin_families(), parse_document(yaml, "t.yaml", "."), "t.yaml", {}, diagnostics);
    const RunResult r = design->plan()->run({});
    return r.failure.empty() ? report_json(r.report) : nlohmann::json{{"failure", r.failure}}.dump();
  });
  EXPECT_TRUE(child.ok) << child.text;
  return child.ok ? nlohmann::json::parse(child.text) : nlohmann::json();
}

void expect_messages(const nlohmann::json& report, int messages) {
  ASSERT_FALSE(report.contains("failure")) << report["failure"];
  const auto& run = report["figures"]["run"];
  EXPECT_EQ(run["messages"]["value"], messages);
  EXPECT_EQ(run["bytes"]["value"], messages * 64);
}

TEST(LargePrograms, OnPackets) {
  const std::string level = "qos: { levels: { data: { message: 64B } } }\n";
  const std::string program = "{ op: broadcast, root: 5, size: 64B }, { op: sendrecv, shift: 1, size: 64B }";
  for (const std::string& network :
       {std::string("fabric: packet\n"),
        std::string("fabric: packet\nswitch: { architecture: iq }\nrouting: { ring: dateline }\n")}) {
    SCOPED_TRACE(network);
    expect_messages(run_of_many(network + level, program), 2 * kManyNodes - 1);
  }
}

TEST(LargePrograms, OnCircuits) {
  for (const char* mode : {"preset", "in_network"}) {
    SCOPED_TRACE(mode);
    expect_messages(run_of_many(std::string("fabric: tdm\nswitch: { slots: 16 }\nsetup: { mode: ") + mode + " }\n",
                                "{ op: sendrecv, shift: 1, size: 64B }"),
                    kManyNodes);
  }
}

}  // namespace
}  // namespace weft::test
