// User logic of a design behind the changeover switch of an OPTWEB node: it sees the bytes of the memory, its words
// take turns at the memory interfaces, and its work takes the time it says.

#include <algorithm>
#include <array>
#include <cstring>

#include "algorithms/optweb/assembler.h"
#include "algorithms/optweb/clock_period.h"
#include "base/diagnostics.h"
#include "fabrics/optweb/optweb_network.h"
#include "run/optweb/optweb_family.h"
#include "support/child.h"

namespace weft::test {
namespace {

constexpr std::uint64_t kUserStripe = 2 * 64 * 1024;
constexpr Cycle kWork = 100;

/// Adds neighbours: 1,024 words of stripe 1 become 512 words of stripe 0, from its address 64 KiB on.
class AddsNeighbours final : public UserLogic {
 public:
  UserStreams streams(const optweb::MachineInstruction&) override {
    UserStreams out{{{kUserStripe, 32 * 1024}}, {{64 * 1024, 16 * 1024}}};
    if (twice) out.reads.push_back({kUserStripe + 64, 32});
    if (far) out.writes.front().address = 4 * kUserStripe;
    return out;
  }
  Cycle compute(const optweb::MachineInstruction&, optweb::SparseMemory& memory) override {
    std::vector<std::uint32_t> in(8 * 1024), out(4 * 1024);
    memory.read(kUserStripe, std::as_writable_bytes(std::span(in)));
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = in[2 * i] + in[2 * i + 1];
    memory.write(64 * 1024, std::as_bytes(std::span(out)));
    return kWork;
  }
  bool twice = false;
  bool far = false;
};

struct UserRun {
  Cycle completed = 0;
  std::uint64_t read = 0, written = 0;
  bool right = false;
};

/// One compute instruction at node 0 of two; `logic`: null: the one that takes so many cycles.
UserRun run_user(UserLogic* logic, Cycle cycles, const std::string& more = {}) {
  Diagnostics diagnostics;
  const OptwebConfig config = parse_optweb_config(
      fmt::format("fabric: optweb\nnodes: 2\nseed: 7\nmemory: {{ interfaces: 4, capacity: 256KiB }}\nprogram:\n"
                  "  - {{ op: compute, time: {}ns, at: [0] }}\n{}",
                  5 * cycles, more),
      "t.yaml", ".", {}, diagnostics);
  const optweb::MachinePrograms programs = optweb::assemble(config);
  optweb::BlockFactory blocks;
  ClockDomain domain("clock", optweb::agenda_period(config));
  OptwebNetwork network("optweb", domain, config, programs, blocks);
  OptwebNode& node = network.node(0);
  if (logic != nullptr) node.set_user_logic(*logic);
  domain.capture_failures();
  std::vector<std::uint32_t> in(8 * 1024), out(4 * 1024);
  node.memory().bytes().read(kUserStripe, std::as_writable_bytes(std::span(in)));
  network.load_programs();
  network.load_host_traffic();
  sc_core::sc_start();
  if (domain.failure()) std::rethrow_exception(domain.failure());
  node.memory().bytes().read(64 * 1024, std::as_writable_bytes(std::span(out)));
  UserRun r;
  r.right = true;
  for (std::size_t i = 0; i < out.size(); ++i) r.right = r.right && out[i] == in[2 * i] + in[2 * i + 1];
  r.completed = node.last_completed();
  r.read = node.memory().interfaces().words_read(2);
  r.written = node.memory().interfaces().words_written(1);
  EXPECT_TRUE(network.finished());
  return r;
}

std::string texts(const UserRun& r) { return fmt::format("{} {} {} {}", r.completed, r.read, r.written, r.right); }

std::string in_a_child(const std::function<UserRun()>& run) {
  const ChildResult r = in_child([&] { return texts(run()); });
  return r.text;
}

// dispatch 3 and read 50, 1,024 words in, the work, 512 words out: as much as a logic without words that takes as long.
constexpr Cycle kAlone = 3 + 50 + 1024 + kWork + 512;

TEST(OptwebUserLogic, WordsTakeTheirTimeAtTheMemory) {
  const std::string timed = in_a_child([] { return run_user(nullptr, kAlone); });
  const Cycle end = std::stoll(timed);
  EXPECT_EQ(timed, fmt::format("{} 0 0 false", end));
  EXPECT_EQ(in_a_child([] {
              AddsNeighbours logic;
              return run_user(&logic, 1);
            }),
            fmt::format("{} 1024 512 true", end));
}

// A host that reads 256 words of the same interface gets every other turn: the logic is over 256 cycles later. In the
// other interface of the stripe, or when the logic works, it costs nothing.
TEST(OptwebUserLogic, SharesTheInterfaceWithTheHost) {
  const auto end = [](const std::string& host) {
    return std::stoll(in_a_child([&] {
      AddsNeighbours logic;
      return run_user(&logic, 1, host.empty() ? "" : "host:\n  - { node: 0, op: read, " + host + " }\n");
    }));
  };
  const Cycle alone = end("");
  EXPECT_EQ(end("stripe: 1, size: 8KiB, at: 1us"), alone + 256);
  EXPECT_EQ(end("stripe: 1, address: 64KiB, size: 8KiB, at: 1us"), alone);
  EXPECT_EQ(end("stripe: 1, size: 1KiB, at: 5450ns"), alone);
  EXPECT_EQ(end("stripe: 0, address: 64KiB, size: 4KiB, at: 6us"), alone + 128);
}

TEST(OptwebUserLogic, StreamsAreChecked) {
  const auto error = [](bool twice, bool far) {
    return in_a_child([&] {
      AddsNeighbours logic;
      logic.twice = twice;
      logic.far = far;
      return run_user(&logic, 1);
    });
  };
  EXPECT_NE(error(true, false).find("optweb.node[0].user_port: the user logic is to read stripe 1 twice at a time"),
            std::string::npos)
      << error(true, false);
  EXPECT_NE(error(false, true)
                .find("the user logic is to write 16384 bytes at 0x80000, which are not within one of the "
                      "2 stripes of 131072 bytes"),
            std::string::npos)
      << error(false, true);
}

}  // namespace
}  // namespace weft::test
