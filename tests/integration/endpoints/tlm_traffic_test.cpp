// TLM-2.0 initiators and targets of both styles at all nodes of every fabric: random traffic with every choice of the
// base protocol, under a checker on each socket, every byte compared; and the times of single transactions.

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "integration/endpoints/endpoint_bench.h"
#include "run/tlm_system.h"
#include "support/child.h"
#include "support/tlm_agents.h"
#include "support/tlm_checker.h"

namespace weft::test {
namespace {

using namespace endpoints;

constexpr unsigned kMemory = 1024;
constexpr unsigned kOutstanding = 6;
constexpr unsigned kTargetOutstanding = 5;

class TlmTraffic : public ::testing::TestWithParam<FabricCase> {};

// Three of four initiators and every second memory are approximately timed. Returns what is wrong.
std::string traffic_over(const FabricCase& where, std::uint64_t seed) {
  const auto design = design_of(where.network);
  const auto plan = design->plan();
  const unsigned nodes = where.nodes;
  std::vector<NodeId> all(nodes);
  std::iota(all.begin(), all.end(), 0);
  TlmSystem network("network", *plan, all);
  const sc_core::sc_time cycle = network.fabric().domain().period_time();
  tlm::tlm_global_quantum::instance().set(100 * cycle);
  std::vector<std::unique_ptr<AtInitiator>> at;
  std::vector<std::unique_ptr<LtInitiator>> lt;
  std::vector<std::unique_ptr<AtMemory>> memories;
  std::vector<std::unique_ptr<TlmChecker>> checkers;
  TlmPlan accesses;
  accesses.memory = kMemory;
  accesses.memories = nodes;
  accesses.part = kMemory / nodes;
  accesses.transactions = 150;
  for (NodeId n = 0; n < nodes; ++n) {
    TlmBridge& bridge = network.node(n);
    bridge.configure({kOutstanding, n % 2 == 0, kTargetOutstanding});
    network.map(n * kMemory, kMemory, n);
    memories.push_back(std::make_unique<AtMemory>(fmt::format("memory{}", n).c_str(), kMemory, seed, 40 * cycle));
    checkers.push_back(std::make_unique<TlmChecker>(fmt::format("at_target{}", n).c_str()));
    bridge.target_side.bind(checkers.back()->initiator);
    checkers.back()->target.bind(memories.back()->socket);
    accesses.number = n;
    accesses.pause = (n % 3) * 10 * cycle;
    checkers.push_back(std::make_unique<TlmChecker>(fmt::format("at_initiator{}", n).c_str()));
    checkers.back()->target.bind(bridge.initiator_side);
    if (n % 4 == 3) {
      lt.push_back(std::make_unique<LtInitiator>(fmt::format("lt{}", n).c_str(), accesses, seed));
      lt.back()->socket.bind(checkers.back()->initiator);
    } else {
      at.push_back(std::make_unique<AtInitiator>(fmt::format("at{}", n).c_str(), accesses, seed));
      at.back()->socket.bind(checkers.back()->initiator);
    }
  }
  const auto answered = [&] {
    std::uint64_t sum = 0;
    for (const auto& i : at) sum += i->answered;
    for (const auto& i : lt) sum += i->answered;
    return sum;
  };
  const std::uint64_t expected = nodes * accesses.transactions;
  std::uint64_t before = 0;
  do {  // as long as answers come
    before = answered();
    sc_core::sc_start(40'000 * cycle);
  } while (answered() < expected && answered() > before);
  sc_core::sc_start(1000 * cycle);
  for (const auto& c : checkers) {
    if (c->violations > 0) return fmt::format("{} violations; {}", c->violations, c->first);
    if (c->unfinished() > 0) return fmt::format("{}: {} unfinished", c->name(), c->unfinished());
  }
  for (const auto& i : at) {
    if (!i->wrong.empty()) return i->wrong;
  }
  for (const auto& i : lt) {
    if (!i->wrong.empty()) return i->wrong;
  }
  if (answered() != expected) return fmt::format("{} of {} answers", answered(), expected);
  std::uint64_t overtaken = 0;
  for (const auto& i : at) {
    if (i->leaked() > 0) return fmt::format("{} payloads of {} are not given back", i->leaked(), i->name());
    overtaken += i->overtaken;
  }
  if (overtaken == 0) return "no answer has overtaken another";
  std::uint64_t completed = 0;
  std::uint64_t most_of_initiators = 0;
  std::uint64_t most_of_targets = 0;
  for (std::size_t i = 0; i < checkers.size(); ++i) {
    completed += checkers[i]->completed;
    std::uint64_t& most = i % 2 == 0 ? most_of_targets : most_of_initiators;
    most = std::max(most, checkers[i]->most);
  }
  if (completed != 2 * expected) return fmt::format("{} transactions at {} sockets", completed, checkers.size());
  // One more is between BEGIN_REQ and END_REQ.
  if (most_of_initiators != kOutstanding + 1) return fmt::format("{} at once at an initiator", most_of_initiators);
  if (most_of_targets > kTargetOutstanding) return fmt::format("{} at once at a target", most_of_targets);
  Fabric& fabric = network.fabric();
  if (fabric.outstanding() != 0) return "something is left: " + fabric.describe_stall();
  fabric.check_conservation(fabric.domain().now() + fabric.watchdog_interval());
  return "";
}

TEST_P(TlmTraffic, KeepsTheProtocolAndEveryByte) {
  for (std::uint64_t seed = 1; seed <= static_cast<std::uint64_t>(soak()); ++seed) {
    const ChildResult child = in_child([&] { return traffic_over(GetParam(), seed); });
    ASSERT_TRUE(child.ok) << "seed " << seed << ": " << child.text;
    ASSERT_EQ(child.text, "") << "seed " << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(Fabrics, TlmTraffic, ::testing::ValuesIn(cases()), [](const auto& p) { return p.param.name; });

/// Plays a fixed sequence: reads of 4 bytes, and what comes of each, by the cycle.
class Player final : public sc_core::sc_module, private tlm::tlm_mm_interface {
 public:
  tlm_utils::simple_initiator_socket<Player> socket{"socket"};
  SC_HAS_PROCESS(Player);
  Player(sc_core::sc_module_name name, unsigned count, Cycle answer_time, sc_core::sc_time cycle)
      : sc_module(name), count_(count), answer_time_(answer_time), cycle_(cycle) {
    socket.register_nb_transport_bw(this, &Player::nb_transport_bw);
    SC_THREAD(play);
    SC_THREAD(end);
  }
  std::string heard;
  sc_dt::uint64 address = 0;
  void send(tlm::tlm_generic_payload& p, const tlm::tlm_phase& phase, bool managed = true) {
    if (phase == tlm::BEGIN_REQ) {
      p.set_command(tlm::TLM_READ_COMMAND);
      p.set_address(address);
      p.set_data_ptr(data_);
      p.set_data_length(4);
      p.set_streaming_width(4);
      p.set_response_status(tlm::TLM_INCOMPLETE_RESPONSE);
      if (managed) p.set_mm(this);
      if (managed) p.acquire();
    }
    tlm::tlm_phase told = phase;
    sc_core::sc_time delay;
    if (socket->nb_transport_fw(p, told, delay) == tlm::TLM_COMPLETED && phase == tlm::BEGIN_REQ) {
      note(p, "completed " + p.get_response_string());
    }
  }
  tlm::tlm_generic_payload payloads[3];

 private:
  void note(const tlm::tlm_generic_payload& p, const std::string& what) {
    heard += fmt::format("{}{} {} {}", heard.empty() ? "" : ", ", &p - payloads, what,
                         sc_core::sc_time_stamp().value() / cycle_.value());
  }
  void play() {
    for (unsigned i = 0; i < count_; ++i) {
      send(payloads[i], tlm::BEGIN_REQ);
      if (i + 1 < count_) sc_core::wait(ended_);
    }
  }
  void end() {
    for (;;) {
      sc_core::wait(responded_);
      sc_core::wait(answer_time_ * cycle_);
      send(*responding_, tlm::END_RESP);
    }
  }
  tlm::tlm_sync_enum nb_transport_bw(tlm::tlm_generic_payload& p, tlm::tlm_phase& phase, sc_core::sc_time&) {
    note(p, phase == tlm::END_REQ ? "end" : p.is_response_ok() ? "answer" : p.get_response_string());
    if (phase == tlm::BEGIN_RESP) responding_ = &p;
    (phase == tlm::END_REQ ? ended_ : responded_).notify(sc_core::SC_ZERO_TIME);
    return tlm::TLM_ACCEPTED;
  }
  void free(tlm::tlm_generic_payload*) override {}

  unsigned count_;
  Cycle answer_time_;
  sc_core::sc_time cycle_;
  unsigned char data_[4];
  sc_core::sc_event ended_;
  sc_core::sc_event responded_;
  tlm::tlm_generic_payload* responding_ = nullptr;
};

struct Played {
  TlmBridgeOptions options = {};
  unsigned count = 1;
  Cycle answer_time = 0;
  sc_dt::uint64 address = 0;
  std::string network = "ideal: { nodes: 2, latency: 7cycles }";
  std::function<void(Player&)> before = {};
};

// The memory at node 1 answers in no time.
std::string play(const Played& played) {
  const ChildResult child = in_child([&]() -> std::string {
    const auto design = design_of("fabric: ideal\n" + played.network + "\n" + kLevels);
    const auto plan = design->plan();
    TlmSystem network("network", *plan, {0, 1});
    network.map(0, kMemory, 1);
    network.node(0).configure(played.options);
    network.node(1).configure(played.options);
    const sc_core::sc_time cycle = network.fabric().domain().period_time();
    AtMemory memory("memory", kMemory, 1, sc_core::SC_ZERO_TIME);
    Player player("player", played.count, played.answer_time, cycle);
    player.address = played.address;
    network.node(1).target_side.bind(memory.socket);
    player.socket.bind(network.node(0).initiator_side);
    sc_core::sc_report_handler::set_actions(sc_core::SC_ERROR, sc_core::SC_CACHE_REPORT);
    if (played.before) played.before(player);
    sc_core::sc_start(1000 * cycle);
    const sc_core::sc_report* const report = sc_core::sc_report_handler::get_cached_report();
    return player.heard + (report == nullptr ? "" : std::string("; ") + report->get_msg());
  });
  return child.text;
}

// The request enters the network in cycle 1 and arrives in cycle 8; the answer goes in cycle 9.
TEST(TlmTimes, ATransactionTakesTwoTransfers) {
  EXPECT_EQ(play({}), "0 end 1, 0 answer 16");
  EXPECT_EQ(play({.options = {.approximately_timed = true}}), "0 end 1, 0 answer 16");
}

// Requests follow each other by a cycle; answers come one after the other, each ended 5 cycles later.
TEST(TlmTimes, TransactionsOverlap) {
  EXPECT_EQ(play({.count = 3, .answer_time = 5}), "0 end 1, 1 end 2, 2 end 3, 0 answer 16, 1 answer 21, 2 answer 26");
}

// A third may begin when the first has ended, in cycle 21; it enters the network in the next one.
TEST(TlmTimes, ALimitOfOutstandingTransactionsHoldsTheNextOneBack) {
  EXPECT_EQ(play({.options = {.outstanding = 2}, .count = 3, .answer_time = 5}),
            "0 end 1, 1 end 2, 0 answer 16, 1 answer 21, 2 end 22, 2 answer 37");
}

// With one place at the target the second request is asked for when the first answer has left: sent in cycle 9, it is
// gone in the next.
TEST(TlmTimes, ALimitOfTheTargetHoldsRequestsBack) {
  const std::string narrow = play({.options = {.approximately_timed = true, .target_outstanding = 1}, .count = 3});
  EXPECT_EQ(narrow, "0 end 1, 1 end 2, 2 end 3, 0 answer 16, 1 answer 17, 2 answer 18");
}

TEST(TlmErrors, CallsAgainstTheProtocolAreReportedAndHaveNoEffect) {
  using ::testing::HasSubstr;
  EXPECT_EQ(play({.address = kMemory}), "0 end 1, 0 TLM_ADDRESS_ERROR_RESPONSE 1");
  EXPECT_EQ(play({.address = kMemory - 3}), "0 end 1, 0 TLM_ADDRESS_ERROR_RESPONSE 1");
  const auto twice = [](Player& p) { p.send(p.payloads[1], tlm::BEGIN_REQ), p.send(p.payloads[2], tlm::BEGIN_REQ); };
  EXPECT_THAT(play({.count = 0, .before = twice}), HasSubstr("BEGIN_REQ before the END_REQ of the transaction before"));
  const auto again = [](Player& p) { p.send(p.payloads[0], tlm::BEGIN_REQ), p.send(p.payloads[0], tlm::BEGIN_REQ); };
  EXPECT_THAT(play({.count = 0, .before = again}),
              HasSubstr("0 end 1, 0 answer 16; network.bridge[0]: BEGIN_REQ of a transaction that is under way"));
  const auto stray = [](Player& p) { p.send(p.payloads[1], tlm::END_RESP); };
  EXPECT_THAT(play({.before = stray}),
              HasSubstr("0 end 1, 0 answer 16; network.bridge[0]: END_RESP of a transaction that is not between"));
  const auto unmanaged = [](Player& p) { p.send(p.payloads[1], tlm::BEGIN_REQ, false); };
  EXPECT_THAT(play({.before = unmanaged}), HasSubstr("without a memory manager"));
  EXPECT_THAT(play({.options = {.outstanding = 0}}), HasSubstr("a limit of outstanding transactions is at least 1"));
}

}  // namespace
}  // namespace weft::test
