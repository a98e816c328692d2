// Fabrics of equal period on one clock domain, such as a plane of circuits and one of packets: each gives the report
// that it gives alone.

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <memory>

#include "cli/families.h"
#include "observe/transfer_stats.h"
#include "run/fabric_plan.h"
#include "run/program_report.h"
#include "schema/document.h"
#include "support/child.h"
#include "workload/program_client.h"

namespace weft::test {
namespace {

constexpr const char* kProgram =
    "program:\n"
    "  - { op: broadcast, root: 5, size: 4KiB }\n"
    "  - { op: sendrecv, shift: 1, size: 2KiB }\n"
    "  - { op: allreduce, size: 8B }\n"
    "  - { op: alltoall, size: 1KiB }\n";

// All with a cycle of 10 ns, and 16 nodes.
std::string planes_of_circuits(const std::string& mode) {
  return "fabric: tdm\ntopology: { kind: mesh, dims: [4, 4] }\nsetup: { mode: " + mode +
         " }\nswitch: { slots: 18, serdes: 4cycles }\nslots: { allocator: search }\n" + kProgram;
}
std::string planes_of_packets(const std::string& architecture) {
  return "fabric: packet\ntopology: { kind: mesh, dims: [4, 4] }\nlink: { rate: 51.2Gb/s, flit: 64B }\n"
         "switch: { architecture: " +
         architecture + " }\nqos: { levels: { data: { message: 2KiB } } }\n" + kProgram;
}

class Plane {
 public:
  Plane(ClockDomain& domain, const std::string& yaml) : domain_(domain) {
    Diagnostics diagnostics;
    design_ = cli::read_design(cli::builtin_families(), parse_document(yaml, "t.yaml", "."), "t.yaml", {}, diagnostics);
    plan_ = design_->plan();
    const auto& plan = dynamic_cast<const FabricPlan&>(*plan_);
    const Workload& w = plan.workload();
    built_ = plan.build(domain, Part{});
    TransferStatsOptions options;
    for (const ServiceConfig& s : w.traffic.services) options.services.push_back({s.name, s.traffic_class, s.message});
    options.tick = domain.period();
    options.flit_bits = plan.flit_bits();
    options.nodes = built_->fabric().nodes();
    stats_ = std::make_unique<TransferStats>(options, Window{0, Window::kOpen});
    built_->fabric().observe(*stats_);
    programs_ = std::make_unique<ProgramClient>(w.programs, w.traffic.seed, built_->fabric(), [](Cycle) {});
    programs_->join(domain);
    if (!built_->fabric().when_ready([this](Cycle now) { programs_->begin_now(now); })) programs_->begin_at(0);
  }
  static Duration period_of(const std::string& yaml) {
    Diagnostics diagnostics;
    const auto design =
        cli::read_design(cli::builtin_families(), parse_document(yaml, "t.yaml", "."), "t.yaml", {}, diagnostics);
    return dynamic_cast<const FabricPlan&>(*design->plan()).workload().traffic.period;
  }

  std::string report() {
    const Cycle end = programs_->finished_at();
    if (end < 0) throw RunError("the programs are not over");
    built_->fabric().check_conservation(domain_.now() + built_->fabric().watchdog_interval());
    const auto& plan = dynamic_cast<const FabricPlan&>(*plan_);
    stats_->close(end - 1);
    for (WindowedStats* s : built_->windowed()) s->close(end - 1);
    ReportData report = plan.header();
    report.sections.push_back(program_run({plan.workload().programs.programs, programs_->executor(), domain_.period(),
                                           programs_->began_at(), end, stats_->all()}));
    report.tables = {stats_->services(), stats_->histogram()};
    report.complete = true;
    built_->add_results({end, true, false, stats_->window()}, report);
    return report_json(report);
  }

 private:
  ClockDomain& domain_;
  std::unique_ptr<Design> design_;
  std::unique_ptr<Plan> plan_;
  std::unique_ptr<BuiltFabric> built_;
  std::unique_ptr<TransferStats> stats_;
  std::unique_ptr<ProgramClient> programs_;
};

// Reports of the planes, which share a clock.
std::vector<std::string> reports(const std::vector<std::string>& yamls) {
  constexpr const char* kBetween = "\n====\n";
  const ChildResult child = in_child([&] {
    ClockDomain domain("clock", Plane::period_of(yamls.front()));
    std::vector<std::unique_ptr<Plane>> planes;
    for (const std::string& yaml : yamls) planes.push_back(std::make_unique<Plane>(domain, yaml));
    sc_core::sc_start();
    std::string out;
    for (auto& plane : planes) out += plane->report() + kBetween;
    return out;
  });
  EXPECT_TRUE(child.ok) << child.text;
  std::vector<std::string> out;
  std::size_t at = 0;
  for (std::size_t end = 0; (end = child.text.find(kBetween, at)) != std::string::npos;) {
    out.push_back(child.text.substr(at, end - at));
    at = end + std::string(kBetween).size();
  }
  out.resize(yamls.size());
  return out;
}

struct Pair {
  std::string one, other;
};
void PrintTo(const Pair& pair, std::ostream* out) { *out << pair.one.substr(0, pair.one.find('\n')); }

class Planes : public testing::TestWithParam<Pair> {};

TEST_P(Planes, OfOneClockGiveTheReportsTheyGiveAlone) {
  const auto& [one, other] = GetParam();
  ASSERT_EQ(Plane::period_of(one).ps, 10'000);
  ASSERT_EQ(Plane::period_of(other).ps, 10'000);
  const std::vector<std::string> together = reports({one, other});
  EXPECT_GT(together[0].size(), 1000U);
  EXPECT_GT(together[1].size(), 1000U);
  EXPECT_EQ(together[0], reports({one})[0]);
  EXPECT_EQ(together[1], reports({other})[0]);
  const std::vector<std::string> turned = reports({other, one});
  EXPECT_EQ(turned[0], together[1]);
  EXPECT_EQ(turned[1], together[0]);
}

INSTANTIATE_TEST_SUITE_P(Of, Planes,
                         testing::Values(Pair{planes_of_circuits("preset"), planes_of_packets("ib")},
                                         Pair{planes_of_circuits("central"), planes_of_packets("iq")},
                                         Pair{planes_of_packets("opa"), planes_of_packets("ib")}),
                         [](const auto& test) { return "pair" + std::to_string(test.index); });

}  // namespace
}  // namespace weft::test
