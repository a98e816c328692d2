// Files that a configuration names are read once by a command, however many of its steps need them: inotify counts.

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <cstdint>
#include <string>
#include <vector>

#include "support/program.h"
#include "support/scratch.h"

namespace weft::test {
namespace {

/// Times that a file is opened while it lives.
class OpenCount {
 public:
  explicit OpenCount(const std::string& file) : watch_(::inotify_init1(IN_NONBLOCK | IN_CLOEXEC)) {
    EXPECT_GE(::inotify_add_watch(watch_, file.c_str(), IN_CLOSE), 0) << file;
  }
  ~OpenCount() { ::close(watch_); }
  OpenCount(const OpenCount&) = delete;
  OpenCount& operator=(const OpenCount&) = delete;
  int times() {
    alignas(inotify_event) char events[4096];
    for (ssize_t got = 0; (got = ::read(watch_, events, sizeof events)) > 0;) {
      times_ += static_cast<int>(got / static_cast<ssize_t>(sizeof(inotify_event)));  // without names: it is a file
    }
    return times_;
  }

 private:
  int watch_;
  int times_ = 0;
};

struct NamedInput {
  std::string name;  ///< of the file
  std::string text;
  std::string configuration;
};

const std::vector<NamedInput>& named_inputs() {
  static const std::string packet =
      "fabric: packet\nqos: { levels: { a: { message: 64B } } }\nrun: { warm_up: 0ns, measure: 10us }\n";
  static const std::string mesh = "topology: { kind: mesh, dims: [2, 2] }\n";
  static const std::string program = "nodes: 4\nprogram: [ { op: barrier }, { op: alltoall, size: 4KiB } ]\n";
  static const std::string trace = "time_ns,source,destination,level\n10,0,1,a\n20,1,2,a\n";
  static const std::vector<NamedInput> all{
      {"program.yaml", program,
       "fabric: packet\nqos: { levels: { a: { message: 64B } } }\n" + mesh + "program_file: program.yaml\n"},
      {"program.yaml", program, "fabric: tdm\n" + mesh + "program_file: program.yaml\n"},
      {"program.yaml", program, "fabric: optweb\nnodes: 4\nprogram_file: program.yaml\n"},
      {"program.yaml", program,
       "fabric: ideal\nideal: { nodes: 4 }\nqos: { levels: { a: { message: 64B } } }\nprogram_file: program.yaml\n"},
      {"trace.csv", trace, packet + mesh + "trace: trace.csv\n"},
      {"trace.csv", trace,
       "fabric: tdm\nqos: { levels: { a: { message: 64B } } }\nrun: { warm_up: 0ns, measure: 10us }\n" + mesh +
           "trace: trace.csv\n"},
      {"network.txt", "switches 2 ports 2\nlink 0:0 1:0\nnode 0 0:1\nnode 1 1:1\n",
       packet + "topology: { kind: file, file: network.txt }\nrouting: { algorithm: up_down }\n"
                "traffic: [ { level: a, load: 0.1 } ]\n"},
      {"circuits.txt", "0 1 0\n1 2 1\n",
       "fabric: tdm\n" + mesh + "circuits_file: circuits.txt\nsources: { messages: 4 }\n"}};
  return all;
}

TEST(InputsReadOnce, ByRunsAndChecks) {
  for (const NamedInput& input : named_inputs()) {
    for (const char* command : {"run", "check"}) {
      SCOPED_TRACE(std::string(command) + "\n" + input.configuration);
      const ScratchFolder folder;
      const std::string file = folder.write(input.name, input.text);
      const std::string config = folder.write("c.yaml", input.configuration);
      OpenCount opened(file);
      Arguments arguments{command, config, "--json"};
      if (arguments.front() == "run") arguments.push_back("--no-files");
      const ProgramResult r = weft(arguments);
      EXPECT_EQ(r.status, 0) << r.err;
      EXPECT_EQ(opened.times(), 1);
    }
  }
}

}  // namespace
}  // namespace weft::test
