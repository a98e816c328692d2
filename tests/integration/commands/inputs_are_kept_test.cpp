// Inputs of commands are never written over, whichever option names the output and whatever the input is called.

#include <filesystem>
#include <map>

#include "support/program.h"
#include "support/scratch.h"

namespace weft::test {
namespace {

using ::testing::HasSubstr;
namespace fs = std::filesystem;

const std::string kRun =
    "fabric: packet\ntopology: { kind: mesh, dims: [2] }\nqos: { levels: { a: { message: 64B } } }\n"
    "run: { warm_up: 0ns, measure: 1us }\n";
const std::string kMessages = "time_ns,source,destination,level\n0,0,1,a\n";
const std::string kTable = "service_levels:\n  - { name: a, distance: 2, share: 0.25, mtu: 64B }\n";
const std::string kJobs = "0 5 4 0 1 0 0\n";

struct Kept {
  std::string name;
  std::map<std::string, std::string> files;
  std::vector<std::string> arguments;
  std::string said;  ///< name of the file in the message
};

void PrintTo(const Kept& kept, std::ostream* out) { *out << kept.name; }

class Inputs : public ::testing::TestWithParam<Kept> {};

TEST_P(Inputs, AreNotWrittenOver) {
  const ScratchFolder folder;
  fs::create_directory(folder.path("in"));
  fs::create_directory_symlink(folder.path("in"), folder.path("same"));
  for (const auto& [name, content] : GetParam().files) folder.write(name, content);
  std::vector<std::string> arguments = GetParam().arguments;
  arguments.emplace_back("--overwrite");  // is about files that nobody reads
  const ProgramResult r = weft(arguments, {folder.path()});
  EXPECT_EQ(r.status, 2) << r.out;
  EXPECT_THAT(r.err, HasSubstr(GetParam().said + ": error: is read by this command and would be overwritten"));
  for (const auto& [name, content] : GetParam().files) EXPECT_EQ(slurp(folder.path(name)), content) << name;
}

INSTANTIATE_TEST_SUITE_P(
    Of, Inputs,
    ::testing::Values(
        Kept{"configuration_called_fst",
             {{"w.fst", kRun + "traffic: [ { level: a, load: 0.1 } ]\n"}},
             {"run", "w.fst", "--waves", "w.fst"},
             "w.fst"},
        Kept{"by_another_way",
             {{"in/w.fst", kRun + "traffic: [ { level: a, load: 0.1 } ]\n"}},
             {"run", "in/w.fst", "--waves", "same/../in/w.fst"},
             "same/../in/w.fst"},
        Kept{"through_a_link",
             {{"in/w.fst", kRun + "traffic: [ { level: a, load: 0.1 } ]\n"}},
             {"run", "in/w.fst", "--waves", "same/w.fst"},
             "same/w.fst"},
        Kept{"trace_called_fst",
             {{"c.yaml", kRun + "trace: w.fst\n"}, {"w.fst", kMessages}},
             {"run", "c.yaml", "--waves", "w.fst"},
             "w.fst"},
        Kept{"base_called_as_the_view",
             {{"c.yaml", "base: w.gtkw\n"}, {"w.gtkw", kRun + "traffic: [ { level: a, load: 0.1 } ]\n"}},
             {"run", "c.yaml", "--waves", "w.fst"},
             "w.gtkw"},
        Kept{"while_it_is_written",
             {{"w.fst.part", kRun + "traffic: [ { level: a, load: 0.1 } ]\n"}},
             {"run", "w.fst.part", "--waves", "w.fst"},
             "w.fst"},
        Kept{"trace_in_the_folder_of_results",
             {{"c.yaml", kRun + "trace: in/messages.csv\n"}, {"in/messages.csv", kMessages}, {"in/links.csv", "old\n"}},
             {"run", "c.yaml", "--out", "in"},
             "in/messages.csv"},
        Kept{"predictions",
             {{"in/services.csv", kRun + "traffic: [ { level: a, load: 0.1 } ]\n"}},
             {"check", "in/services.csv", "--out", "in"},
             "in/services.csv"},
        Kept{"requirements", {{"in/table.yaml", kTable}}, {"dtable", "in/table.yaml", "--out", "in"}, "in/table.yaml"},
        Kept{"jobs",
             {{"in/jobs.csv", kJobs}},
             {"schedule", "in/jobs.csv", "--dims", "4,4", "--out", "in"},
             "in/jobs.csv"},
        Kept{"workload", {{"jobs.txt", kJobs}}, {"workload", "jobs.txt", "--out", "jobs.txt"}, "jobs.txt"},
        Kept{"sweep",
             {{"c.yaml", kRun + "traffic: [ { level: a, load: 0.1 } ]\n"},
              {"in/summary.csv",
               "sweep: ../c.yaml\naxes: [ { key: traffic.0.load, values: [0.1] } ]\nseeds: 1\n"
               "metrics: { m: sections.run.delivered }\n"}},
             {"sweep", "in/summary.csv", "--out", "in"},
             "in/summary.csv"}),
    [](const auto& view) { return view.param.name; });

}  // namespace
}  // namespace weft::test
