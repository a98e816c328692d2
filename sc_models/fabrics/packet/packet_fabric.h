#pragma once
// Endpoints and accounting of a packet network, of packet switches or of input-queued routers: the fabric that runs
// see.
//
// A transfer becomes packets of its service's size and a last one of the rest, all generated in the cycle in which it
// is sent; they are allocated and scheduled one by one. Packets of a stream's message take one path (all random choices
// of its routing are the same), those of a program's transfer each its own. With several NICs per node the packets of a
// node take its NICs in turn; packet k goes from NIC k of the source to NIC k of the destination. Latency ends with the
// last flit of the packet that comes last.
//
// A transfer of one packet that nobody asks about is followed by the network alone: nothing is kept for it here.

#include <algorithm>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "base/diagnostics.h"
#include "fabrics/packet/common/link_faults.h"
#include "fabrics/packet/common/observer.h"
#include "fabrics/packet/common/remote_transfers.h"
#include "fabrics/packet/common/tracked_packets.h"
#include "kernel/fabric.h"
#include "kernel/send_queue.h"

namespace weft {

struct PacketFabricOptions {
  std::uint32_t nodes = 0;
  std::uint32_t nics = 1;  ///< of a node
  /// NICs of a message at its source and at its destination; null: its packets take them in turn.
  std::function<std::pair<std::uint32_t, std::uint32_t>(NodeId from, NodeId to)> nics_of{};
  std::uint64_t flit_bits = 512;
  Cycle pipeline = 0;  ///< of a NIC, before its link
  Cycle watchdog_interval = 1;
  bool ordered = false;  ///< messages of a level from one node to another keep their order
  /// By service: bytes of its usual message, the flits that these are, and those of its largest packet.
  struct Message {
    std::uint64_t bytes = 0;
    std::uint32_t flits = 1;
    std::uint32_t packet = 1;
  };
  std::vector<Message> services;
};

/// Network: PacketNetwork or IqNetwork.
template <class Network>
class PacketFabric final : public Fabric, public PacketObserver {
 public:
  /// References must outlive the fabric. `faults`: null when no link fails.
  PacketFabric(Network& network, PacketFabricOptions options, const LinkFaults* faults)
      : network_(network),
        options_(std::move(options)),
        faults_(faults),
        remote_(network.remote()),
        follows_(remote_ != nullptr),
        sends_(*this, network.domain()),
        next_nic_(options_.nodes) {
    network.add_observer(*this);
  }

  std::uint32_t nodes() const override { return options_.nodes; }
  Capabilities of(ServiceId service) const override {
    const PacketFabricOptions::Message& message = options_.services[service];
    const std::uint64_t unit = (options_.flit_bits + 7) / 8;
    return {.ordered = options_.ordered,
            .multicast = false,
            .dynamic = true,
            .unit = unit,
            .packet = message.packet < message.flits ? message.packet * unit : message.bytes};
  }
  ClientId attach(Client& client) override { return sends_.attach(client); }
  void send(NodeId from, const Transfer& transfer) override {
    if (from >= options_.nodes || transfer.to >= options_.nodes || transfer.service >= options_.services.size() ||
        !transfer.group.empty()) {
      check_transfer(*this, from, transfer, options_.services.size());
    }
    sends_.send(from, transfer);
  }
  void expect(NodeId from) const override {
    if constexpr (requires { network_.expect(from); }) {
      if (options_.nics == 1) network_.expect(from);
    }
  }
  /// Of the queue of sends: into the NIC, now.
  void enter(NodeId from, const Transfer& transfer) {
    const PacketFabricOptions::Message& usual = options_.services[transfer.service];
    if (transfer.bytes == usual.bytes && transfer.notify == Notify::none && options_.nics == 1 &&
        usual.flits == usual.packet) {
      network_.submit(from, transfer.to, static_cast<ServiceLevel>(transfer.service), usual.flits, transfer.choice);
    } else {
      enter_followed(from, transfer);
    }
  }

  ClockDomain& domain() override { return network_.domain(); }
  Duration tick() const override { return network_.domain().period(); }
  void observe(TransferObserver& observer) override { observers_.push_back(&observer); }
  const TransferCounts& counts() const override { return counts_; }
  std::string miscounted() const override {
    if (network_.pool().in_use() == network_.outstanding()) return {};
    return fmt::format("the accounting says that {} messages are under way, there are {}", network_.outstanding(),
                       network_.pool().in_use());
  }
  std::uint64_t imbalance() const override {
    std::uint64_t copies = 0;
    if constexpr (requires { network_.straddling(); }) copies = network_.straddling();
    return network_.pool().in_use() - copies - network_.outstanding();
  }
  std::uint64_t unclosed() const override { return network_.accounting().unclosed(); }
  void withdraw() override;
  std::string take_news() override { return remote_ == nullptr ? std::string() : remote_->take_news(); }
  void hear(const std::string& news) override {
    const Cycle now = network_.domain().now();
    const auto lost = [&](std::uint32_t packet) { return lose_followed(packet, now); };
    remote_->hear(news, lost, [&](const RemoteTransfers::Arriving& a) { close_foreign(a, now); });
  }
  std::uint64_t progress() const override { return network_.progress(); }
  Cycle watchdog_interval() const override { return options_.watchdog_interval; }
  std::string describe_stall() const override { return stall_text(stalled()); }
  std::vector<StalledPort> stalled() const override { return network_.stalled(); }
  std::string audit() const override { return network_.audit(); }
  std::uint64_t audit_size() const override { return network_.audit_size(); }
  void check_conservation(Cycle now) override { network_.check_conservation(now); }
  bool excused() const override { return faults_ != nullptr && faults_->any_down(); }
  bool faults_over() const override { return faults_ == nullptr || faults_->over(); }

  /// Packets so far.
  std::uint64_t packets() const { return network_.accounting().generated(); }

  void on_tail(const PacketMessage& packet, Cycle now) override {
    if (const auto number = follower(packet)) packet_left(*number, packet, now + 1);
  }
  void on_generate(const PacketMessage& packet) override {
    if (entering_ != kNobody) return follow(packet);  // its transfer is told as a whole
    ++counts_.generated;
    TransferRecord record = record_of(packet);
    record.id = network_.accounting().last_number();  // in more than 32 bits
    tell([&](TransferObserver& o) { o.on_generate(record); });
  }
  // Most networks follow nothing: their packets find a short path here.
  void on_inject(const PacketMessage& packet) override {
    if (follows_) [[unlikely]]
      return on_inject_among_followed(packet);
    inject(packet);
  }
  void on_deliver(const PacketMessage& packet, Cycle now) override {
    if (follows_) [[unlikely]]
      return on_deliver_among_followed(packet, now);
    deliver(packet, now);
  }
  void on_lose(const PacketMessage& packet, LossCause /*cause*/, Cycle now) override {
    if (remote_ != nullptr ? lose_on_rank(packet, now) : lose_followed(packet.sequence, now)) return;
    ++counts_.lost;
    const TransferRecord record = record_of(packet);
    tell([&](TransferObserver& o) { o.on_lose(record, now); });
  }
  void on_withdraw(const PacketMessage& packet) override {
    if (const auto number = follower(packet)) {
      if (open_[*number].elsewhere) return take_back(*number, packet);
      open_[*number].withdrawn = true;
      return close_packet(*number, packet.sequence, network_.domain().now());
    }
    ++counts_.withdrawn;
    const TransferRecord record = record_of(packet);
    tell([&](TransferObserver& o) { o.on_withdraw(record); });
  }

 private:
  using Number = std::uint32_t;
  static constexpr Number kNobody = TrackedPackets::kNobody;
  /// A transfer that is followed from packet to packet.
  struct Open {
    TransferRecord record;
    ClientId client = 0;
    Notify notify = Notify::none;
    std::uint64_t tag = 0;
    std::uint64_t word = 0;
    std::uint64_t packets = 0, sent = 0, closed = 0;
    Cycle left = 0;
    Cycle first_arrived = 0;  // earliest arrival of a first flit
    bool lost = false, withdrawn = false;
    bool elsewhere = false;  // its destination: here it is over when all packets have left
  };

  template <class Tell>
  void tell(Tell&& f) const {
    for (TransferObserver* o : observers_) f(*o);
  }

  TransferRecord record_of(const PacketMessage& packet) const {
    return {.id = packet.sequence,
            .from = packet.source,
            .to = packet.destination,
            .service = packet.level,
            .bytes = options_.services[packet.level].bytes,
            .units = packet.flits,
            .generated = packet.generated,
            .entered = packet.sent(),
            .pipeline = options_.pipeline,
            .serialization = static_cast<Cycle>(packet.flits) - 1};
  }

  // Packets that are transfers of their own, which nobody follows.
  [[gnu::always_inline]] void inject(const PacketMessage& packet) const {
    const TransferRecord record = record_of(packet);
    tell([&](TransferObserver& o) { o.on_enter(record); });
  }
  [[gnu::always_inline]] void deliver(const PacketMessage& packet, Cycle now) {
    ++counts_.delivered;
    const TransferRecord record = record_of(packet);
    tell([&](TransferObserver& o) { o.on_arrive(record, now); });
  }
  [[gnu::noinline]] void on_inject_among_followed(const PacketMessage& packet) {
    const auto number = follower(packet);
    number ? on_inject_followed(*number, packet) : inject(packet);
  }
  [[gnu::noinline]] void on_deliver_among_followed(const PacketMessage& packet, Cycle now) {
    const auto number = follower(packet);
    if (number) on_deliver_followed(*number, packet, now);
    if (remote_ != nullptr) {
      if (const auto transfer = remote_->take(packet)) {
        const auto whole = number ? std::nullopt : remote_->arrive(packet, *transfer, now);
        if (whole) close_foreign(*whole, now);
        return;
      }
    }
    if (!number) deliver(packet, now);
  }
  [[gnu::noinline]] void follow(const PacketMessage& packet) {
    followed_.add(packet.sequence, entering_);
    follows_ = true;
  }
  void forget(std::uint32_t sequence) {
    followed_.remove(sequence);
    follows_ = followed_.any() || remote_ != nullptr;
  }

  // Of the transfer that the packet belongs to, when it is followed.
  std::optional<Number> follower(const PacketMessage& packet) const {
    const Number found = followed_.of(packet.sequence);
    return found == kNobody ? std::nullopt : std::optional(found);
  }

  [[gnu::noinline]] void enter_followed(NodeId from, const Transfer& transfer) {
    const PacketFabricOptions::Message& usual = options_.services[transfer.service];
    const std::uint64_t flits =
        transfer.bytes == usual.bytes
            ? usual.flits
            : std::max<std::uint64_t>(1, (transfer.bytes * 8 + options_.flit_bits - 1) / options_.flit_bits);
    if (free_.empty()) {
      if constexpr (Network::kTellsTails) {
        if (open_.empty()) network_.tell_tails(*this);
      }
      free_.push_back(static_cast<Number>(open_.size()));
      open_.emplace_back();
    }
    const Number number = free_.back();
    free_.pop_back();
    Open& open = open_[number] = {};
    open.record = {.id = network_.accounting().next_number(),
                   .from = from,
                   .to = transfer.to,
                   .service = transfer.service,
                   .bytes = transfer.bytes,
                   .units = flits,
                   .generated = network_.domain().now(),
                   .entered = -1,
                   .pipeline = options_.pipeline};
    open.client = transfer.client;
    open.notify = transfer.notify;
    open.tag = transfer.tag;
    open.packets = (flits + usual.packet - 1) / usual.packet;
    open.elsewhere = remote_ != nullptr && !remote_->here(transfer.to * options_.nics);
    if (open.elsewhere && wants(open.notify, Notify::arrived)) open.word = sends_.client(open.client).word(open.tag);
    ++counts_.generated;
    tell([&](TransferObserver& o) { o.on_generate(open.record); });
    entering_ = number;
    std::uint32_t choice = transfer.choice;
    for (std::uint64_t rest = flits; rest > 0;) {
      const std::uint64_t packet = std::min<std::uint64_t>(rest, usual.packet);
      std::pair<std::uint32_t, std::uint32_t> nics{next_nic_[from], next_nic_[from]};
      if (options_.nics_of) {
        nics = options_.nics_of(from, transfer.to);
      } else {
        next_nic_[from] = (nics.first + 1) % options_.nics;
      }
      network_.submit(from * options_.nics + nics.first, transfer.to * options_.nics + nics.second,
                      static_cast<ServiceLevel>(transfer.service), static_cast<std::uint32_t>(packet), choice);
      rest -= packet;
      if (rest > 0 && transfer.choices != nullptr) choice = static_cast<std::uint32_t>((*transfer.choices)());
    }
    entering_ = kNobody;
  }

  void on_inject_followed(Number number, const PacketMessage& packet) {
    Open& open = open_[number];
    const bool first = open.record.entered < 0;
    open.record.entered = first ? packet.sent() : std::min(open.record.entered, packet.sent());
    if (first) tell([&](TransferObserver& o) { o.on_enter(open.record); });
    // Where links fail, a packet may be lost on any rank.
    if (open.elsewhere || (remote_ != nullptr && faults_ != nullptr)) remote_->add(packet, on_wire(open));
    if constexpr (!Network::kTellsTails) packet_left(number, packet, packet.sent() + static_cast<Cycle>(packet.flits));
  }
  static TransferOnWire on_wire(const Open& open) {
    return {open.record.bytes, open.record.units, open.packets, open.word, open.record.id, open.client, open.notify};
  }

  // The last flit of a packet leaves in the cycle before `at`.
  void packet_left(Number number, const PacketMessage& packet, Cycle at) {
    Open& open = open_[number];
    open.left = std::max(open.left, at);
    if (++open.sent == open.packets && wants(open.notify, Notify::left)) {
      sends_.client(open.client).left(open.tag, open.left);
    }
    if (open.elsewhere) close_at_source(number, packet);
  }

  // Of transfers to other ranks: what is still to come of them is known there.
  void close_at_source(Number number, const PacketMessage& packet) {
    forget(packet.sequence);
    if (++open_[number].closed == open_[number].packets) free_.push_back(number);
  }
  void take_back(Number number, const PacketMessage& packet) {
    if (taken_back_.empty() || taken_back_.back().first != number) taken_back_.emplace_back(number, 0);
    ++taken_back_.back().second;
    forget(packet.sequence);
  }

  void on_deliver_followed(Number number, const PacketMessage& packet, Cycle now) {
    Open& open = open_[number];
    const Cycle head = now - (static_cast<Cycle>(packet.flits) - 1);
    open.first_arrived = open.closed == 0 ? head : std::min(open.first_arrived, head);
    close_packet(number, packet.sequence, now);
  }

  // The transfer is over with its last packet.
  void close_packet(Number number, std::uint32_t sequence, Cycle now) {
    forget(sequence);
    if (++open_[number].closed < open_[number].packets) return;
    Open open = open_[number];
    free_.push_back(number);
    Client* const client = wants(open.notify, Notify::arrived) ? &sends_.client(open.client) : nullptr;
    if (open.lost) {
      ++counts_.lost;
      tell([&](TransferObserver& o) { o.on_lose(open.record, now); });
      if (client != nullptr) client->lost(open.tag, open.record.to, now + 1, "links on its way have failed");
    } else if (open.withdrawn) {
      ++counts_.withdrawn;
      tell([&](TransferObserver& o) { o.on_withdraw(open.record); });
    } else {
      ++counts_.delivered;
      open.record.serialization = now - open.first_arrived;
      tell([&](TransferObserver& o) { o.on_arrive(open.record, now); });
      if (client != nullptr) client->arrived(open.tag, open.record.to, now + 1);
    }
  }

  // False: the packet is of no transfer that is followed here.
  bool lose_followed(std::uint32_t sequence, Cycle now) {
    const Number number = followed_.of(sequence);
    if (number == kNobody) return false;
    open_[number].lost = true;
    close_packet(number, sequence, now);
    return true;
  }
  bool lose_on_rank(const PacketMessage& packet, Cycle now) {
    if (!lose_followed(packet.sequence, now)) return remote_->lose(packet);
    remote_->take(packet);
    return true;
  }

  // One whose source is on another rank is over.
  void close_foreign(const RemoteTransfers::Arriving& foreign, Cycle now) {
    TransferRecord record = foreign.record;
    record.from /= options_.nics;
    record.to /= options_.nics;
    if (foreign.lost) {
      ++counts_.lost;
      return tell([&](TransferObserver& o) { o.on_lose(record, now); });
    }
    if (foreign.withdrawn) {
      ++counts_.withdrawn;
      return tell([&](TransferObserver& o) { o.on_withdraw(record); });
    }
    ++counts_.delivered;
    record.pipeline = options_.pipeline;
    record.serialization = now - foreign.first_arrived;
    tell([&](TransferObserver& o) { o.on_arrive(record, now); });
    if (!wants(foreign.transfer.notify, Notify::arrived)) return;
    sends_.client(foreign.transfer.client)
        .arrived_from_afar({record.from, record.to, record.bytes, foreign.transfer.word}, now + 1);
  }

  Network& network_;
  const PacketFabricOptions options_;
  const LinkFaults* faults_;
  RemoteTransfers* const remote_;  // null: the whole network is here
  bool follows_;                   // some packets may have to be followed
  SendQueue<PacketFabric> sends_;
  std::vector<TransferObserver*> observers_;
  TransferCounts counts_;
  std::vector<std::uint32_t> next_nic_;  // per node
  std::vector<Open> open_;
  std::vector<Number> free_;
  TrackedPackets followed_;
  Number entering_ = kNobody;
  std::vector<std::pair<Number, std::uint64_t>> taken_back_;  // transfers to other ranks, and their packets
};

template <class Network>
void PacketFabric<Network>::withdraw() {
  network_.withdraw();
  for (const auto& [number, packets] : std::exchange(taken_back_, {})) {
    Open& open = open_[number];
    if (packets == open.packets) {
      ++counts_.withdrawn;
      tell([&](TransferObserver& o) { o.on_withdraw(open.record); });
    } else {
      TransferRecord record = open.record;  // between NICs
      record.from *= options_.nics;
      record.to *= options_.nics;
      remote_->tell_withdrawn(on_wire(open), record, packets);
    }
    open.closed += packets;
    if (open.closed == open.packets) free_.push_back(number);
  }
}

}  // namespace weft
