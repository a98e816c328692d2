#include "workload/tlm_bridge.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/diagnostics.h"

namespace weft {
namespace {

constexpr std::uint64_t kRequestHeader = 16;  // bytes
constexpr std::uint64_t kAnswerHeader = 4;

}  // namespace

TlmBridge::TlmBridge(sc_core::sc_module_name name, NodeId node, TlmBridges& all)
    : sc_module(name), initiator_side("initiator_side"), target_side("target_side"), node_(node), all_(all) {
  initiator_side.register_b_transport(this, &TlmBridge::b_transport);
  initiator_side.register_transport_dbg(this, &TlmBridge::transport_dbg);
  SC_THREAD(serve);
}

void TlmBridge::b_transport(tlm::tlm_generic_payload& payload, sc_core::sc_time& delay) {
  const auto* region = all_.find(payload.get_address(), payload.get_data_length());
  if (region == nullptr) {
    payload.set_response_status(tlm::TLM_ADDRESS_ERROR_RESPONSE);
    return;
  }
  sc_core::wait(delay);  // the initiator may have run ahead; the network has not
  delay = sc_core::SC_ZERO_TIME;
  Transaction transaction;
  transaction.payload = &payload;
  transaction.from = node_;
  transaction.to = region->node;
  transaction.local_address = payload.get_address() - region->base;
  if (region->node == node_) {
    all_.at(node_).request_arrived(transaction);
  } else {
    const bool write = payload.get_command() == tlm::TLM_WRITE_COMMAND;
    const std::uint64_t bytes = kRequestHeader + (write ? payload.get_data_length() : 0);
    if (!all_.send(node_, region->node, bytes, transaction, false)) return;
  }
  sc_core::wait(transaction.done);
}

unsigned int TlmBridge::transport_dbg(tlm::tlm_generic_payload& payload) {
  const auto* region = all_.find(payload.get_address(), payload.get_data_length());
  if (region == nullptr) return 0;
  const sc_dt::uint64 address = payload.get_address();
  payload.set_address(address - region->base);
  const unsigned int done = all_.at(region->node).target_side->transport_dbg(payload);
  payload.set_address(address);
  return done;
}

void TlmBridge::request_arrived(Transaction& transaction) {
  requests_.push_back(&transaction);
  request_event_.notify(sc_core::SC_ZERO_TIME);
}

// Performs requests at the target of this node, one after the other, and sends the answers.
void TlmBridge::serve() {
  for (;;) {
    while (requests_.empty()) sc_core::wait(request_event_);
    Transaction& t = *requests_.front();
    requests_.pop_front();
    tlm::tlm_generic_payload& payload = *t.payload;
    const sc_dt::uint64 address = payload.get_address();
    payload.set_address(t.local_address);
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    target_side->b_transport(payload, delay);
    sc_core::wait(delay);
    payload.set_address(address);
    payload.set_dmi_allowed(false);
    if (t.from == node_) {
      t.done.notify(sc_core::SC_ZERO_TIME);
      continue;
    }
    const bool read = payload.get_command() == tlm::TLM_READ_COMMAND && payload.is_response_ok();
    if (!all_.send(node_, t.from, kAnswerHeader + (read ? payload.get_data_length() : 0), t, true)) {
      t.done.notify(sc_core::SC_ZERO_TIME);
    }
  }
}

TlmBridges::TlmBridges(Fabric& fabric, const std::vector<NodeId>& nodes, ServiceId service)
    : fabric_(fabric), service_(service), client_(fabric.attach(*this)) {
  for (const NodeId n : nodes) {
    bridges_.emplace(n, std::make_unique<TlmBridge>(fmt::format("bridge[{}]", n).c_str(), n, *this));
  }
}

void TlmBridges::map(sc_dt::uint64 base, sc_dt::uint64 size, NodeId node) {
  if (bridges_.count(node) == 0) throw InputError({"address map"}, fmt::format("node {} has no bridge", node));
  if (size == 0 || base + (size - 1) < base) {
    throw InputError({"address map"}, fmt::format("region at {:#x} of {} bytes is empty or wraps around", base, size));
  }
  for (const Region& r : regions_) {
    if (base <= r.base + (r.size - 1) && r.base <= base + (size - 1)) {
      throw InputError({"address map"}, fmt::format("region at {:#x} overlaps the one at {:#x}", base, r.base));
    }
  }
  regions_.push_back({base, size, node});
}

TlmBridge& TlmBridges::at(NodeId node) {
  const auto it = bridges_.find(node);
  if (it == bridges_.end()) throw InputError({"address map"}, fmt::format("node {} has no bridge", node));
  return *it->second;
}

const TlmBridges::Region* TlmBridges::find(sc_dt::uint64 address, unsigned int length) const {
  for (const Region& r : regions_) {
    if (address >= r.base && address - r.base < r.size && length <= r.size - (address - r.base)) return &r;
  }
  return nullptr;
}

// Tags: 2 * number of the transaction, plus 1 for the answer; numbers begin with 1.
bool TlmBridges::send(NodeId from, NodeId to, std::uint64_t bytes, TlmBridge::Transaction& transaction, bool answer) {
  if (!answer) transaction.number = ++last_number_;
  Transfer transfer;
  transfer.to = to;
  transfer.bytes = bytes;
  transfer.service = service_;
  transfer.client = client_;
  transfer.notify = Notify::arrived;
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
  return true;
}

// What is done about it in this moment, outside the agenda, takes effect in the cycle after this one: when it may.
void TlmBridges::arrived(std::uint64_t tag, NodeId, Cycle) {
  TlmBridge::Transaction& transaction = *under_way_.at(tag / 2);
  if (tag % 2 == 1) {
    under_way_.erase(tag / 2);
    transaction.done.notify(sc_core::SC_ZERO_TIME);
  } else {
    at(transaction.to).request_arrived(transaction);
  }
}

void TlmBridges::lost(std::uint64_t tag, NodeId, Cycle) {
  TlmBridge::Transaction& transaction = *under_way_.at(tag / 2);
  under_way_.erase(tag / 2);
  transaction.payload->set_response_status(tlm::TLM_GENERIC_ERROR_RESPONSE);
  transaction.done.notify(sc_core::SC_ZERO_TIME);
}

}  // namespace weft
