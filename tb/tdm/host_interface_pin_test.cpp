// host_interface on its pins: random tables, messages and words, resets, and the words that the model of hosts sends.

#include <algorithm>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "Vhost_interface_pins_1x2x1.h"
#include "Vhost_interface_pins_2x12x9.h"
#include "Vhost_interface_pins_3x5x7.h"
#include "fabrics/tdm/host_interface.h"
#include "tdm/host_driver.h"
#include "tdm/host_interface_bench.h"
#include "tdm/pin_test.h"
#ifndef WEFT_PIN_FEW_SIZES
#include "Vhost_interface_pins_one_count.h"
#endif

namespace weft::pins {
namespace {

// The parameters of CMakeLists.txt.
constexpr HostShape kHostOne{1, 2, 1, 1, 1, 1};
constexpr HostShape kHostLinks{3, 5, 7, 3, 3, 7};
constexpr HostShape kHostTwo{2, 12, 9, 2, 6, 70};

// Words that the model sends, by cycle and link.
class ModelWords final : public HostInterfaceClient {
 public:
  struct Word {
    std::uint32_t circuit, index;
    bool last;
    auto operator<=>(const Word&) const = default;
  };
  ModelWords(std::vector<HostSlots> slots, std::uint32_t frame)
      : slots_(std::move(slots)), frame_(frame), free_at_(slots_.size()), model_(*this, frame, messages_) {}

  /// A message that comes in cycle `now`.
  void add(Cycle now, std::uint32_t circuit, std::uint32_t words) {
    words_ = words;
    model_.begin(std::max(now, free_at_[circuit]), {circuit, circuit, &slots_[circuit], 0, words});
  }
  const HostSlots& slots(std::uint32_t circuit) const { return slots_[circuit]; }
  std::map<std::uint32_t, Word> take(Cycle now) {
    auto node = due_.extract(now);
    return node.empty() ? std::map<std::uint32_t, Word>() : std::move(node.mapped());
  }

 private:
  void depart(Cycle, std::uint32_t sender, std::uint32_t link, const Train& t) override {
    for (std::uint32_t k = 0; k < t.words; ++k) {
      const std::uint32_t index = t.first_word + k * t.stride;
      due_[t.start + Cycle{k} * Cycle{frame_}][link] = {sender, index, index + 1 == words_};
    }
  }
  void left(std::uint32_t sender, Cycle free_at) override { free_at_[sender] = free_at; }
  void received(Cycle, MessageId, Cycle) override {}
  void wake(Cycle, Phase, std::uint32_t) override {}

  std::vector<HostSlots> slots_;
  std::uint32_t frame_;
  std::vector<Cycle> free_at_;
  MessageStore messages_;
  ModelHostInterface model_;
  std::map<Cycle, std::map<std::uint32_t, Word>> due_;
  std::uint32_t words_ = 0;
};

template <class V, HostShape kShape>
class HostInterfacePins : public PinTest {
 public:
  void SetUp() override {
    PinTest::SetUp();
    if (HasFatalFailure()) return;
    bench_ = std::make_unique<HostInterfaceBench<V>>("host_interface_bench", kShape);
    if (const auto file = waves_file()) bench_->waves(*file);
  }

  void gaps() { operate(Mode::gaps, false); }
  void bursts() { operate(Mode::bursts, false); }
  void back_to_back() { operate(Mode::back_to_back, false); }
  void resets_in_between() { operate(Mode::gaps, true); }
  void words_of_the_model() {
    std::uint64_t words = 0;
    for_each_seed(bench_->errors(), [&](std::uint64_t seed) { words += beside_model(seed); });
    EXPECT_GT(words, 100 * seed_count());
  }

  // The block is a faulty copy.
  void fault_shows() {
    for (std::uint64_t seed = 1; seed <= seed_count() && bench_->errors().count() == 0; ++seed) {
      run_seed(Mode::gaps, false, seed);
    }
    EXPECT_GT(bench_->errors().count(), 0U) << "the bench does not see the fault";
  }

 private:
  void reset(Cycle cycles, const std::function<HostInputs(const HostReference&)>& next) {
    bench_->run(cycles, [&](const HostReference& reference) {
      HostInputs in = next(reference);
      in.reset_n = false;
      return in;
    });
  }

  void run_seed(Mode mode, bool resets, std::uint64_t seed) {
    RandomStream random(seed, "host_interface case");
    HostDriver driver(kShape, mode, seed);
    const auto next = [&](const HostReference& reference) { return driver.next(reference); };
    for (std::uint64_t part = 0; part < (resets ? 4U : 1U); ++part) {
      reset(1 + static_cast<Cycle>(random.below(3)), next);
      const std::uint64_t cycles = 1500 + std::uint64_t{20} * driver.frame();
      bench_->run(static_cast<Cycle>(resets ? random.below(cycles / 2) : cycles), next);
    }
  }

  void operate(Mode mode, bool resets) {
    for_each_seed(bench_->errors(), [&](std::uint64_t seed) { run_seed(mode, resets, seed); });
    EXPECT_GT(bench_->reference().sent(), 0U);
    EXPECT_GT(bench_->reference().received(), 0U);
  }

  // Tables that stay: each slot of each link belongs to another circuit, or to none.
  static std::vector<HostSlots> random_slots(RandomStream& random, std::uint32_t frame) {
    std::vector<HostSlots> slots(kShape.circuits);
    for (std::uint32_t slot = 0; slot < frame; ++slot) {
      std::vector<std::uint32_t> numbers(kShape.circuits);
      std::iota(numbers.begin(), numbers.end(), 0);
      for (std::uint32_t link = 0; link < kShape.links && !numbers.empty(); ++link) {
        if (random.below(4) == 0) continue;
        const auto at = numbers.begin() + static_cast<std::ptrdiff_t>(random.below(numbers.size()));
        slots[*at].slots.push_back(static_cast<Slot>(slot));
        slots[*at].links.push_back(link);
        numbers.erase(at);
      }
    }
    return slots;
  }

  std::uint64_t beside_model(std::uint64_t seed) {
    RandomStream random(seed, "host_interface model");
    const std::uint32_t frame = 1 + static_cast<std::uint32_t>(random.below(kShape.slots));
    ModelWords model(random_slots(random, frame), frame);
    const Cycle begin = bench_->cycle() + 1;
    const auto plain = [&] {
      HostInputs in(kShape);
      const auto cycle = static_cast<std::uint64_t>(bench_->cycle() - begin);
      in.slot = in.label = static_cast<std::uint32_t>(cycle % frame);
      in.data = Bits::random(random, in.data.size());
      return in;
    };
    reset(2, [&](const HostReference&) { return plain(); });
    std::uint32_t written = 0;
    bench_->run(frame, [&](const HostReference&) {
      HostInputs in = plain();
      in.write = true;
      in.write_slot = written++;
      for (std::uint32_t c = 0; c < kShape.circuits; ++c) {
        const HostSlots& own = model.slots(c);
        for (std::size_t k = 0; k < own.slots.size(); ++k) {
          if (own.slots[k] == in.write_slot) in.out[own.links[k]] = c;
        }
      }
      in.swap = written == frame;
      return in;
    });
    bench_->run(frame, [&](const HostReference&) { return plain(); });  // at the latest the tables change at its end

    std::uint64_t words = 0;
    Bits coming(kShape.circuits);
    bench_->watch([&](Cycle cycle, const HostInputs& in, const HostOutputs& out) {
      const Cycle now = cycle - begin;
      for (std::uint32_t c = 0; c < kShape.circuits; ++c) {
        if (in.message.get(c, 1) == 0 || out.ready.get(c, 1) == 0) continue;
        const auto last = in.last.get(std::size_t{c} * kShape.size_bits, kShape.size_bits);
        model.add(now, c, static_cast<std::uint32_t>(last) + 1);
      }
      const auto due = model.take(now);
      for (std::uint32_t link = 0; link < kShape.links; ++link) {
        const bool sends = out.out.valid.get(link, 1) != 0;
        const auto word = due.find(link);
        if (!sends && word == due.end()) continue;
        const ModelWords::Word shown{
            static_cast<std::uint32_t>(
                out.out.circuit.get(std::size_t{link} * kShape.circuit_bits(), kShape.circuit_bits())),
            static_cast<std::uint32_t>(out.out.index.get(std::size_t{link} * kShape.size_bits, kShape.size_bits)),
            out.out.last.get(link, 1) != 0};
        if (!sends || word == due.end() || word->second != shown) {
          bench_->errors().add(cycle, fmt::format("link {}: not the word of the model", link));
        }
        ++words;
      }
    });
    const std::uint64_t busy = 2 + random.below(30);
    bench_->run(1500, [&](const HostReference&) {
      HostInputs in = plain();
      for (std::uint32_t c = 0; c < kShape.circuits; ++c) {
        if (model.slots(c).slots.empty() || random.below(busy) != 0) continue;
        in.message.set(c, 1, 1);
        in.last.set(std::size_t{c} * kShape.size_bits, kShape.size_bits, random() % 40);
      }
      return in;
    });
    bench_->watch(nullptr);
    return words;
  }

  std::unique_ptr<HostInterfaceBench<V>> bench_;
};

template <class V, HostShape kShape>
void register_host(const std::string& size) {
  using Pins = HostInterfacePins<V, kShape>;
  register_cases<Pins>("host_interface", size,
                       {{"Gaps", &Pins::gaps},
                        {"Bursts", &Pins::bursts},
                        {"BackToBack", &Pins::back_to_back},
                        {"ResetsInBetween", &Pins::resets_in_between},
                        {"WordsOfTheModel", &Pins::words_of_the_model}});
}

const bool kHostRegistered = [] {
  register_host<Vhost_interface_pins_1x2x1, kHostOne>("1x2x1");
  register_host<Vhost_interface_pins_3x5x7, kHostLinks>("3x5x7");
  register_host<Vhost_interface_pins_2x12x9, kHostTwo>("2x12x9");
#ifndef WEFT_PIN_FEW_SIZES
  using Faulty = HostInterfacePins<Vhost_interface_pins_one_count, kHostLinks>;
  register_cases<Faulty>("host_interface", "one_count", {{"FaultShows", &Faulty::fault_shows}});
#endif
  return true;
}();

}  // namespace
}  // namespace weft::pins
