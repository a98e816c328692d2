// Ports of a memory I/O in time: closed forms of what a FIFO bridges, and streams that share a pseudo channel against a
// controller that looks at each clock.

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "algorithms/dram/memory_ports.h"
#include "reference/dram_oracle.h"
#include "unit/dram/dram_cases.h"

namespace weft::test {
namespace {

using dram::MemoryPorts;
using dram::Pace;
using dram::Port;
using dram::Use;

constexpr Cycle kLatency = 50;
constexpr Duration kCycle{5000};
constexpr std::uint64_t kChannelBytes = std::uint64_t{256} << 20;
constexpr Pace kLink{256, 225};
constexpr Pace kBus{1, 1};

Use reading(std::uint64_t words, const Pace& pace = kLink, std::uint64_t address = 0) {
  Use use;
  use.address = address;
  use.words = words;
  use.start = 1000;
  use.dropped = 1;
  use.pace = pace;
  use.fastest = pace;
  return use;
}

Use writing(std::uint64_t words, const Pace& pace = kLink, std::uint64_t address = 0) {
  Use use = reading(words, pace, address);
  use.write = true;
  use.dropped = 0;
  use.ahead = 1;
  use.fastest = kBus;
  return use;
}

/// Runs chunk by chunk; the cycle at which the network has let the last word of a port pass.
class Network {
 public:
  explicit Network(const dram::Config& c, Cycle latency = kLatency)
      : ports(c, kCycle, kChannelBytes, latency, {100, 200}), config_(c) {}
  void open(Port port, const Use& use) {
    ports.open(port, use, now_);
    uses_[static_cast<std::size_t>(port)] = use;
    left_[static_cast<std::size_t>(port)] =
        static_cast<double>(use.words) + static_cast<double>(use.dropped) - static_cast<double>(use.ahead);
  }
  void run() {
    for (;;) {
      for (std::size_t p = 0; p < 3; ++p) {
        if (left_[p] <= 0) continue;
        const auto& limit = ports.limit(static_cast<Port>(p));
        const Pace pace = limit ? limit->pace : uses_[p].pace;
        limited_ += limit ? 1 : 0;
        const Cycle from = std::max(now_, uses_[p].start);
        const double step = static_cast<double>(pace.cycles) / static_cast<double>(pace.words);
        const double passes = static_cast<double>(std::max<Cycle>(0, ports.chunk_end() - from)) / step;
        if (passes >= left_[p]) end_[p] = static_cast<double>(from) + left_[p] * step;
        left_[p] -= passes;
      }
      if (!ports.busy()) return;
      now_ = ports.chunk_end();
      ports.proceed(now_);
    }
  }
  double end(Port port) const { return end_[static_cast<std::size_t>(port)]; }
  int limited() const { return limited_; }
  MemoryPorts ports;

 private:
  const dram::Config& config_;
  Cycle now_ = 0;
  Use uses_[3];
  double left_[3] = {0, 0, 0};
  double end_[3] = {0, 0, 0};
  int limited_ = 0;
};

// A FIFO of 128 words holds out for the latency and a refresh: the stream does not know of the memory.
TEST(DramPorts, AFifoBridgesRefreshes) {
  const dram::Config c = dram_case();
  Network network(c);
  network.open(Port::reader, reading(100000));
  network.run();
  EXPECT_EQ(network.limited(), 0);
  EXPECT_NEAR(network.end(Port::reader), 1000 + 100001 * 256.0 / 225, 1.0);
  const dram::Counters n = network.ports.channel(0, 120000);
  EXPECT_EQ(n.reads, 100000U);
  EXPECT_EQ(n.hits + n.misses + n.conflicts, 100000U);
  EXPECT_EQ(n.refreshes, static_cast<std::uint64_t>((120000 * 4 - 100) / c.timing.refi + 1));
  EXPECT_EQ(network.ports.port(0, Port::reader, 120000).words, 100000U);
  EXPECT_EQ(network.ports.port(0, Port::reader, 120000).waited, 0);
}

// A FIFO of f words that are under way for the whole latency lets f words pass per latency.
TEST(DramPorts, AShortFifoIsLatencyBound) {
  for (const std::uint32_t fifo : {4U, 8U, 16U}) {
    dram::Config c = dram_case();
    c.refresh = DramRefresh::none;
    c.fifo = fifo;
    Network network(c);
    network.open(Port::reader, reading(20000));
    network.run();
    // An open row answers tRCD sooner than a closed bank, for which the latency is.
    const double hit = kLatency - static_cast<double>(c.timing.rcd_read) * 1250 / 5000;
    const double cycles = network.end(Port::reader) - 1000;
    EXPECT_GT(cycles, 20000 * hit / fifo * 0.98) << fifo;
    EXPECT_LT(cycles, 20000 * hit / fifo * 1.06) << fifo;
    EXPECT_GT(network.ports.port(0, Port::reader, 1 << 30).waited, 0);
  }
}

// One word under way: each takes the whole latency, several refresh intervals of 780 cycles.
TEST(DramPorts, AWordMayTakeLongerThanAChunk) {
  for (const Cycle latency : {700, 1000, 2000, 7900, 100'000}) {
    dram::Config c = dram_case();
    c.refresh = DramRefresh::none;
    c.fifo = 1;
    Network network(c, latency);
    network.open(Port::reader, reading(64));
    network.run();
    // The first word of the second row waits for tRCD as the very first one does.
    const double cycle = 5000.0 / 1250;
    const double hit = static_cast<double>(latency) - static_cast<double>(c.timing.rcd_read) / cycle;
    const double row = static_cast<double>(c.timing.rcd_read) / cycle;
    const double first = std::max<double>(1000 + 2 * 256.0 / 225, static_cast<double>(latency));
    EXPECT_NEAR(network.end(Port::reader), first + 63 * hit + row, 64 * 0.25 + 2) << latency;
  }
}

// Words that wait for something else behind the memory: a refresh meanwhile is over before they pass.
TEST(DramPorts, AStreamMayBeAskedForLongBeforeItBegins) {
  const dram::Config c = dram_case();  // refreshes from cycle 805 on, for 72 cycles
  for (const Cycle asked : {700, 807}) {
    MemoryPorts early(c, kCycle, kChannelBytes, kLatency, {100, 200});
    Use use = reading(300);
    use.start = Use::kLater;
    use.asked = asked;
    early.open(Port::reader, use, asked);
    EXPECT_FALSE(early.busy()) << "nothing passes before its start";
    EXPECT_EQ(early.channel(0, 800).reads, asked == 700 ? c.fifo : 0U);
    early.start(Port::reader, 860, kLink, 860);
    while (early.busy()) early.proceed(early.chunk_end());
    EXPECT_EQ(early.channel(0, 1 << 20).reads, 300U);
    const auto waited = early.port(0, Port::reader, 1 << 20).waited;
    EXPECT_EQ(waited > 0, asked == 807) << waited;
  }
}

// Whatever a cycle is: of a second, too, in which a stream that waits has no time that cycles could count.
TEST(DramPorts, AStreamWaitsAtAnyClock) {
  const dram::Config c = dram_case();
  for (const std::int64_t period :
       {INT64_C(1000), INT64_C(5000), INT64_C(50000), INT64_C(1000000000), INT64_C(1000000000000)}) {
    MemoryPorts ports(c, Duration{period}, kChannelBytes, kLatency, {100, 200});
    Use use = reading(300);
    use.start = Use::kLater;
    use.asked = 100;
    ports.open(Port::reader, use, 90);
    EXPECT_EQ(ports.channel(0, 9'000).reads, c.fifo) << period << ": none has passed";
    ports.start(Port::reader, 10'000, kLink, 10'000);
    EXPECT_EQ(ports.channel(0, 12'000).reads, 300U) << period;
  }
}

// While a refresh lasts the words of the FIFO pass, without those that are under way when it begins.
TEST(DramPorts, AShortFifoShowsEveryRefresh) {
  dram::Config c = dram_case();
  c.fifo = 80;
  Network network(c);
  network.open(Port::reader, reading(100000));
  network.run();
  const double steady = 100001 * 256.0 / 225;
  const double chunks = (network.end(Port::reader) - 1000) / 780;
  const double lost = (network.end(Port::reader) - 1000 - steady) / chunks;
  const double longest = static_cast<double>(c.timing.rfc + c.timing.rp + c.timing.rcd_read) * 1.25 / 5;  // cycles
  EXPECT_GT(lost, 10);
  EXPECT_LT(lost, longest);
}

TEST(DramPorts, ChangesWithinAChunkTakeTheMemoryBack) {
  const dram::Config c = dram_case();
  MemoryPorts once(c, kCycle, kChannelBytes, kLatency, {100, 200});
  MemoryPorts cut(c, kCycle, kChannelBytes, kLatency, {100, 200});
  once.open(Port::reader, reading(5000), 900);
  cut.open(Port::reader, reading(5000), 900);
  // Two changes that change nothing.
  for (const Cycle at : {1017, 1300, 1301, 2222}) {
    while (cut.chunk_end() <= at) cut.proceed(cut.chunk_end());
    cut.open(Port::host, Use{}, at);
  }
  for (MemoryPorts* m : {&once, &cut}) {
    while (m->busy()) m->proceed(m->chunk_end());
  }
  const dram::Counters a = once.channel(0, 10000);
  const dram::Counters b = cut.channel(0, 10000);
  EXPECT_EQ(a.reads, b.reads);
  EXPECT_EQ(a.hits, b.hits);
  EXPECT_EQ(a.misses, b.misses);
  EXPECT_EQ(a.refreshes, b.refreshes);
}

// Waveforms see every command once, in the cycle in which it begins, and change nothing: with streams
// that come and go within chunks, and refreshes of idle banks.
TEST(DramPorts, EveryCommandIsSeenOnce) {
  for (const DramRefresh refresh : {DramRefresh::all_bank, DramRefresh::per_bank, DramRefresh::none}) {
    dram::Config c = dram_case();
    c.refresh = refresh;
    MemoryPorts plain(c, kCycle, kChannelBytes, kLatency, {100, 200});
    MemoryPorts watched(c, kCycle, kChannelBytes, kLatency, {100, 200});
    watched.watch();
    constexpr Cycle kEnd = 14000;
    std::vector<dram::Command> seen;
    dram::Counters last;
    for (Cycle now = 0; now < kEnd; ++now) {
      for (MemoryPorts* m : {&plain, &watched}) {
        if (m->chunk_end() == now) m->proceed(now);
        if (now == 900) {
          Use reader = reading(5000);
          reader.start = Use::kLater;
          reader.asked = 905;
          m->open(Port::reader, reader, now);
        }
        if (now == 1000) m->start(Port::reader, now, kLink, now);
        if (now == 1333) {
          Use writer = writing(3000, kLink, 5 * 1024);
          writer.start = 1340;
          m->open(Port::writer, writer, now);
        }
        if (now == 2001) m->set_pace(Port::reader, {512, 225}, {512, 225}, now);
        if (now == 4100) m->close(Port::writer, now);
      }
      MemoryPorts::ChannelView view = watched.view(0, now);
      for (const dram::Command& k : view.commands) {
        EXPECT_LT(k.at * c.clock_ps, (now + 1) * kCycle.ps);
        EXPECT_GE(k.at * c.clock_ps, now * kCycle.ps);
        seen.push_back(k);
      }
      last = view.counters;
    }
    const dram::Counters n = plain.channel(0, kEnd);
    const auto count = [&](dram::Command::Kind kind) {
      return static_cast<std::uint64_t>(
          std::count_if(seen.begin(), seen.end(), [&](const auto& k) { return k.kind == kind; }));
    };
    EXPECT_EQ(n.reads, 5000U);
    EXPECT_EQ(n.writes, 3000U);
    EXPECT_EQ(count(dram::Command::Kind::read), n.reads);
    EXPECT_EQ(count(dram::Command::Kind::write), n.writes);
    EXPECT_EQ(count(dram::Command::Kind::refresh), n.refreshes);
    EXPECT_EQ(refresh == DramRefresh::none, n.refreshes == 0);
    EXPECT_EQ(last.hits, n.hits);
    EXPECT_EQ(last.conflicts, n.conflicts);
    EXPECT_EQ(last.turns, n.turns);
    EXPECT_EQ(plain.port(0, Port::reader, kEnd).waited, watched.port(0, Port::reader, kEnd).waited);
    dram::Tick column = -10;
    for (const dram::Command& k : seen) {
      if (k.kind != dram::Command::Kind::read && k.kind != dram::Command::Kind::write) continue;
      EXPECT_GE(k.at, column + c.timing.ccd_s);
      column = k.at;
    }
  }
}

// What a stream takes from another one is spread over the chunk in which it is announced, so the other one turns before
// the first word of the new one has come; announced later it would let it pass otherwise.
TEST(DramPorts, AnAnnouncedStreamSlowsOthersBeforeItsFirstWord) {
  constexpr Cycle kAnnounced = 2000;
  constexpr Cycle kFirstWord = 2069;
  dram::Config c = dram_case();
  c.refresh = DramRefresh::none;
  std::vector<Pace> paces;
  for (const Cycle now : {kAnnounced, kFirstWord}) {
    MemoryPorts ports(c, kCycle, kChannelBytes, kLatency, {100, 200});
    ports.open(Port::reader, reading(5000, kBus), 900);
    while (ports.chunk_end() <= kAnnounced) ports.proceed(ports.chunk_end());
    EXPECT_FALSE(ports.limit(Port::reader).has_value());
    // Five pages on from where the reader will be: they close each other's rows.
    Use writer = writing(5000, kBus, 1000 * 32 + 5 * 1024);
    writer.start = kFirstWord;
    ports.open(Port::writer, writer, now);
    ASSERT_TRUE(ports.limit(Port::reader).has_value()) << now;
    EXPECT_EQ(ports.limit(Port::reader)->since, now);
    paces.push_back(ports.limit(Port::reader)->pace);
  }
  EXPECT_FALSE(paces[0] == paces[1]);
}

/// Ends of the streams by ports and by the controller, cycles.
struct Ends {
  std::vector<double> ports;
  std::vector<double> controller;
};
Ends both(const dram::Config& c, const std::vector<Use>& uses) {
  Network network(c);
  std::vector<DramStream> streams;
  for (std::size_t p = 0; p < uses.size(); ++p) {
    const Use& u = uses[p];
    network.open(static_cast<Port>(p), u);
    DramStream s;
    s.write = u.write;
    s.address = u.address;
    s.words = u.words;
    s.step = static_cast<double>(u.pace.cycles) / static_cast<double>(u.pace.words) * 5000;
    s.first = u.start * 5000 + static_cast<dram::Time>(static_cast<double>(1 + u.dropped - u.ahead) * s.step);
    s.start = u.write ? u.start * 5000 : (u.start - kLatency) * 5000;
    s.pipeline = kLatency * 5000 - c.closed_read() * c.clock_ps;
    streams.push_back(s);
  }
  network.run();
  Ends out;
  for (std::size_t p = 0; p < uses.size(); ++p) out.ports.push_back(network.end(static_cast<Port>(p)));
  for (const dram::Time t : dram_streams(c, 100, streams)) out.controller.push_back(static_cast<double>(t) / 5000);
  return out;
}

// Each stream within two percent of the time that the brute-force controller takes. With turns of four words within
// ten: the word of a turn at which a page ends decides whether the other stream hides the next row, and it depends on
// the first requests.
TEST(DramPorts, StreamsTakeTheTimeOfTheController) {
  const std::uint64_t other = std::uint64_t{128} << 20;
  for (const DramMapping mapping :
       {DramMapping::row_bank_column, DramMapping::row_column_group, DramMapping::bank_row_column}) {
    for (const DramRefresh refresh : {DramRefresh::none, DramRefresh::all_bank}) {
      for (const std::uint32_t fifo : {24U, 64U, 128U}) {
        for (const std::uint32_t batch : {4U, 16U}) {
          dram::Config c = dram_case();
          c.mapping = mapping;
          c.refresh = refresh;
          c.fifo = fifo;
          c.batch = batch;
          const Pace half{2, 1};
          const std::vector<Use> uses = {reading(4000, half), writing(4000, half, other)};
          const Ends ends = both(c, uses);
          for (std::size_t p = 0; p < uses.size(); ++p) {
            const double taken = ends.controller[p] - 1000;
            EXPECT_NEAR(ends.ports[p] - 1000, taken, (batch == 4 ? 0.1 : 0.02) * taken)
                << to_string(mapping) << " " << to_string(refresh) << " fifo " << fifo << " batch " << batch << " port "
                << p;
          }
        }
      }
    }
  }
}

}  // namespace
}  // namespace weft::test
