#include "observe/services.h"

#include <utility>

#include "observe/vocabulary.h"

namespace weft {
namespace {

Columns<ServiceFigures> load_columns() {
  namespace v = vocabulary;
  const auto per_node = [](const std::optional<ServiceLoad>& l) { return l ? Value{l->per_node} : Value{}; };
  const auto gbps = [](const std::optional<ServiceLoad>& l) { return l ? Value{l->gbps} : Value{}; };
  return {{v::kOffered, [=](const ServiceFigures& s) { return per_node(s.offered); }},
          {v::kAccepted, [=](const ServiceFigures& s) { return per_node(s.accepted); }},
          {v::kOfferedRate, [=](const ServiceFigures& s) { return gbps(s.offered); }},
          {v::kAcceptedRate, [=](const ServiceFigures& s) { return gbps(s.accepted); }}};
}

}  // namespace

ServiceLoad ServiceLoad::of(std::uint64_t flits, std::int64_t bits, Cycle cycles, Duration period,
                            std::uint32_t nodes) {
  if (cycles <= 0 || nodes == 0) return {};
  const auto all = static_cast<double>(flits);
  const auto time = static_cast<double>(cycles);
  return {all / (time * nodes), all * static_cast<double>(bits) * 1000.0 / (time * static_cast<double>(period.ps))};
}

Columns<ServiceFigures> service_columns() {
  namespace v = vocabulary;
  Columns<ServiceFigures> columns{{v::kService, &ServiceFigures::service}};
  columns += load_columns();
  columns.emplace_back(v::kMessages, [](const ServiceFigures& s) { return s.latency.messages; });
  columns += columns_of<ServiceFigures>(latency_columns(), &ServiceFigures::latency);
  columns += columns_of<ServiceFigures>(latency_part_columns(), &ServiceFigures::latency);
  return columns;
}

std::vector<Figure> service_figures(const ServiceFigures& all) {
  std::vector<Figure> out = figures_of(load_columns(), all);
  for (Figure& f : out) f.in_summary = f.statistic.unit == vocabulary::kAccepted.unit;
  if (!all.offered) std::erase_if(out, [](const Figure& f) { return std::holds_alternative<std::monostate>(f.value); });
  for (Figure& f : latency_figures(all.latency)) out.push_back(std::move(f));
  return out;
}

Table services_table(std::string title, std::string meaning, const std::vector<ServiceFigures>& services) {
  return with_summary(make_table({"services", std::move(title), std::move(meaning)}, service_columns(), services));
}

Table with_summary(Table services) {
  namespace v = vocabulary;
  show_columns(services,
               {v::kService.key, v::kOffered.key, v::kAccepted.key, v::kOfferedRate.key, v::kAcceptedRate.key,
                v::kLatencyMean.key, v::kLatencyP50.key, v::kLatencyP99.key, v::kLatencyMax.key, v::kSaturated.key});
  return services;
}

}  // namespace weft
