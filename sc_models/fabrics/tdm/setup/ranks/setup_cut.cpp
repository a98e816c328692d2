#include "fabrics/tdm/setup/ranks/setup_cut.h"

#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <utility>

#include "base/diagnostics.h"

namespace weft {
namespace {

constexpr Cycle kLongestSetupWindow = 1024;  // cycles: what ranks tell each other takes memory
constexpr std::uint32_t kWindowsPerQuestion = 16;
constexpr std::size_t kUsualBytes = 128;  // of a link and window; more takes a second transfer

enum class Item : std::uint8_t { train, cut, message, drain };

}  // namespace

/// Another rank, and what both count of the links between them.
class SetupCut::Neighbour {
 public:
  explicit Neighbour(RankId other) : other_(other) {}
  RankId other() const { return other_; }
  void open(Ranks& ranks) { channel_ = &ranks.open_channel(other_, (links_.size() + 1) * kUsualBytes); }
  ByteWriter out() { return ByteWriter(channel_->out); }
  ByteReader in() const { return ByteReader(channel_->in); }
  bool has_news() const { return !channel_->out.empty(); }

  /// Links under the numbers that LinkAvailability gives them, with the draining circuits that the other was told.
  void add(LinkId link) { links_.try_emplace(link, 0); }
  void tell_drains(const LinkAvailability& links) {
    for (auto& [link, told] : links_) {
      const std::uint32_t now = links.draining(link);
      if (now == told) continue;
      told = now;
      ByteWriter to = out();
      to.put(Item::drain);
      to.put(link);
      to.put(now);
    }
  }
  std::uint64_t waiting(const LinkAvailability& links) const {
    return static_cast<std::uint64_t>(std::count_if(
        links_.begin(), links_.end(), [&](const auto& link) { return links.waits_for_drain(link.first); }));
  }

 private:
  RankId other_;
  RankChannel* channel_ = nullptr;
  std::map<LinkId, std::uint32_t> links_;
};

/// End of a link to another rank, for words.
struct SetupCut::WordsOut final : TdmReceiver {
  WordsOut(SetupCut& its_cut, Neighbour& its_to, LinkId its_link, Cycle its_delay)
      : cut(its_cut), to(its_to), link(its_link), delay(its_delay), in(*this, 0) {}
  void receive(PortId, const TdmTransfer& transfer) override {
    ByteWriter out = to.out();
    if (transfer.kind == TdmTransfer::Kind::cut) {
      out.put(Item::cut);
      out.put(link);
      out.put(transfer.cut);
      return;
    }
    TdmTransfer later = transfer;
    TdmProtocol::delay(later, delay);
    const auto known = cut.known_.find(later.train.message);
    if (known == cut.known_.end()) throw RunError("internal: words of a run that is over leave for another rank");
    out.put(Item::train);
    out.put(link);
    out.put(later.train);
    out.put(known->second.run);
  }
  SetupCut& cut;
  Neighbour& to;
  LinkId link;
  Cycle delay;
  TdmInPort in;
};

/// The same for messages, which know the length of their way.
struct SetupCut::MessagesOut final : SetupReceiver {
  MessagesOut(SetupCut& its_cut, Neighbour& its_to, LinkId its_link)
      : cut(its_cut), to(its_to), link(its_link), in(*this, 0) {}
  void receive(PortId, const SetupMessage& message) override {
    ByteWriter out = to.out();
    out.put(Item::message);
    out.put(link);
    write_setup_message(out, message, cut.net_.routes);
  }
  SetupCut& cut;
  Neighbour& to;
  LinkId link;
  SetupInPort in;
};

SetupCut::SetupCut(const Network& network, std::vector<Cycle> faults)
    : net_(network), faults_(std::move(faults)), window_(kLongestSetupWindow) {
  const Cycle longest =
      net_.timing.adapters.empty() ? 0 : *std::max_element(net_.timing.adapters.begin(), net_.timing.adapters.end());
  stays_ = net_.timing.link + longest + 2 * Cycle{net_.timing.slots} + 1;
}

SetupCut::~SetupCut() = default;

SetupCut::Neighbour& SetupCut::neighbour(LinkId link, bool leads_out) {
  const PortRef from = net_.graph.driver(link);
  const SwitchId to = net_.graph.peer(from.sw, from.port).sw;
  const RankId other = net_.part.owners[leads_out ? to : from.sw];
  for (const auto& n : neighbours_) {
    if (n->other() == other) return *n;
  }
  return *neighbours_.emplace_back(std::make_unique<Neighbour>(other));
}

void SetupCut::lead(LinkId link, TdmOutPort* from, TdmInPort* to, Cycle delay) {
  Neighbour& other = neighbour(link, from != nullptr);
  const PortRef driver = net_.graph.driver(link);
  other.add(net_.links.at(driver.sw, driver.port));
  window_ = std::min(window_, net_.timing.way(link));
  if (from != nullptr) {
    words_out_.push_back(std::make_unique<WordsOut>(*this, other, link, delay));
    from->bind(words_out_.back()->in);
  } else {
    words_in_[link] = std::make_unique<TdmOutPort>();
    words_in_[link]->bind(*to);
  }
}

void SetupCut::lead_control(LinkId link, SetupOutPort* from, SetupInPort* to) {
  if (from != nullptr) {
    messages_out_.push_back(std::make_unique<MessagesOut>(*this, neighbour(link, true), link));
    from->bind(messages_out_.back()->in);
  } else {
    messages_in_[link] = std::make_unique<SetupOutPort>();
    messages_in_[link]->bind(*to);
  }
}

// The window is that of the shortest link that is cut anywhere, which every rank knows.
void SetupCut::start() {
  const Graph& graph = net_.graph;
  for (SwitchId sw = 0; sw < graph.switches(); ++sw) {
    for (PortId p = 0; p < graph.ports(sw); ++p) {
      const SwitchId to = graph.peer(sw, p).sw;
      if (to == kNoId || net_.part.owners[to] == net_.part.owners[sw]) continue;
      window_ = std::min(window_, net_.timing.way(graph.out_link(sw, p)));
    }
  }
  for (const auto& n : neighbours_) n->open(*net_.part.ranks);
  Cycle first = window_ - 1;
  if (!faults_.empty()) first = std::min(first, std::max<Cycle>(0, faults_.front() - 1));
  net_.domain.schedule(first, Phase::exchange, *this, 0);
}

void SetupCut::begin_run(MessageId id, std::uint32_t flow, const CircuitRun& run) {
  if (known_.size() >= known_limit_) forget_old(net_.domain.now());
  Known& k = known_[id];
  k.run = {flow, place_of_route(net_.routes, flow, net_.runs.ledger().of(id).route.get()), run,
           net_.runs.times().generated(flow, run.message)};
  const Cycle frames = (Cycle{run.words} + Cycle{run.lanes} - 1) / Cycle{run.lanes} + 1;
  k.until = std::max(run.head, net_.domain.now()) + frames * Cycle{net_.timing.slots} + stays_;
}

// Up to the last word, and at the next switch for as long as it may be there.
void SetupCut::keep_until(Known& known, const Train& train) {
  known.until = std::max(known.until, train.last(net_.timing.slots) + stays_);
}

void SetupCut::on_hop(SwitchId, PortId, const Train& train) {
  if (const auto k = known_.find(train.message); k != known_.end()) keep_until(k->second, train);
}

void SetupCut::forget_old(Cycle now) {
  std::erase_if(known_, [&](const auto& k) { return k.second.until < now; });
  known_limit_ = std::max<std::size_t>(1024, 2 * known_.size());
}

void SetupCut::due(Cycle now, std::uint32_t) {
  exchange(now);
  const Cycle next = next_exchange(now);
  if (next >= 0) net_.domain.schedule(next, Phase::exchange, *this, 0);
}

void SetupCut::exchange(Cycle now) {
  if (!faults_.empty()) tell_drains();
  net_.part.ranks->exchange();
  for (const auto& n : neighbours_) take(now, *n);
  if (known_.size() >= known_limit_) forget_old(now);
}

void SetupCut::tell_drains() {
  for (const auto& n : neighbours_) n->tell_drains(net_.links);
}

void SetupCut::take(Cycle now, Neighbour& from) {
  for (ByteReader in = from.in(); !in.empty();) {
    const auto item = in.get<Item>();
    const auto link = in.get<LinkId>();
    TdmTransfer transfer;
    switch (item) {
      case Item::train: {
        transfer.kind = TdmTransfer::Kind::train;
        transfer.train = in.get<Train>();
        const auto run = in.get<RemoteRun>();
        net_.runs.learn(transfer.train.message, run, net_.routes.at(run.flow).at(run.route));
        keep_until(known_.try_emplace(transfer.train.message, Known{run, 0}).first->second, transfer.train);
        words_in_.at(link)->send(transfer, sc_core::SC_ZERO_TIME);
        break;
      }
      case Item::cut:
        transfer.kind = TdmTransfer::Kind::cut;
        transfer.cut = in.get<TrainCut>();
        words_in_.at(link)->send(transfer, sc_core::SC_ZERO_TIME);
        break;
      case Item::message: {
        SetupMessage message = read_setup_message(in, net_.routes);
        messages_in_.at(link)->send(message, sc_core::SC_ZERO_TIME);
        break;
      }
      case Item::drain:
        net_.links.drains_elsewhere(link, in.get<std::uint32_t>(), now);
        break;
    }
  }
}

std::uint64_t SetupCut::waiting_links() const {
  std::uint64_t all = 0;
  for (const auto& n : neighbours_) all += n->waiting(net_.links);
  return all;
}

// Of those behind this cycle; the largest number without one.
Cycle SetupCut::next_fault(Cycle now) const {
  const auto it = std::upper_bound(faults_.begin(), faults_.end(), now);
  return it == faults_.end() ? std::numeric_limits<Cycle>::max() : *it;
}

// The same on all ranks. -1: nothing is left to happen.
Cycle SetupCut::next_exchange(Cycle now) {
  Ranks& ranks = *net_.part.ranks;
  if (draining_ || std::binary_search(faults_.begin(), faults_.end(), now)) {
    draining_ = ranks.sum(waiting_links()) != 0;
  }
  if (draining_) return now + 1;
  Cycle next = now + window_;
  if (++windows_ == kWindowsPerQuestion) {
    windows_ = 0;
    constexpr Cycle kNever = std::numeric_limits<Cycle>::max();
    const bool news = std::any_of(neighbours_.begin(), neighbours_.end(), [](const auto& n) { return n->has_news(); });
    const Cycle mine = news ? now + 1 : net_.domain.next_busy();
    Cycle first = kNever;
    for (const std::string& theirs : ranks.gather(std::to_string(mine < 0 ? kNever : mine))) {
      first = std::min<Cycle>(first, std::stoll(theirs));
    }
    if (first == kNever) return -1;
    next = std::max(next, first + window_ - 1);
  }
  const Cycle fault = next_fault(now);
  return std::min(next, fault - 1 > now ? fault - 1 : fault);
}

}  // namespace weft
