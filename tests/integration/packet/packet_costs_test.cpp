// Costs that a run of a packet network avoids: no allocation per message once it is warm, and hardly anything while
// nothing is sent.

#include <gtest/gtest.h>

#include <cstdlib>
#include <new>

#include "schema/document.h"
#include "support/packet_runs.h"
#include "support/scratch.h"

namespace {
std::uint64_t allocations = 0;  // NOLINT: the tests of this file count every one
}

// Counts for the whole binary.
void* operator new(std::size_t size) {
  ++allocations;
  if (void* p = std::malloc(size == 0 ? 1 : size)) return p;
  throw std::bad_alloc();
}
void* operator new(std::size_t size, const std::nothrow_t&) noexcept {
  ++allocations;
  return std::malloc(size == 0 ? 1 : size);
}
void operator delete(void* p) noexcept { std::free(p); }
void operator delete(void* p, const std::nothrow_t&) noexcept { std::free(p); }
void operator delete(void* p, std::size_t) noexcept { std::free(p); }

namespace weft::test {
namespace {

// Allocations from one cycle to another, and messages generated in that time.
class Meter final : public PacketObserver {
 public:
  Meter(Cycle first, Cycle last) : first_(first), last_(last) {}
  void on_generate(const PacketMessage& m) override {
    if (m.generated < first_ || m.generated >= last_) return;
    if (messages++ == 0) before_ = allocations;
    made = allocations - before_;
  }
  std::uint64_t messages = 0, made = 0;

 private:
  Cycle first_, last_;
  std::uint64_t before_ = 0;
};

// What grows to the largest size it ever needs, and then stays (the agenda, histograms), grows now and then; messages
// and everything that comes with each of them allocate nothing, and neither do the audits of all credits.
TEST(PacketCosts, AWarmRunAllocatesNothingPerMessage) {
  const std::string tree =
      "fabric: packet\ntopology: { kind: tree, arity: 3, levels: 2 }\n"
      "qos: { levels: { a: { message: 64B }, b: { message: 640B } } }\n"
      "traffic: [ { level: a, load: 0.1 }, { level: b, load: 0.3, source: bursts } ]\n"
      "run: { warm_up: 10us, measure: 1014us }\n";  // 200,000 cycles in all
  for (const Overrides& set : {Overrides{"switch.architecture=ib"}, Overrides{"switch.architecture=opa"},
                               Overrides{"switch.architecture=iq"}}) {
    Meter early(20'000, 70'000), late(150'000, 200'000);
    const PacketOutcome r = run_packet_yaml(
        tree, set,
        [&](PacketRunOptions& o) {
          o.observers = {&early, &late};
        },
        [&] { return fmt::format("{} {} {}", late.messages, early.made, late.made); });
    ASSERT_EQ(r.error + r.failure, "") << set[0];
    std::uint64_t messages = 0, at_first = 0, made = 0;
    ASSERT_EQ(std::sscanf(r.noted.c_str(), "%lu %lu %lu", &messages, &at_first, &made), 3) << r.noted;
    EXPECT_GT(messages, 50'000U) << set[0];
    EXPECT_LE(made, 10U) << set[0] << ", early " << at_first;
  }
}

// One message in a long time: what happens besides is the watchdog, once in more than 1,000 cycles.
TEST(PacketCosts, AnIdleNetworkCostsNothingButTheWatchdog) {
  const ScratchFolder folder;
  const std::string trace = folder.write("t.csv", "time_ns,source,destination,level\n0,0,60,a\n");
  for (const char* architecture : {"ib", "opa", "iq"}) {
    std::uint64_t busy = 0;
    const PacketOutcome r = run_packet_yaml(
        "fabric: packet\ntopology: { kind: mesh, dims: [8, 8] }\nqos: { levels: { a: { message: 640B } } }\n"
        "run: { warm_up: 0ns, measure: 5120us, drain: 0ns }\ntrace: " +
            trace + "\n",
        {std::string("switch.architecture=") + architecture},
        [&](PacketRunOptions& o) {
          o.interrupted = [&busy] {  // asked in every busy cycle
            ++busy;
            return false;
          };
        },
        [&] { return std::to_string(busy); });
    ASSERT_EQ(r.error + r.failure, "") << architecture;
    EXPECT_EQ(r.figure("delivered"), 1) << architecture;
    EXPECT_GT(r.figure("cycles"), 990'000) << architecture;
    EXPECT_LT(std::stoul(r.noted), 1'000U + 400U) << architecture;
  }
}

}  // namespace
}  // namespace weft::test
