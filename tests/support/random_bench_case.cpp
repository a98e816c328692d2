// Random cases for the data-path bench.

#include <algorithm>

#include "support/data_path_bench.h"

namespace weft::test {
namespace {

class Generator {
 public:
  Generator(std::uint64_t seed, std::size_t paths, PortId ports, std::uint32_t slots)
      : random_(seed, "bench"), paths_(paths), ports_(ports), slots_(slots) {}

  BenchCase make() {
    bench_.ports = ports_;
    bench_.slots = slots_;
    frames_ = 30 + static_cast<Cycle>(below(30));
    bench_.horizon = frames_ * Cycle{slots_};
    links();
    for (std::size_t p = 0; p < paths_; ++p) {
      bench_.preset.push_back(table());
      changes(p);
    }
    trains();
    return std::move(bench_);
  }

 private:
  std::uint64_t below(std::uint64_t n) { return random_.below(n); }
  bool chance(double p) { return random_.uniform() < p; }

  // Output ports 1 and up may lead to an input of any data path, its own included; input 0 is always free for trains.
  void links() {
    bench_.links.assign(paths_, std::vector<std::optional<BenchLink>>(ports_));
    bench_.input_latency.assign(paths_, std::vector<Cycle>(ports_, 0));
    std::vector<std::pair<std::size_t, PortId>> inputs;
    for (std::size_t p = 0; p < paths_; ++p) {
      for (PortId in = 1; in < ports_; ++in) inputs.emplace_back(p, in);
    }
    for (std::size_t i = inputs.size(); i > 1; --i) std::swap(inputs[i - 1], inputs[below(i)]);
    const bool alone = paths_ == 1 && chance(0.5);
    for (std::size_t p = 0; p < paths_; ++p) {
      for (PortId out = 1; out < ports_; ++out) {
        const auto [to, in] = inputs.back();
        inputs.pop_back();
        const Cycle latency = chance(0.3) ? 0 : static_cast<Cycle>(below(2 * slots_));
        bench_.input_latency[to][in] = latency;
        if (!alone && chance(0.7)) bench_.links[p][out] = BenchLink{to, in, latency};
      }
    }
  }

  SlotTable table() {
    SlotTable t(ports_, slots_);
    for (PortId o = 0; o < ports_; ++o) {
      for (std::uint32_t s = 0; s < slots_; ++s) t.at(o, static_cast<Slot>(s)) = entry();
    }
    return t;
  }
  SlotTableEntry entry() {
    if (chance(0.25)) return {};
    return {static_cast<PortId>(below(ports_)), static_cast<Slot>(below(slots_))};
  }

  // Each new table differs from the one before, or is an older one again, in some entries or in many.
  void changes(std::size_t path) {
    std::vector<SlotTable> known{bench_.preset[path]};
    Cycle free = 0;  // frame boundary of the change before
    for (;;) {
      BenchChange c;
      c.path = path;
      c.load = free + (chance(0.4) ? 0 : static_cast<Cycle>(below(3 * slots_)));
      c.cycles_per_slot = 1 + static_cast<Cycle>(below(2));
      const Cycle ready = c.load + c.cycles_per_slot * Cycle{slots_} + 1;
      c.boundary = (ready + Cycle{slots_} - 1) / Cycle{slots_} * Cycle{slots_};
      if (chance(0.3)) c.boundary += static_cast<Cycle>(below(4)) * Cycle{slots_};
      if (c.boundary + Cycle{slots_} > bench_.horizon) return;
      c.swap = c.load + static_cast<Cycle>(below(static_cast<std::uint64_t>(c.boundary - c.load)));
      c.table = known[chance(0.5) ? known.size() - 1 : below(known.size())];
      const std::size_t changed = below(std::size_t{ports_} * slots_);
      for (std::size_t i = 0; i < changed; ++i) {
        c.table.at(static_cast<PortId>(below(ports_)), static_cast<Slot>(below(slots_))) = entry();
      }
      known.push_back(c.table);
      free = c.boundary;
      bench_.changes.push_back(std::move(c));
    }
  }

  void trains() {
    std::vector<std::vector<bool>> linked(paths_, std::vector<bool>(ports_, false));
    for (const auto& outs : bench_.links) {
      for (const auto& link : outs) {
        if (link) linked[link->to][link->in] = true;
      }
    }
    MessageId message = 1;
    for (std::size_t p = 0; p < paths_; ++p) {
      for (PortId in = 0; in < ports_; ++in) {
        if (linked[p][in]) continue;
        for (std::uint32_t label = 0; label < slots_; ++label) {
          if (chance(0.8)) one_register(p, in, static_cast<Slot>(label), message);
        }
      }
    }
  }

  // Trains on one register, one after the other, with and without pauses.
  void one_register(std::size_t path, PortId in, Slot label, MessageId& message) {
    const Cycle latency = bench_.input_latency[path][in];
    const auto frame = Cycle{slots_};
    Cycle start = latency + label;
    Cycle busy = -1;  // last word of the train before
    for (;;) {
      start += frame * static_cast<Cycle>(chance(0.5) ? 0 : below(6));
      BenchTrain t;
      t.path = path;
      t.in = in;
      t.train.message = message++;
      t.train.first_word = static_cast<std::uint32_t>(below(3));
      t.train.stride = static_cast<std::uint32_t>(1 + below(3));
      t.train.words = static_cast<std::uint32_t>(1 + below(chance(0.5) ? 3 : 20));
      t.train.slot = label;
      t.train.start = start;
      if (start >= bench_.horizon) return;
      t.announced = std::max({Cycle{0}, busy + 1, start - latency - static_cast<Cycle>(below(slots_))});
      t.announced = std::min(t.announced, start);
      Cycle end = t.train.last(slots_);
      if (t.train.words > 1 && chance(0.3)) {
        t.kept = 1 + static_cast<std::uint32_t>(below(t.train.words - 1));
        const Cycle missing = start + Cycle{t.kept} * frame - latency;  // in which the first lost word would be sent
        t.cut_at = std::max(t.announced + 1, missing - static_cast<Cycle>(below(slots_)));
        if (t.cut_at > missing) {
          t.cut_at = -1;
        } else {
          end = start + Cycle{t.kept - 1} * frame;
        }
      }
      busy = std::max(end, t.cut_at);
      start = end + frame;
      bench_.trains.push_back(t);
    }
  }

  RandomStream random_;
  std::size_t paths_;
  PortId ports_;
  std::uint32_t slots_;
  Cycle frames_ = 0;
  BenchCase bench_;
};

}  // namespace

BenchCase random_bench_case(std::uint64_t seed, std::size_t paths, PortId ports, std::uint32_t slots) {
  return Generator(seed, paths, ports, slots).make();
}

}  // namespace weft::test
