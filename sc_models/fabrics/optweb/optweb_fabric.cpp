#include "fabrics/optweb/optweb_fabric.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "algorithms/optweb/faults/link_failures.h"
#include "base/diagnostics.h"

namespace weft {
namespace {

constexpr std::size_t kReady = 2;  // instructions in a sequencer: the one that runs and the one behind it

Cycle notification(const OptwebParameters& p) {
  return p.latency().notification + p.longest_link + p.latency().notified + p.latency().report;
}

Cycle posting_of(const OptwebParameters& p, const ClockDomain& domain) {
  const auto links = static_cast<std::int64_t>(p.config->levels.size());
  const Duration time{links * notification(p) * p.config->period.ps};
  return CycleSpan{false, time.ps}.cycles(domain.period());
}

// Both directions of the hand-shake, and each stage once per node on the way; a reserve for crossings of clocks.
Cycle stages_of(const OptwebParameters& p) {
  const OptwebLatencies& t = p.latency();
  const Cycle once = t.dispatch + t.read + t.write + t.setup + t.distributor + t.select + t.gate + t.receive +
                     t.counter + 2 * p.longest_link + 2 * notification(p);
  return 100 + 4 * once;
}

}  // namespace

OptwebFabric::OptwebFabric(ClockDomain& domain, const OptwebConfig& config, std::size_t services)
    : domain_(domain),
      config_(config),
      parameters_(config),
      services_(services),
      posting_(posting_of(parameters_, domain)),
      stages_(stages_of(parameters_)),
      messages_(config),
      sends_(*this, domain),
      nodes_(config.nodes) {}

void OptwebFabric::join(OptwebNetwork& network) {
  network_ = &network;
  network.add_observer(*this);
  network.name_host_instructions([this](NodeId node, std::uint32_t number) { return text_of(node, number); });
}

void OptwebFabric::send(NodeId from, const Transfer& transfer) {
  check_transfer(*this, from, transfer, services_);
  if (const std::uint64_t most = optweb::most_message_bytes(config_); transfer.bytes > most) {
    throw RunError(fmt::format("a transfer from node {}: {} bytes, at most {} have a place in a memory", from,
                               transfer.bytes, most));
  }
  sends_.send(from, transfer);
}

void OptwebFabric::enter(NodeId from, const Transfer& transfer) {
  const std::uint64_t words = std::max<std::uint64_t>(1, parameters_.words(transfer.bytes));
  longest_ = std::max(longest_, words);
  const Number number = open_.add(from, transfer, words, domain_.now());
  open_[number].record.serialization = static_cast<Cycle>(words) - 1;
  const Cycle at = domain_.now() + posting_;
  if (generated_.empty() || generated_.back().post != at) domain_.schedule(at, Phase::generate, *this, kPost);
  generated_.push_back({at, number});
}

void OptwebFabric::post(Number number) {
  Open& o = open_[number];
  const std::vector<optweb::MessageAssembler::Part> parts = messages_.parts(o.record.from, o.to, o.record.bytes);
  o.instructions = parts.size();
  o.leaving = o.to.size() - (std::binary_search(o.to.begin(), o.to.end(), o.record.from) ? 1 : 0);
  for (const optweb::MessageAssembler::Part& p : parts) nodes_[p.node].waiting.push_back({number, p.instruction});
  for (const optweb::MessageAssembler::Part& p : parts) hand(p.node);
}

void OptwebFabric::hand(NodeId node) {
  Node& n = nodes_[node];
  if (n.waiting.empty() || n.handed.size() >= kReady) return;
  while (!n.waiting.empty() && n.handed.size() < kReady) {
    n.handed.push_back(n.waiting.front());
    n.waiting.pop_front();
    open_[n.handed.back().transfer].handed = true;
    network_->node(node).sequencer().push(n.handed.back().instruction);
  }
  network_->node(node).start_program();
}

void OptwebFabric::due(Cycle now, std::uint32_t token) {
  if (token == kHand) {
    for (const NodeId n : std::exchange(to_hand_, {})) hand(n);
    return;
  }
  // One order for all nodes, whatever order the sources of a cycle came in.
  auto end = generated_.begin();
  while (end != generated_.end() && end->post <= now) ++end;
  std::vector<Generated> due(generated_.begin(), end);
  generated_.erase(generated_.begin(), end);
  std::stable_sort(due.begin(), due.end(), [this](const Generated& a, const Generated& b) {
    return open_[a.transfer].record.from < open_[b.transfer].record.from;
  });
  for (const Generated& g : due) post(g.transfer);
}

void OptwebFabric::on_issue(NodeId node, std::uint32_t) {
  ++steps_;
  Open& o = open_[nodes_[node].handed.front().transfer];
  if (o.record.from != node) return;
  open_.enter(o, domain_.now());
}

// Its receiver is busy with it then: with what comes early, words are counted when the instruction begins.
void OptwebFabric::on_deliver(const OptwebDelivery& delivery) {
  Open& o = open_[nodes_[delivery.to].handed.front().transfer];
  o.record.serialization = (delivery.last - delivery.first) / domain_.period().ps;
  if (delivery.from == o.record.from && --o.leaving == 0) left(o);
}

void OptwebFabric::on_execute(const OptwebExecution& execution) {
  ++steps_;
  Node& node = nodes_[execution.node];
  const Number number = node.handed.front().transfer;
  node.handed.pop_front();
  Open& o = open_[number];
  if (o.to.size() == 1 && o.to.front() == o.record.from) left(o);
  if (std::binary_search(o.to.begin(), o.to.end(), execution.node)) arrive(o, execution.node);
  complete(number);
  if (node.waiting.empty()) return;
  if (to_hand_.empty()) domain_.schedule(domain_.now() + 1, Phase::generate, *this, kHand);
  to_hand_.push_back(execution.node);
}

void OptwebFabric::left(Open& open) {
  if (wants(open.notify, Notify::left)) sends_.client(open.client).left(open.tag, domain_.now() + 1);
}

void OptwebFabric::arrive(Open& open, NodeId to) {
  if (config_.verify == OptwebVerify::data) verify(open, to);
  open_.arrive(open, to, domain_.now());
  if (wants(open.notify, Notify::arrived)) sends_.client(open.client).arrived(open.tag, to, domain_.now() + 1);
}

// Nothing writes where messages are sent from, so the bytes are there still.
void OptwebFabric::verify(const Open& open, NodeId to) {
  const NodeId from = open.record.from;
  if (open.to.size() > 1 && to == from) return;  // a broadcast leaves them where they are
  const auto [sent, received] = messages_.places(from, to, open.to.size() > 1);
  const std::uint64_t bytes = std::max<std::uint64_t>(1, open.record.bytes);
  const auto wrong = optweb::SparseMemory::first_difference(network_->node(from).memory().bytes(), sent,
                                                            network_->node(to).memory().bytes(), received, bytes);
  if (wrong) {
    throw RunError(fmt::format("byte {} of {} of transfer {} from node {} to node {} is wrong", *wrong, bytes,
                               open.record.id, from, to));
  }
  verified_bytes_ += bytes;
}

// What a sequencer has an instruction of is in the network; the order of the rest stays what it is.
void OptwebFabric::withdraw() {
  for (const Generated& g : generated_) {
    open_.withdraw(open_[g.transfer]);
    open_.release(g.transfer);
  }
  generated_.clear();
  for (Node& n : nodes_) {
    std::erase_if(n.waiting, [this](const Part& p) {
      Open& o = open_[p.transfer];
      if (o.handed) return false;
      if (o.instructions == 1) open_.withdraw(o);
      complete(p.transfer);
      return true;
    });
  }
}

// Everything passes at least at the pace of a memory interface with four streams, or of a link, on each of two links.
Cycle OptwebFabric::watchdog_interval() const {
  const Cycle all = stages_ + 2 * (parameters_.interface_pace(4).time(longest_) + parameters_.link.time(longest_));
  if (!config_.link.errors) return all;
  // With bit errors several times as long as on average.
  const double share = optweb::goodput_share(optweb::link_timing(config_, parameters_.link, 0));
  return static_cast<Cycle>(8.0 * static_cast<double>(all) / share);
}

Cycle OptwebFabric::resting_time() const {
  if (config_.faults.empty() && !config_.link.errors) return stages_;
  return network_->undisturbed_in(watchdog_interval());
}

std::string OptwebFabric::text_of(NodeId node, std::uint32_t number) const {
  const Node& n = nodes_[node];
  const std::uint32_t completed = network_->node(node).sequencer().completed();
  if (number < completed || number - completed >= n.handed.size()) return "an instruction of an earlier transfer";
  const Part& p = n.handed[number - completed];
  const TransferRecord& r = open_[p.transfer].record;
  return fmt::format("{} of transfer {} ({}B from node {})", optweb::opcode_name(p.instruction.opcode), r.id, r.bytes,
                     r.from);
}

std::string OptwebFabric::describe_stall() const { return network_->describe_stall(false); }

void OptwebFabric::check_conservation(Cycle) {
  network_->check_words();
  // Of a transfer that has arrived, the source may never hear.
  if (!network_->finished() && network_->down_for_good()) return;
  const auto idle = [](const Node& n) { return n.waiting.empty() && n.handed.empty(); };
  if (!network_->finished() || !std::all_of(nodes_.begin(), nodes_.end(), idle) || !generated_.empty()) {
    throw RunError("instructions are left:" + network_->describe_stall(false));
  }
  if (!open_.none()) throw RunError(fmt::format("{} transfers have not come back", open_.size()));
  network_->check_conservation();
}

std::optional<Cycle> zero_load_latency(const OptwebConfig& config, std::uint64_t bytes, Cycle adapter) {
  const OptwebParameters p(config);
  // In the pace of words, up to roundings.
  const bool memory_counts = p.interface_pace(1) != p.bus || config.hbm2.has_value();
  const auto any = [](const OptwebOwnBoxes& b) {
    return (b.sent && !b.sent->empty()) || (b.received && !b.received->empty());
  };
  const bool own = any(config.all_own_boxes) || std::any_of(config.instances.begin(), config.instances.end(),
                                                            [&](const OptwebInstances& i) { return any(i.own_boxes); });
  if (config.levels.size() > 1 || !config.clocks.empty() || config.link.serial || memory_counts || own) {
    return std::nullopt;
  }
  const OptwebLatencies& t = p.latency();
  const Cycle link = p.link_latency + adapter;
  constexpr Cycle kFetch = 2;     // and decode
  constexpr Cycle kDoorbell = 1;  // of the host
  Cycle first_word = std::max(kFetch + t.dispatch + t.read + t.distributor + t.select, kFetch + t.setup);
  if (bytes > config.eager_buffer) {
    first_word = std::max(first_word, kFetch + t.setup + t.notification + link + t.notified + t.gate);
  }
  const std::uint64_t words = std::max<std::uint64_t>(1, p.words(bytes));
  const Cycle received = first_word + p.link.time(words + 1) + link + t.receive + t.counter + t.report;
  const Cycle answered = t.setup + t.notification;  // the confirmation leaves
  return notification(p) + kDoorbell + received + answered;
}

}  // namespace weft
