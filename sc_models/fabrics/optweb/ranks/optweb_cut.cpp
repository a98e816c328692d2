#include "fabrics/optweb/ranks/optweb_cut.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "algorithms/optweb/clock_period.h"
#include "algorithms/optweb/neighbours.h"
#include "base/diagnostics.h"

namespace weft {
namespace {

constexpr std::size_t kUsualBytes = 4096;  // from rank to rank in an exchange; more takes a second transfer
constexpr Cycle kNothing = std::numeric_limits<Cycle>::max();

/// Bytes of a memory travel in blocks, the last one filled up.
using Block = std::array<std::byte, 256>;

}  // namespace

/// End of a link from here, at a node on another rank.
struct OptwebCut::FarEnd final : LinkOwner {
  FarEnd(OptwebCut& its_cut, NodeId its_far, NodeId its_here, NodeClock& clock, LinkSyncs syncs)
      : cut(its_cut),
        far(its_far),
        here(its_here),
        link(fmt::format("far_link[{}][{}]", far, here).c_str(), its_cut.net_.parameters, clock, 0, *this,
             std::move(syncs)) {}
  void notification_arrives(std::uint32_t, const OptwebNotification& notification, Cycle at) override {
    if (at >= optweb::kNever) return;  // lost on a link that does not come back
    ByteWriter out = cut.begin(*this, Item::notification);
    out.put(notification);
    out.put(at);
  }
  void train_arrives(std::uint32_t, OptwebTrain&& train) override { cut.put_train(*this, train); }
  void train_is_late(std::uint32_t, Cycle last, Picoseconds ended, Cycle from) override {
    ByteWriter out = cut.begin(*this, Item::late);
    out.put(last);
    out.put(ended);
    out.put(from);
  }
  void train_turns(std::uint32_t, const OptwebTurn& turn, Cycle first, Cycle last, Picoseconds ended) override {
    ByteWriter out = cut.begin(*this, Item::turn);
    out.put(turn);
    out.put(first);
    out.put(last);
    out.put(ended);
  }

  OptwebCut& cut;
  NodeId far;
  NodeId here;
  LinkIp link;
};

OptwebCut::OptwebCut(Network network)
    : net_(std::move(network)),
      neighbours_(optweb::neighbours_of(*net_.parameters.config)),
      window_(window(net_.parameters, net_.part.node_owners)),
      others_(net_.part.ranks->size()) {
  net_.ledger.divide(
      [this](NodeId n) { return net_.part.node_owners[n] == net_.part.ranks->rank(); },
      [this](const TransferLedger::Sent& sent) { begin(net_.part.node_owners[sent.to], Item::sent).put(sent); });
}

OptwebCut::~OptwebCut() = default;

// A cycle of the agenda is no longer than one of any node, and what leaves a switch is under way for cycles of the
// sender, nominal ones and cycles of the receiver.
Cycle OptwebCut::window(const OptwebParameters& parameters, const std::vector<RankId>& owners) {
  const OptwebConfig& c = *parameters.config;
  const optweb::Neighbours links = optweb::neighbours_of(c);
  Cycle adapter = kNothing;
  for (NodeId a = 0; a < c.nodes; ++a) {
    for (std::uint32_t d = 0; d < links.dmacs(); ++d) {
      const NodeId b = links.peer(a, d);
      if (owners[a] != owners[b]) adapter = std::min(adapter, c.adapter(a, b));
    }
  }
  if (adapter == kNothing) return kNothing / 2;
  if (c.clocks.empty()) return parameters.link_latency + adapter;
  optweb::WideInteger shortest = optweb::clock_period(c, c.clocks.front());
  for (const OptwebClock& clock : c.clocks) shortest = std::min(shortest, optweb::clock_period(c, clock));
  const auto attoseconds = [](Duration d) {
    return static_cast<optweb::WideInteger>(d.ps) * optweb::kAttosecondsOfPicosecond;
  };
  const OptwebLatencies& t = parameters.latency();
  const optweb::WideInteger under_way =
      (t.transmit + t.receive_link) * shortest + (t.link_ip + c.link.propagation + adapter) * attoseconds(c.period);
  return static_cast<Cycle>(under_way / attoseconds(optweb::agenda_period(c)));
}

LinkIp& OptwebCut::far_end(NodeId far, NodeId here, NodeClock& clock, const MakeLinkSync& make_link_sync) {
  std::unique_ptr<FarEnd>& end = ends_[{far, here}];
  if (end == nullptr) end = std::make_unique<FarEnd>(*this, far, here, clock, make_link_sync(here));
  return end->link;
}

LinkIp* OptwebCut::far_end(NodeId far, NodeId here) const {
  const auto end = ends_.find({far, here});
  return end == ends_.end() ? nullptr : &end->second->link;
}

void OptwebCut::start() {
  for (RankId r = 0; r < others_.size(); ++r) {
    if (r != net_.part.ranks->rank()) others_[r].channel = &net_.part.ranks->open_channel(r, kUsualBytes);
  }
  net_.domain.schedule(window_ - 1, Phase::exchange, *this, 0);
}

void OptwebCut::check_lanes() const {
  for (const auto& [nodes, end] : ends_) end->link.check_lane();
}

ByteWriter OptwebCut::begin(RankId to, Item item) {
  ByteWriter out(others_[to].channel->out);
  out.put(item);
  return out;
}

ByteWriter OptwebCut::begin(const FarEnd& end, Item item) {
  ByteWriter out = begin(net_.part.node_owners[end.far], item);
  out.put(end.here);
  out.put(end.far);
  return out;
}

void OptwebCut::put_train(const FarEnd& end, const OptwebTrain& train) {
  ByteWriter out = begin(end, Item::train);
  out.put(train.number);
  out.put(train.bytes);
  out.put(train.words);
  out.put(train.begun);
  out.put(train.ended);
  out.put(train.first);
  out.put(train.last);
  out.put(train.host);
  out.put(train.address);
  out.put(train.adapter);
  std::vector<NodeId> failing;  // destinations whose links have a timeline
  for (std::uint32_t d = 0; train.time != nullptr && d < neighbours_.dmacs(); ++d) {
    const NodeId to = neighbours_.peer(end.here, d);
    optweb::LinkTimeline* const timeline = to == end.here ? nullptr : net_.timeline(end.here, to);
    const auto& links = train.time->links();
    if (timeline != nullptr && std::find(links.begin(), links.end(), timeline) != links.end()) failing.push_back(to);
  }
  out.put(static_cast<std::uint32_t>(failing.size()));
  for (const NodeId to : failing) out.put(to);
  if (!failing.empty()) out.put(train.time->begin());
  out.put(train.memory != nullptr);
  if (train.memory != nullptr) put_bytes(others_[net_.part.node_owners[end.far]], train);
}

void OptwebCut::put_bytes(Other& to, const OptwebTrain& train) {
  const Saved mine{train.from, train.number, train.address, train.bytes, train.changed};
  ByteWriter out(to.channel->out);
  const bool again = to.saved == mine;
  out.put(again);
  to.saved = mine;
  if (again) return;
  std::vector<std::byte> saved;
  train.memory->save(train.address, train.bytes, saved);
  saved.resize((saved.size() + sizeof(Block) - 1) / sizeof(Block) * sizeof(Block));
  out.put(static_cast<std::uint64_t>(saved.size()));
  to.channel->out.append(saved.data(), saved.size());
}

OptwebTrain OptwebCut::take_train(Other& from, ByteReader& in, NodeId sender) {
  OptwebTrain train;
  train.from = sender;
  train.number = in.get<std::uint32_t>();
  train.bytes = in.get<std::uint64_t>();
  train.words = in.get<std::uint64_t>();
  train.begun = in.get<Picoseconds>();
  train.ended = in.get<Picoseconds>();
  train.first = in.get<Cycle>();
  train.last = in.get<Cycle>();
  train.host = in.get<bool>();
  train.address = in.get<std::uint64_t>();
  train.adapter = in.get<Cycle>();
  std::vector<optweb::LinkTimeline*> failing(in.get<std::uint32_t>());
  for (optweb::LinkTimeline*& link : failing) link = net_.timeline(sender, in.get<NodeId>());
  if (!failing.empty()) {
    const auto begin = in.get<Cycle>();
    train.time = std::make_shared<const optweb::StreamTime>(std::move(failing), begin);
  }
  if (in.get<bool>()) from.brought = take_bytes(from, in, train);
  return train;
}

OptwebCut::Memory OptwebCut::take_bytes(Other& from, ByteReader& in, const OptwebTrain& train) {
  if (in.get<bool>()) return from.brought;
  const OptwebConfig& c = *net_.parameters.config;
  auto memory = std::make_shared<optweb::SparseMemory>(2 * c.interface_bytes * c.stripes, c.seed, train.from);
  std::vector<std::byte> saved(in.get<std::uint64_t>());
  for (auto at = saved.begin(); at != saved.end(); at += sizeof(Block)) {
    const auto block = in.get<Block>();
    std::copy(block.begin(), block.end(), at);
  }
  memory->load(saved);
  return memory;
}

void OptwebCut::take(Other& from) {
  for (ByteReader in(from.channel->in); !in.empty();) {
    const auto item = in.get<Item>();
    if (item == Item::outlook) {
      first_ = std::min(first_, in.get<Cycle>());
      continue;
    }
    if (item == Item::delivery) {
      const auto delivery = in.get<OptwebDelivery>();
      net_.observers.tell([&](OptwebObserver& o) { o.on_deliver_elsewhere(delivery); });
      continue;
    }
    if (item == Item::sent) {
      net_.ledger.hear(in.get<TransferLedger::Sent>());
      continue;
    }
    const auto sender = in.get<NodeId>();
    const auto receiver = in.get<NodeId>();
    LinkOwner& to = net_.switch_of(receiver).arrivals();
    const std::uint32_t port = neighbours_.dmac(receiver, sender).value();
    if (item == Item::notification) {
      const auto notification = in.get<OptwebNotification>();
      to.notification_arrives(port, notification, in.get<Cycle>());
    } else if (item == Item::train) {
      OptwebTrain train = take_train(from, in, sender);
      if (net_.parameters.config->mode == OptwebMode::data) {
        memories_[{sender, receiver}].push_back(from.brought);
        train.memory = from.brought.get();
      }
      to.train_arrives(port, std::move(train));
    } else if (item == Item::late) {
      const auto last = in.get<Cycle>();
      const auto ended = in.get<Picoseconds>();
      to.train_is_late(port, last, ended, in.get<Cycle>());
    } else {
      const auto turn = in.get<OptwebTurn>();
      const auto first = in.get<Cycle>();
      const auto last = in.get<Cycle>();
      to.train_turns(port, turn, first, last, in.get<Picoseconds>());
    }
  }
}

// What has been told may be due in the next cycle, wherever it is known then.
void OptwebCut::due(Cycle now, std::uint32_t) {
  const bool news = std::any_of(others_.begin(), others_.end(),
                                [](const Other& o) { return o.channel != nullptr && !o.channel->out.empty(); });
  const Cycle next = net_.domain.next_busy();
  first_ = news ? now + 1 : next < 0 ? kNothing : next;
  for (Other& o : others_) {
    if (o.channel == nullptr) continue;
    ByteWriter out(o.channel->out);
    out.put(Item::outlook);
    out.put(first_);
    o.saved = {};
  }
  net_.part.ranks->exchange();
  used_.clear();
  for (Other& o : others_) {
    if (o.channel == nullptr) continue;
    take(o);
    o.brought.reset();
  }
  if (first_ == kNothing) return;  // the same on all ranks
  net_.domain.schedule(std::max(now, first_ - 1) + window_, Phase::exchange, *this, 0);
}

void OptwebCut::on_deliver(const OptwebDelivery& d) {
  const RankId owner = net_.part.node_owners[d.from];
  if (owner == net_.part.ranks->rank()) return;
  begin(owner, Item::delivery).put(d);
  if (net_.parameters.config->mode != OptwebMode::data) return;
  std::deque<Memory>& memories = memories_.at({d.from, d.to});
  used_.push_back(std::move(memories.front()));  // its bytes are still to be read
  memories.pop_front();
}

}  // namespace weft
