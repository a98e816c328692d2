#include "support/data_path_bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace weft::test {
namespace {

class Bench {
 public:
  Bench(const BenchCase& bench, const DataPathMaker& make, const ClockDomain* domain, std::uint64_t order)
      : bench_(bench), random_(order, "bench order") {
    for (std::size_t p = 0; p < bench.links.size(); ++p) {
      nodes_.push_back(std::make_unique<Node>(*this, p));
      BlockSite site;
      site.sw = static_cast<SwitchId>(p);
      site.path = fmt::format("path[{}]", p);
      site.ports = bench.ports;
      site.slots = bench.slots;
      site.input_latency = bench.input_latency[p];
      site.domain = domain;
      site.describe_message = [](MessageId id) { return fmt::format("message {}", id); };
      nodes_[p]->path = make(site, *nodes_[p]);
      nodes_[p]->path->preset(bench.preset[p]);
    }
  }

  BenchWords run() {
    schedule_input();
    while (!agenda_.empty() && agenda_.begin()->first.first < bench_.horizon) {
      const auto [key, items] = *agenda_.begin();
      now_ = key.first;
      phase_ = key.second;
      std::vector<std::function<void()>>& list = agenda_.begin()->second;
      for (std::size_t i = 0; i < list.size(); ++i) {  // grows while it is served
        std::swap(list[i], list[i + random_.below(list.size() - i)]);
        const auto action = list[i];
        action();
      }
      agenda_.erase(agenda_.begin());
    }
    return expand();
  }

 private:
  struct Hop {
    std::size_t path;
    PortId out;
    Train train;
  };

  struct Node final : DataPathClient {
    Node(Bench& b, std::size_t n) : bench(b), number(n) {}
    Bench& bench;
    std::size_t number;
    std::unique_ptr<DataPath> path;

    void depart(PortId out, const Train& train) override { bench.depart(number, out, train); }
    void depart_cut(PortId out, const TrainCut& cut) override { bench.depart_cut(number, out, cut); }
    void wake(Cycle at, Phase phase, std::uint32_t token) override {
      bench.at(at, phase, [this, at, token] { path->due(at, token); });
    }
  };

  void at(Cycle cycle, Phase phase, std::function<void()> action) {
    if (cycle < now_ || (cycle == now_ && phase < phase_)) throw std::logic_error("wake-up in the past");
    agenda_[{cycle, phase}].push_back(std::move(action));
  }

  void schedule_input() {
    for (const BenchTrain& t : bench_.trains) {
      at(t.announced, Phase::transfer, [this, &t] { nodes_[t.path]->path->arrive(now_, t.in, t.train); });
      if (t.cut_at < 0) continue;
      at(t.cut_at, Phase::transfer, [this, &t] {
        nodes_[t.path]->path->arrive_cut(now_, t.in,
                                         {t.train.message, t.train.first_word, t.train.slot, t.kept, t.train.words});
      });
    }
    for (const BenchChange& c : bench_.changes) {
      at(c.load, Phase::transfer, [this, &c] { nodes_[c.path]->path->load(now_, c.table, c.cycles_per_slot); });
      at(c.swap, Phase::transfer, [this, &c] { nodes_[c.path]->path->swap(now_, c.boundary); });
    }
  }

  void depart(std::size_t path, PortId out, const Train& train) {
    if (train.start != now_) throw std::logic_error(fmt::format("departs in {} instead of {}", now_, train.start));
    if (train.slot != now_ % bench_.slots) throw std::logic_error("departs in another slot than it says");
    newest_[{path, out, train.slot}] = hops_.size();
    hops_.push_back({path, out, train});
    if (const auto& link = bench_.links[path][out]) {
      Train arriving = train;
      arriving.start += link->latency;
      nodes_[link->to]->path->arrive(now_, link->in, arriving);
    }
  }

  void depart_cut(std::size_t path, PortId out, const TrainCut& cut) {
    const auto it = newest_.find({path, out, cut.slot});
    if (it == newest_.end()) throw std::logic_error("a cut of an output slot that sent nothing");
    Train& t = hops_[it->second].train;
    if (t.message != cut.message || t.first_word != cut.first_word || t.words != cut.announced ||
        cut.words >= t.words) {
      throw std::logic_error(
          fmt::format("cycle {}: path {} out {} slot {}: a cut of message {} from word {} on, {} of {} words, does not "
                      "fit its train: "
                      "message {} from word {} on, {} words since cycle {}",
                      now_, path, out, cut.slot, cut.message, cut.first_word, cut.words, cut.announced, t.message,
                      t.first_word, t.words, t.start));
    }
    if (t.start + Cycle{cut.words} * Cycle{bench_.slots} < now_) throw std::logic_error("a cut of words that are gone");
    t.words = cut.words;
    if (const auto& link = bench_.links[path][out]) nodes_[link->to]->path->arrive_cut(now_, link->in, cut);
  }

  BenchWords expand() const {
    BenchWords words;
    for (const Hop& h : hops_) {
      for (std::uint32_t k = 0; k < h.train.words; ++k) {
        const Cycle cycle = h.train.start + Cycle{k} * Cycle{bench_.slots};
        if (cycle >= bench_.horizon) break;
        if (!words
                 .emplace(std::tuple(cycle, h.path, h.out),
                          BenchWord(h.train.message, h.train.first_word + k * h.train.stride))
                 .second) {
          throw std::logic_error(fmt::format("path {} output {} sends two words in cycle {}", h.path, h.out, cycle));
        }
      }
    }
    return words;
  }

  const BenchCase& bench_;
  RandomStream random_;
  std::vector<std::unique_ptr<Node>> nodes_;
  std::map<std::pair<Cycle, Phase>, std::vector<std::function<void()>>> agenda_;
  std::vector<Hop> hops_;
  std::map<std::tuple<std::size_t, PortId, Slot>, std::size_t> newest_;
  Cycle now_ = -1;
  Phase phase_ = Phase::settle;
};

}  // namespace

BenchWords run_bench(const BenchCase& bench, const DataPathMaker& make, const ClockDomain* domain,
                     std::uint64_t order) {
  return Bench(bench, make, domain, order).run();
}

BenchWords run_bench_oracle(const BenchCase& bench) {
  const std::size_t paths = bench.links.size();
  std::vector<oracle::RegisterFile> files(paths, oracle::RegisterFile(bench.ports, bench.slots));
  std::vector<std::vector<oracle::DelayLine>> wires(paths);
  std::vector<std::vector<bool>> linked(paths, std::vector<bool>(bench.ports, false));  // inputs fed by a link
  for (std::size_t p = 0; p < paths; ++p) {
    files[p].set_table(bench.preset[p]);
    for (const auto& link : bench.links[p]) {
      wires[p].emplace_back(link ? link->latency : 0);
      if (link) linked[link->to][link->in] = true;
    }
  }
  std::map<std::tuple<Cycle, std::size_t, PortId>, oracle::Word> from_outside;
  for (const BenchTrain& t : bench.trains) {
    const std::uint32_t words = t.cut_at < 0 ? t.train.words : t.kept;
    for (std::uint32_t k = 0; k < words; ++k) {
      from_outside[{t.train.start + Cycle{k} * Cycle{bench.slots}, t.path, t.in}] = {
          0, t.train.message, t.train.first_word + k * t.train.stride};
    }
  }
  BenchWords words;
  for (Cycle now = 0; now < bench.horizon; ++now) {
    for (const BenchChange& c : bench.changes) {
      if (c.boundary == now) files[c.path].set_table(c.table);
    }
    std::vector<std::vector<oracle::Cell>> out(paths);
    for (std::size_t p = 0; p < paths; ++p) {
      for (PortId o = 0; o < bench.ports; ++o) {
        out[p].push_back(files[p].read(o, static_cast<Slot>(now % bench.slots)));
        if (const auto& w = out[p].back()) words[{now, p, o}] = {static_cast<MessageId>(w->message), w->index};
      }
    }
    for (std::size_t p = 0; p < paths; ++p) {
      for (PortId o = 0; o < bench.ports; ++o) {
        const auto& link = bench.links[p][o];
        if (!link) continue;
        files[link->to].write(link->in, oracle::label_of(now, link->latency, bench.slots),
                              wires[p][o].shift(out[p][o]));
      }
      for (PortId in = 0; in < bench.ports; ++in) {
        if (linked[p][in]) continue;
        const auto it = from_outside.find({now, p, in});
        files[p].write(in, oracle::label_of(now, bench.input_latency[p][in], bench.slots),
                       it == from_outside.end() ? oracle::Cell() : oracle::Cell(it->second));
      }
    }
  }
  return words;
}

std::string compare_bench(const BenchWords& run, const BenchWords& wanted) {
  const auto [a, b] = std::mismatch(run.begin(), run.end(), wanted.begin(), wanted.end());
  const auto text = [](auto it, auto end) {
    if (it == end) return std::string("nothing more");
    const auto& [place, word] = *it;
    return fmt::format("path {} out {} cycle {}: message {} word {}", std::get<1>(place), std::get<2>(place),
                       std::get<0>(place), word.first, word.second);
  };
  if (a == run.end() && b == wanted.end()) return {};
  return fmt::format("sent: {}; oracle: {}", text(a, run.end()), text(b, wanted.end()));
}

}  // namespace weft::test
