#include "fabrics/tdm/setup/ranks/setup_results.h"

#include <algorithm>
#include <array>
#include <cereal/archives/binary.hpp>
#include <cereal/types/map.hpp>
#include <cereal/types/utility.hpp>
#include <cereal/types/vector.hpp>
#include <cstddef>
#include <map>
#include <span>
#include <sstream>
#include <string>
#include <utility>

namespace weft {
namespace {

/// Circuit of a log, but for its route and slots.
struct PlainCircuit {
  std::uint32_t number, route;
  std::uint64_t tries;
  Cycle first_request, requested, acknowledged, first_word, accepted, ended;
  bool lost, further;
  std::uint32_t fault;
};

void write_circuit(ByteWriter& out, const CircuitLog& c, std::uint32_t flow, const FlowRoutes& routes) {
  PlainCircuit p{};
  p.number = c.number;
  p.route = place_of_route(routes, flow, c.route.get());
  p.tries = c.tries;
  p.first_request = c.first_request;
  p.requested = c.requested;
  p.acknowledged = c.acknowledged;
  p.first_word = c.first_word;
  p.accepted = c.accepted;
  p.ended = c.ended;
  p.lost = c.lost;
  p.further = c.further;
  p.fault = c.fault;
  out.put(p);
  write_slots(out, c.slots);
}

CircuitLog read_circuit(ByteReader& in, std::uint32_t flow, const FlowRoutes& routes) {
  const auto p = in.get<PlainCircuit>();
  return {p.number,        routes.at(flow).at(p.route),
          read_slots(in),  p.tries,
          p.first_request, p.requested,
          p.acknowledged,  p.first_word,
          p.accepted,      p.ended,
          p.lost,          p.fault,
          p.further};
}

/// Log without its lists.
struct PlainLog {
  std::uint64_t requests;
  Cycle first_request;
  std::array<std::uint64_t, kTearCauses> refusals;
  std::uint64_t words_sent, words_resent, words_refused;
  Cycle dark, dark_since, finished;
  bool given_up;
};

void write_source(ByteWriter& out, const FlowResults& r, std::uint32_t flow, const FlowRoutes& routes) {
  const FlowLog& l = r.log;
  out.put(r.words_offered);
  out.put(r.open_requests);
  out.put(PlainLog{l.requests, l.first_request, l.refusals, l.words_sent, l.words_resent, l.words_refused, l.dark,
                   l.dark_since, l.finished, l.given_up});
  out.put(std::uint64_t{l.circuits.size()});
  for (const CircuitLog& c : l.circuits) write_circuit(out, c, flow, routes);
  put_all(out, l.changes);
  put_all(out, l.faults);
}

void read_source(ByteReader& in, FlowResults& r, std::uint32_t flow, const FlowRoutes& routes) {
  r.words_offered = in.get<std::uint64_t>();
  r.open_requests = in.get<std::uint64_t>();
  const auto p = in.get<PlainLog>();
  FlowLog& l = r.log;
  l = {p.requests,
       p.first_request,
       p.refusals,
       p.words_sent,
       p.words_resent,
       p.words_refused,
       p.dark,
       p.dark_since,
       p.finished,
       p.given_up,
       {},
       {},
       {}};
  for (auto n = in.get<std::uint64_t>(); n > 0; --n) l.circuits.push_back(read_circuit(in, flow, routes));
  l.changes = get_all<SlotChangeLog>(in);
  l.faults = get_all<FaultEffect>(in);
}

/// Account without its lists.
struct PlainAccount {
  std::uint32_t flow, number, route;
  WordAccount::Outcome outcome;
  std::uint32_t fault;
  std::uint64_t sent, astray_left, astray_lost, astray;
};

void write_account(ByteWriter& out, const WordAccount& a, const FlowRoutes& routes) {
  out.put(PlainAccount{a.flow, a.number, place_of_route(routes, a.flow, a.route.get()), a.outcome, a.fault, a.sent,
                       a.astray_left, a.astray_lost, a.astray});
  put_all(out, a.ends);
  put_all(out, a.fault_losses);
}

WordAccount read_account(ByteReader& in, const FlowRoutes& routes) {
  const auto p = in.get<PlainAccount>();
  WordAccount a;
  a.flow = p.flow;
  a.number = p.number;
  a.route = routes.at(p.flow).at(p.route);
  a.outcome = p.outcome;
  a.fault = p.fault;
  a.sent = p.sent;
  a.astray_left = p.astray_left;
  a.astray_lost = p.astray_lost;
  a.astray = p.astray;
  a.ends = get_all<WordAccount::End>(in);
  a.fault_losses = get_all<WordAccount::FaultLoss>(in);
  return a;
}

std::string written(const FlowRoutes& routes, const CircuitRuns& runs, const SetupResults& results) {
  ByteBuffer bytes;
  ByteWriter out(bytes);
  out.put(results.last_event);
  for (std::uint32_t f = 0; f < results.flows.size(); ++f) {
    const FlowResults& r = results.flows[f];
    out.put(r.has_source);
    if (r.has_source) write_source(out, r, f, routes);
    for (std::size_t d = 0; d < r.arrived.size(); ++d) {
      out.put(r.arrived[d]);
      out.put(runs.times().latency(f, d));
    }
  }
  out.put(std::uint64_t{runs.ledger().accounts().size()});
  for (const WordAccount& a : runs.ledger().accounts()) write_account(out, a, routes);
  return bytes.text();
}

std::string written(const MessageLatency& latency) {
  std::ostringstream out;
  cereal::BinaryOutputArchive archive(out);
  archive(latency);
  return out.str();
}

void add(ArrivedWords& to, const ArrivedWords& from) {
  to.received += from.received;
  to.dropped += from.dropped;
  to.first_word = std::max(to.first_word, from.first_word);
  to.last_delivery = std::max(to.last_delivery, from.last_delivery);
}

}  // namespace

void collect_results(Ranks& ranks, const FlowRoutes& routes, CircuitRuns& runs, SetupResults& results) {
  const std::vector<std::string> all = ranks.gather(written(routes, runs, results));
  const std::vector<std::string> latencies = ranks.gather(written(runs.times().all()));
  std::map<std::pair<std::uint32_t, std::uint32_t>, WordAccount> accounts;  // by flow and number
  for (RankId rank = 0; rank < ranks.size(); ++rank) {
    const bool own = rank == ranks.rank();
    ByteReader in(std::as_bytes(std::span(all[rank])));
    results.last_event = std::max(results.last_event, in.get<Cycle>());
    for (std::uint32_t f = 0; f < results.flows.size(); ++f) {
      FlowResults& r = results.flows[f];
      if (in.get<bool>()) read_source(in, r, f, routes);
      for (std::size_t d = 0; d < r.arrived.size(); ++d) {
        const auto arrived = in.get<ArrivedWords>();
        const auto latency = in.get<LatencySums>();
        if (own) continue;
        add(r.arrived[d], arrived);
        runs.times().add(f, d, latency);
      }
    }
    for (auto n = in.get<std::uint64_t>(); n > 0; --n) {
      WordAccount a = read_account(in, routes);
      const auto [it, is_new] = accounts.try_emplace({a.flow, a.number});
      if (is_new) {
        it->second = std::move(a);
      } else {
        it->second.add(a);
      }
    }
    if (own) continue;
    std::istringstream text(latencies[rank]);
    cereal::BinaryInputArchive archive(text);
    MessageLatency latency;
    archive(latency);
    runs.times().add(latency);
  }
  std::vector<WordAccount> merged;
  for (auto& [of, account] : accounts) merged.push_back(std::move(account));
  runs.ledger().set_accounts(std::move(merged));
}

}  // namespace weft
