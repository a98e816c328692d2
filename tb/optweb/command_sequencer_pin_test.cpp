// command_sequencer on its pins: a host that writes and rings, with and without mistakes, units of any pace, resets.

#include <bit>

#include "Vcommand_sequencer_pins_256.h"
#include "Vcommand_sequencer_pins_3.h"
#include "optweb/command_sequencer_bench.h"
#include "tdm/pace.h"
#include "tdm/pin_test.h"
#include "tdm/wave_views.h"

namespace weft::pins {
namespace {

template <class V, SequencerShape kSize>
struct Size {
  using Dut = V;
  static constexpr SequencerShape kShape = kSize;
};

/// Host and units. A careful host writes entries in order and rings for what it has written.
class Surroundings {
 public:
  Surroundings(const SequencerShape& shape, Mode mode, bool careful, std::uint64_t seed)
      : shape_(shape), random_(seed, "surroundings"), ready_(mode, random_), done_(mode, random_), careful_(careful) {}

  SequencerPins next(const optweb::CommandSequencer& sequencer, std::uint32_t free) {
    SequencerPins in;
    in.pins.time = time_++;
    if (random_.below(60) == 0) time_ += static_cast<std::uint32_t>(random_());  // so long does an instruction take
    for (optweb::Units unit = 1; unit < 8; unit = static_cast<optweb::Units>(unit * 2)) {
      if (ready_.next(random_)) in.pins.ready |= unit;
      const bool may = (sequencer.running() & unit) != 0 || (!careful_ && random_.below(10) == 0);
      if (may && done_.next(random_)) in.pins.done |= unit;
    }
    in.pins.instruction = random_instruction();
    if (!careful_) {
      in.pins.write = random_.below(2) == 0;
      in.pins.index = static_cast<std::uint32_t>(random_.below(std::bit_ceil(shape_.depth)));
      in.pins.doorbell = random_.below(12) == 0;
      in.pins.count = static_cast<std::uint32_t>(random_.below(std::bit_ceil(shape_.depth + 1)));
      return in;
    }
    if (written_ < free && random_.below(3) != 0) {
      in.pins.write = true;
      in.pins.index = place_;
      place_ = (place_ + 1) % shape_.depth;
      ++written_;
    } else if (random_.below(5) == 0) {
      in.pins.doorbell = true;
      in.pins.count = written_;
      written_ = 0;
    }
    return in;
  }

 private:
  optweb::MachineInstruction random_instruction() {
    const auto bits = [&](unsigned width) { return random_.below(std::uint64_t{1} << width); };
    optweb::MachineInstruction i;
    i.opcode = static_cast<optweb::Opcode>(careful_ || random_.below(30) != 0 ? random_.below(14) : 14 + bits(1));
    i.send_address = bits(shape_.address_bits);
    i.receive_address = bits(shape_.address_bits);
    i.size = bits(shape_.address_bits);
    i.source = static_cast<std::uint32_t>(bits(shape_.node_bits));
    i.destination = static_cast<std::uint32_t>(bits(shape_.node_bits));
    i.group = static_cast<std::uint32_t>(bits(shape_.group_bits));
    i.flags = static_cast<std::uint8_t>(bits(shape_.flags_bits));
    return i;
  }

  SequencerShape shape_;
  RandomStream random_;
  Pace ready_;
  Pace done_;
  bool careful_;
  std::uint32_t time_ = 0xffffff80;  // wraps
  std::uint32_t place_ = 0;
  std::uint32_t written_ = 0;
};

template <class S>
class CommandSequencerPins : public PinTest {
 public:
  using Bench = CommandSequencerBench<typename S::Dut>;

  void SetUp() override {
    PinTest::SetUp();
    if (HasFatalFailure()) return;
    bench_ = std::make_unique<Bench>("command_sequencer_bench", S::kShape);
    if (const auto file = waves_file()) bench_->waves(*file);
  }

  void gaps() { random_traffic(Mode::gaps, true, false); }
  void back_to_back() { random_traffic(Mode::back_to_back, true, false); }
  void careless_host() { random_traffic(Mode::gaps, false, false); }
  void resets_in_between() { random_traffic(Mode::bursts, false, true); }

 private:
  void random_traffic(Mode mode, bool careful, bool resets) {
    for_each_seed(bench_->errors(), [&](std::uint64_t seed) {
      RandomStream random(seed, "sequencer case");
      for (std::uint64_t part = 0; part < (resets ? 6U : 1U); ++part) {
        Surroundings around(S::kShape, mode, careful, seed + 1000 * part);
        const auto next = [&](const optweb::CommandSequencer& s, std::uint32_t free) { return around.next(s, free); };
        const auto in_reset = [&](const optweb::CommandSequencer& s, std::uint32_t free) {
          SequencerPins in = Surroundings(S::kShape, mode, false, seed).next(s, free);
          in.reset_n = false;
          return in;
        };
        bench_->run(1 + static_cast<Cycle>(random.below(3)), in_reset);
        bench_->run(static_cast<Cycle>(resets ? random.below(200) : 1000), next);
      }
    });
    EXPECT_GT(bench_->completed(), 40U);
    EXPECT_EQ(bench_->illegal() > 0, !careful);
    EXPECT_EQ(bench_->stray() > 0, !careful);
  }

  std::unique_ptr<Bench> bench_;
};

using Three = Size<Vcommand_sequencer_pins_3, SequencerShape{3, 7, 2, 1, 3}>;
using Large = Size<Vcommand_sequencer_pins_256, SequencerShape{256, 33, 10, 8, 8}>;

template <class S>
void register_size(const std::string& size) {
  register_cases<CommandSequencerPins<S>>("command_sequencer", size,
                                          {{"Gaps", &CommandSequencerPins<S>::gaps},
                                           {"BackToBack", &CommandSequencerPins<S>::back_to_back},
                                           {"CarelessHost", &CommandSequencerPins<S>::careless_host},
                                           {"ResetsInBetween", &CommandSequencerPins<S>::resets_in_between}});
}

const bool kRegistered = [] {
  register_size<Three>("3");
  register_size<Large>("256");
  return true;
}();

TEST_F(WaveViews, CommandSequencer) {
  CommandSequencerBench<Vcommand_sequencer_pins_256> bench("command_sequencer_bench", Large::kShape);
  Surroundings around(Large::kShape, Mode::gaps, true, 1);
  check("command_sequencer", bench, [&] {
    bench.run(200, [&](const optweb::CommandSequencer& s, std::uint32_t free) {
      SequencerPins in = around.next(s, free);
      in.reset_n = bench.cycle() > 1;
      return in;
    });
  });
}

}  // namespace
}  // namespace weft::pins
