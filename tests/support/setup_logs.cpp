#include "support/setup_runs.h"

#include "support/child.h"

namespace weft::test {

using nlohmann::json;

namespace {

json log_json(const SetupOutcome& o, std::size_t f) {
  const FlowLog& l = o.logs[f];
  json circuits = json::array();
  for (const CircuitLog& c : l.circuits) {
    std::string slots;
    boost::to_string(c.slots, slots);
    circuits.push_back({{"number", c.number},
                        {"slots", slots},
                        {"switches", c.route->hops.size()},
                        {"via", c.route->hops.size() > 1 ? c.route->hops[1].sw : c.route->hops[0].sw},
                        {"tries", c.tries},
                        {"first_request", c.first_request},
                        {"requested", c.requested},
                        {"ack", c.acknowledged},
                        {"first", c.first_word},
                        {"accepted", c.accepted},
                        {"ended", c.ended},
                        {"lost", c.lost},
                        {"further", c.further}});
  }
  json ends = json::array();
  for (const SetupOutcome::End& e : o.ends[f]) {
    ends.push_back({{"received", e.received},
                    {"dropped", e.dropped},
                    {"first_word", e.first_word},
                    {"delivered_at", e.last_delivery}});
  }
  json effects = json::array();
  for (const FaultEffect& e : l.faults) {
    effects.push_back({{"fault", e.fault},
                       {"circuits", e.circuits},
                       {"requests", e.requests},
                       {"refused", e.refused},
                       {"held", e.held},
                       {"resent", e.words_resent},
                       {"dark", e.dark}});
  }
  return {{"requests", l.requests},
          {"no_slots", l.refusals[0]},
          {"down", l.refusals[1]},
          {"late", l.refusals[2]},
          {"lost", l.refusals[3]},
          {"sent", l.words_sent},
          {"resent", l.words_resent},
          {"refused_words", l.words_refused},
          {"dark", l.dark},
          {"finished", l.finished},
          {"given_up", l.given_up},
          {"received", o.received[f]},
          {"dropped", o.dropped[f]},
          {"delivered_at", o.last_delivery[f]},
          {"taken_of_refused", o.taken_of_refused[f]},
          {"taken", o.taken[f]},
          {"effects", effects},
          {"circuits", circuits},
          {"ends", ends}};
}

}  // namespace

json setup_in_child(const SetupCase& setup, std::optional<std::uint64_t> shuffle) {
  const ChildResult child = in_child([&] {
    const SetupOutcome o = run_setup_case(setup, shuffle);
    json flows = json::array();
    for (std::size_t f = 0; f < o.logs.size(); ++f) flows.push_back(log_json(o, f));
    return json{{"failure", o.failure}, {"flows", flows}, {"trace", o.trace}, {"cycles", o.cycles}}.dump();
  });
  if (!child.ok) return {{"failure", child.text}, {"flows", json::array()}};
  return json::parse(child.text);
}

}  // namespace weft::test
