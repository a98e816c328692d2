#include "workload/tlm_bridges.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>

#include "base/diagnostics.h"

namespace weft {
namespace {

constexpr std::uint64_t kRequestHeader = 16;  // bytes
constexpr std::uint64_t kAnswerHeader = 4;

std::string no_target(const AddressRegion& region) {
  return fmt::format("addresses from {:#x} on belong to node {}, whose target_side is bound to no target", region.base,
                     region.node);
}

}  // namespace

TlmBridges::TlmBridges(Fabric& fabric, const std::vector<NodeId>& nodes, const TlmServices& services)
    : fabric_(fabric), services_(services), client_(fabric.attach(*this)) {
  TlmCarrier& carrier = *this;
  for (const NodeId n : nodes) {
    bridges_.emplace(n, std::make_unique<TlmBridge>(fmt::format("bridge[{}]", n).c_str(), n, carrier));
  }
}

void TlmBridges::map(sc_dt::uint64 base, sc_dt::uint64 size, NodeId node) {
  if (bridges_.count(node) == 0) throw InputError({"address map"}, fmt::format("node {} has no bridge", node));
  const AddressRegion region{base, size, node, {}};
  if (size == 0 || region.goes_on_beyond_the_last_address()) {
    throw InputError({"address map"}, fmt::format("region at {:#x} of {} bytes is empty or wraps around", base, size));
  }
  for (const AddressRegion& r : regions_) {
    if (region.overlaps(r)) {
      throw InputError({"address map"}, fmt::format("region at {:#x} overlaps the one at {:#x}", base, r.base));
    }
  }
  if (sc_core::sc_get_status() > sc_core::SC_END_OF_ELABORATION && at(node).target_side.size() == 0) {
    throw InputError({"address map"}, no_target(region));
  }
  regions_.push_back(region);
}

TlmBridge& TlmBridges::at(NodeId node) {
  const auto it = bridges_.find(node);
  if (it == bridges_.end()) throw InputError({"address map"}, fmt::format("node {} has no bridge", node));
  return *it->second;
}

void TlmBridges::check_targets() const {
  for (const auto& [node, bridge] : bridges_) {
    const auto region = std::find_if(regions_.begin(), regions_.end(),
                                     [node = node](const AddressRegion& r) { return r.node == node; });
    if (region == regions_.end() || bridge->target_side.size() > 0) continue;
    SC_REPORT_ERROR("weft/bridge", no_target(*region).c_str());
  }
}

const AddressRegion* TlmBridges::find(sc_dt::uint64 address, unsigned int length) const {
  for (const AddressRegion& r : regions_) {
    if (address >= r.base && address - r.base < r.size && length <= r.size - (address - r.base)) return &r;
  }
  return nullptr;
}

std::optional<TlmCarrier::Place> TlmBridges::owner(sc_dt::uint64 address, unsigned int length) const {
  const AddressRegion* const region = find(address, length);
  if (region == nullptr) return std::nullopt;
  return Place{region->node, address - region->base, bridges_.at(region->node)->options_.approximately_timed};
}

unsigned int TlmBridges::debug(TlmPayload& payload, NodeId node) {
  return at(node).target_side->transport_dbg(payload);
}

void TlmBridges::answer_at_once(TlmTransaction& transaction) { at(transaction.from).answer_arrived(transaction); }

sc_core::sc_time TlmBridges::next_cycle() const {
  const ClockDomain& clock = fabric_.domain();
  return clock.time_of(clock.next_cycle()) - sc_core::sc_time_stamp();
}

ServiceId TlmBridges::service_of(const TlmTransaction& t) const {
  return t.payload->is_write() ? services_.writes : services_.reads;
}

TlmBridges::Turns& TlmBridges::turns_of(const TlmTransaction& t) { return turns_[{t.from, t.to, service_of(t)}]; }

bool TlmBridges::request(TlmTransaction& t) {
  if (t.to == t.from) {
    at(t.to).request_arrived(t);
    return true;
  }
  t.number = ++last_number_;
  t.turn = turns_of(t).given++;
  const bool write = t.payload->get_command() == tlm::TLM_WRITE_COMMAND;
  if (send(t.from, t.to, kRequestHeader + (write ? t.payload->get_data_length() : 0), t, false)) return true;
  in_turn(t, nullptr);
  return false;
}

bool TlmBridges::answer(TlmTransaction& t) {
  if (t.to == t.from) {
    at(t.to).left_event_.notify(sc_core::SC_ZERO_TIME);
    at(t.to).answer_arrived(t);
    return true;
  }
  const bool read = t.payload->get_command() == tlm::TLM_READ_COMMAND && t.payload->is_response_ok();
  return send(t.to, t.from, kAnswerHeader + (read ? t.payload->get_data_length() : 0), t, true);
}

// Tags: 2 * number of the transaction, plus 1 for the answer; numbers begin with 1.
bool TlmBridges::send(NodeId from, NodeId to, std::uint64_t bytes, TlmTransaction& transaction, bool answer) {
  Transfer transfer;
  transfer.to = to;
  transfer.bytes = bytes;
  transfer.service = service_of(transaction);
  transfer.client = client_;
  transfer.notify = answer ? Notify::both : Notify::arrived;
  transfer.tag = 2 * transaction.number + (answer ? 1 : 0);
  try {
    fabric_.send(from, transfer);
  } catch (const RunError& e) {
    transaction.payload->set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
    under_way_.erase(transaction.number);
    SC_REPORT_ERROR("weft/bridge", fmt::format("{}: {}", at(from).name(), e.what()).c_str());
    return false;
  }
  under_way_.emplace(transaction.number, &transaction);
  if (answer) leaving_.emplace(transaction.number, from);
  return true;
}

// A place at the target is free from then on. In advance fabrics may say when that will be.
void TlmBridges::left(std::uint64_t tag, Cycle cycle) {
  const auto it = leaving_.find(tag / 2);
  if (it == leaving_.end()) return;
  const sc_core::sc_time now = sc_core::sc_time_stamp();
  const sc_core::sc_time then = fabric_.domain().time_of(cycle - 1);
  at(it->second).left_event_.notify(then > now ? then - now : sc_core::SC_ZERO_TIME);
  leaving_.erase(it);
}

// What is done about it in this moment, outside the agenda, takes effect in the cycle after this one: when it may.
void TlmBridges::arrived(std::uint64_t tag, NodeId, Cycle cycle) {
  TlmTransaction& transaction = *under_way_.at(tag / 2);
  if (tag % 2 == 0) return in_turn(transaction, &transaction);
  under_way_.erase(tag / 2);
  left(tag, cycle);
  at(transaction.from).answer_arrived(transaction);
}

void TlmBridges::lost(std::uint64_t tag, NodeId, Cycle cycle, std::string_view) {
  TlmTransaction& transaction = *under_way_.at(tag / 2);
  under_way_.erase(tag / 2);
  transaction.payload->set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
  if (tag % 2 == 0) {
    in_turn(transaction, nullptr);
  } else {
    left(tag, cycle);
  }
  at(transaction.from).answer_arrived(transaction);
}

// `arrived`: null when it will not arrive. Requests that have come early wait for those before them.
void TlmBridges::in_turn(TlmTransaction& transaction, TlmTransaction* arrived) {
  Turns& turns = turns_of(transaction);
  turns.early.emplace(transaction.turn, arrived);
  for (auto it = turns.early.begin(); it != turns.early.end() && it->first == turns.next; ++turns.next) {
    if (it->second != nullptr) at(transaction.to).request_arrived(*it->second);
    it = turns.early.erase(it);
  }
}

}  // namespace weft
