#include "observe/profile/profile_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <numeric>

#include "observe/columns.h"
#include "observe/vocabulary.h"

namespace weft {
namespace {

using Json = nlohmann::ordered_json;

class Reporter {
 public:
  explicit Reporter(const NetworkProfile& profile) : profile_(profile), shape_(profile.shape()) {
    for (std::size_t l = 0; l < shape_.links; ++l) {
      for (std::size_t w = 0; w < profile.windows(); ++w) {
        if (profile.carried(w, l) == 0) continue;
        used_.push_back(l);
        break;
      }
    }
    for (SwitchId s = 0; s < shape_.switches; ++s) switches_.push_back(profile.occupancy(s));
    for (NodeId n = 0; n < shape_.nodes; ++n) nodes_.push_back(profile.queue(n));
  }

  Table table() const;
  Json series() const;

 private:
  struct Row {
    std::size_t window;
    Window ticks;
    std::size_t busiest;  // link
  };
  double ns(Cycle ticks) const { return static_cast<double>(ticks * shape_.tick.ps) / 1000.0; }
  double capacity(const Row& r) const { return static_cast<double>(r.ticks.length()) * shape_.link_flits; }
  double utilization(const Row& r, std::size_t link) const {
    return 100.0 * static_cast<double>(profile_.carried(r.window, link)) / capacity(r);
  }
  static double sum(const std::vector<std::vector<double>>& of, std::size_t window) {
    double out = 0;
    for (const std::vector<double>& v : of) out += v[window];
    return out;
  }
  std::vector<Row> rows() const {
    std::vector<Row> out;
    for (std::size_t w = 0; w < profile_.windows(); ++w) {
      const auto busiest = std::max_element(used_.begin(), used_.end(), [&](std::size_t a, std::size_t b) {
        return profile_.carried(w, a) < profile_.carried(w, b);
      });
      out.push_back({w, profile_.window(w), busiest == used_.end() ? 0 : *busiest});
    }
    return out;
  }

  const NetworkProfile& profile_;
  const ProfileShape& shape_;
  std::vector<std::size_t> used_;              // links that carried something
  std::vector<std::vector<double>> switches_;  // occupancy by window
  std::vector<std::vector<double>> nodes_;     // likewise what waits
};

Table Reporter::table() const {
  const auto rate = [this](std::uint64_t flits, const Row& r) {
    return static_cast<double>(flits) * static_cast<double>(shape_.flit_bits) / ns(r.ticks.length());
  };
  Columns<Row> columns{{{"begin", "ns", "of the window"}, [this](const Row& r) { return ns(r.ticks.first); }},
                       {{"end", "ns", "of the window"}, [this](const Row& r) { return ns(r.ticks.last); }}};
  if (shape_.offers) {
    columns += Columns<Row>{{{"offered", "flits", "of the messages generated in it"},
                             [this](const Row& r) { return profile_.offered(r.window); }},
                            {{"offered_rate", "Gb/s", "the same per time"},
                             [=, this](const Row& r) { return rate(profile_.offered(r.window), r); }}};
  }
  if (shape_.accepts) {
    columns += Columns<Row>{{{"accepted", "flits", "of the messages delivered in it"},
                             [this](const Row& r) { return profile_.accepted(r.window); }},
                            {{"accepted_rate", "Gb/s", "the same per time"},
                             [=, this](const Row& r) { return rate(profile_.accepted(r.window), r); }}};
  }
  if (shape_.links > 0) {
    columns += Columns<Row>{
        {{"link_flits", "flits", "on all links together"},
         [this](const Row& r) {
           return std::accumulate(used_.begin(), used_.end(), std::uint64_t{0},
                                  [&](std::uint64_t n, std::size_t l) { return n + profile_.carried(r.window, l); });
         }},
        {{"link_capacity", "flits", "that a link can carry in it"}, [this](const Row& r) { return capacity(r); }},
        {{"busiest_link", "", "that carried most, the first of several"},
         [this](const Row& r) { return used_.empty() ? Value{} : Value{shape_.link_name(r.busiest)}; }},
        {{"busiest_link_utilization", "%", "load carried, over its capacity"},
         [this](const Row& r) { return used_.empty() ? Value{} : Value{utilization(r, r.busiest)}; }}};
  }
  if (shape_.switches > 0) {
    columns += Columns<Row>{{{"occupancy", "flits", "in the buffers of all switches, mean over the window"},
                             [this](const Row& r) { return sum(switches_, r.window); }}};
  }
  if (shape_.nodes > 0) {
    columns += Columns<Row>{{{"waiting", "flits",
                              "of the messages that have been generated and whose first flit has not left their node, "
                              "mean over the window; of a multicast for each destination"},
                             [this](const Row& r) { return sum(nodes_, r.window); }}};
  }
  return make_table(
      {"profile", "Profile over time",
       fmt::format("One line per window of {} ns of the measurement; figures of single links, switches and "
                   "nodes by window are under 'profile' in report.json.",
                   ns(profile_.width()))},
      columns, rows());
}

Json Reporter::series() const {
  Json out{{"table", "profile"}};
  if (shape_.links > 0) {
    Json values = Json::object();
    for (const std::size_t l : used_) {
      Json& of = values[shape_.link_name(l)] = Json::array();
      for (std::size_t w = 0; w < profile_.windows(); ++w) of.push_back(profile_.carried(w, l));
    }
    out["links"] = {{"unit", "flits"},
                    {"definition", "carried in each window; links that carried nothing are left out"},
                    {"values", std::move(values)}};
  }
  if (shape_.switches > 0) {
    out["switches"] = {{"unit", "flits"},
                       {"definition", "mean flits in the buffers of each switch, by number, in each window"},
                       {"values", switches_}};
  }
  if (shape_.nodes > 0) {
    out["nodes"] = {{"unit", "flits"},
                    {"definition", "mean flits that wait at each node, by number, in each window"},
                    {"values", nodes_}};
  }
  return out;
}

}  // namespace

void add_profile(const NetworkProfile& profile, ReportData& report) {
  if (profile.windows() == 0) return;
  const Reporter reporter(profile);
  report.tables.push_back(reporter.table());
  report.profile = std::make_shared<const Json>(reporter.series());
  if (profile.width() > profile.shape().window) {
    const auto ns = [&](Cycle ticks) { return static_cast<double>(ticks * profile.shape().tick.ps) / 1000.0; };
    report.notes.push_back(fmt::format(
        "the windows of the profile are {} ns instead of {} ns long (observe.profile): a profile holds so many numbers "
        "and no more",
        ns(profile.width()), ns(profile.shape().window)));
  }
}

}  // namespace weft
