#pragma once
// Memory I/O of two pseudo channels with three ports, in time: those of a reader, a writer and a host. Each port has a
// stream of consecutive words at a pace of its own, and a FIFO of `fifo` words.
//
//   reading   `fifo` words are under way or buffered at most. The first request reaches the memory `latency` before the
//             first word can pass, or earlier, when the words have to wait for something else; a word passes at the
//             pace of its stream, or later, when it comes later
//   writing   a word leaves for the FIFO at the pace of its stream, or when the FIFO has room
// A channel serves a port for up to `batch` words as long as it asks for some, then the next one in turn; each word is
// a burst (algorithms/dram/pseudo_channel.h).
//
// The network wants to know the future: streams of words at constant paces. So the memory is simulated ahead, burst by
// burst, to the end of a chunk of time: a refresh interval, or several where a word takes longer. For each port whose
// words did not keep their pace the words that passed in the chunk are its limit there: as many words in the same time,
// evenly. Something that changes within the chunk takes the memory back to its beginning, and the bursts up to the
// change are simulated once more.

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "algorithms/dram/dram_config.h"
#include "algorithms/dram/pseudo_channel.h"
#include "algorithms/dram/word_clock.h"
#include "base/units.h"

namespace weft::dram {

enum class Port : std::uint8_t { reader, writer, host };
inline constexpr std::size_t kPorts = 3;

/// A stream of words at a port.
struct Use {
  static constexpr Cycle kLater = Cycle{1} << 50;  ///< as `start`: nobody knows yet, MemoryPorts::start() will tell
  bool write = false;
  std::uint64_t address = 0;  ///< of the first word, within the memory I/O
  std::uint64_t words = 0;
  Cycle start = 0;             ///< its words begin to pass
  std::optional<Cycle> asked;  ///< reading: the first request, `latency` before the start or earlier; none: then
  std::int64_t dropped = 0;    ///< words that pass before the first one and are not the memory's
  std::int64_t ahead = 0;      ///< words that have passed at the start already
  Pace pace;                   ///< that the stream would have
  Pace fastest;                ///< writing: at which it makes up for words that have waited
  std::int64_t all() const { return static_cast<std::int64_t>(words) + dropped; }
};

struct PortCounters {
  std::uint64_t words = 0;
  Time waited = 0;  ///< words have passed so much later than their paces would have let them
};

class MemoryPorts {
 public:
  static constexpr std::size_t kChannels = 2;

  MemoryPorts(const MemoryPorts&) = delete;
  MemoryPorts& operator=(const MemoryPorts&) = delete;
  /// `period`: of a node's cycle; `latency`: from a request to the first word when a closed bank is read.
  MemoryPorts(const Config& config, Duration period, std::uint64_t channel_bytes, Cycle latency,
              const std::array<Tick, kChannels>& first_refresh);

  /// From cycle `now` on the port has this stream; what is left of one before is served first.
  void open(Port port, const Use& use, Cycle now);
  /// The words of a stream that is read begin to pass in cycle `start`, now or later; it was opened without that.
  void start(Port port, Cycle start, const Pace& pace, Cycle now);
  /// Words that have not passed by cycle `now` have other paces.
  void set_pace(Port port, const Pace& pace, const Pace& fastest, Cycle now);
  /// What is left is served now.
  void close(Port port, Cycle now);
  /// The end of the chunk has come.
  void proceed(Cycle now);

  Cycle chunk_end() const { return chunk_end_; }
  /// Some port has words that pass, or will.
  bool busy() const;
  /// Pace of a port in this chunk when it is less than that of its stream, from `since` on.
  struct Limit {
    Pace pace;
    Cycle since = 0;
    Cycle until = 0;
    bool operator==(const Limit&) const = default;
  };
  const std::optional<Limit>& limit(Port port) const { return limits_[index(port)]; }

  /// As they are at a cycle that is not before the chunk.
  Counters channel(std::size_t channel, Cycle at) const;
  PortCounters port(std::size_t channel, Port port, Cycle at) const;

  /// For waveforms: commands are noted from now on.
  void watch();
  /// A channel at the end of a cycle.
  struct ChannelView {
    std::vector<Command> commands;  ///< that begin by then, and have not been asked for; in order
    Counters counters;              ///< of bursts that the channel has come to
  };
  /// To be asked for ascending cycles, each time after all that happens in the cycle. Precondition: watch().
  ChannelView view(std::size_t channel, Cycle at);

 private:
  struct Stream {
    Use use;
    std::uint64_t issued = 0;  // words that the memory has served, or is about to
    std::uint64_t passed = 0;
    Time requested = 0;        // the first request
    Time last = 0;             // the last word issued passes
    WordClock nominal;         // reading: the next word passes; writing: it arrives
    WordClock taken;           // writing: it leaves for the FIFO
    std::vector<Time> ready;   // reading: data are there, by word modulo fifo
    std::vector<Time> done;    // the word has passed, or is written
    std::int64_t told = 0;     // words that the network has let pass, in parts of a word
    std::uint64_t offset = 0;  // of the next word in its channel
    std::size_t channel = 0;
    std::array<PortCounters, kChannels> counters;
    bool over() const { return passed >= use.words; }
    bool waits() const { return use.start == Use::kLater; }
    std::int64_t all_passed() const { return static_cast<std::int64_t>(passed) + use.dropped; }
  };
  struct Turn {
    std::size_t port = 0;
    std::uint32_t words = 0;
  };
  struct State {
    std::vector<PseudoChannel> channels;
    std::array<Stream, kPorts> streams;
    std::array<Turn, kChannels> turns;
  };

  /// What waveforms have seen of the present plan.
  struct Watched {
    State state;
    std::array<std::vector<Command>, kChannels> noted;   // and not yet asked for
    std::array<std::vector<Tick>, kChannels> refreshed;  // by bank: when the last one that is noted was due
  };

  static std::size_t index(Port port) { return static_cast<std::size_t>(port); }
  Time time(Cycle cycle) const { return cycle * period_; }
  Cycle cycle(Time time) const { return (time + period_ - 1) / period_; }
  Time next_issue(const Stream& stream) const;
  std::size_t choose(const State& state, std::size_t first, const std::array<Time, kPorts>& at) const;
  Time free(const State& state, std::size_t port) const;
  void count_passed(Stream& stream, Time to) const;
  void serve(State& state, std::size_t port) const;
  void advance(State& state, Time to) const;
  void finish(State& state, std::size_t port, Cycle now) const;
  void pass_issued(Stream& stream, bool count) const;
  void change(Cycle now);
  void plan(Cycle now);
  bool starves() const;
  std::int64_t told(std::size_t port, Cycle now) const;
  std::optional<Limit> limit_of(const Stream& before, const Stream& after) const;
  void note_commands(State& state) const;
  void watch_until(Cycle now);

  Config config_;
  Time period_;
  std::uint64_t channel_bytes_;
  Time latency_;
  Time pipeline_;  // of the latency, what is not the memory's
  Cycle chunk_;
  State begin_;  // at the beginning of the chunk
  State end_;
  Cycle chunk_begin_ = 0;
  Cycle chunk_end_ = 0;
  std::array<std::optional<Limit>, kPorts> limits_;
  std::unique_ptr<Watched> watched_;
};

}  // namespace weft::dram
