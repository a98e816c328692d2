// `weft dlt`: a divisible load on a network, from a file or from options.

#include <fmt/format.h>

#include <charconv>
#include <filesystem>
#include <functional>

#include "base/diagnostics.h"
#include "base/files.h"
#include "base/text.h"
#include "commands.h"
#include "dlt/charts.h"
#include "dlt_plots.h"
#include "report/report.h"
#include "run/dlt_report.h"

namespace weft::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::uint32_t kMostHypercubeDimensions = 12;

std::uint32_t whole(const std::string& text, const std::string& option, std::uint32_t most) {
  std::uint32_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error == std::errc() && stop == end && value >= 1 && value <= most) return value;
  throw InputError({option}, fmt::format("expected whole numbers from 1 to {}, got '{}'", most, text));
}

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == ',') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

TopologyConfig topology_of(const DltArguments& a) {
  const std::vector<std::string> kinds{"mesh", "torus", "hypercube"};
  TopologyConfig out;
  out.where = {"--dims " + a.dims};
  if (a.dims.empty()) throw InputError({"command line"}, "--topology needs --dims");
  const bool hypercube = a.topology == "hypercube";
  if (!hypercube && a.topology != "mesh" && a.topology != "torus") {
    throw InputError({"--topology " + a.topology},
                     fmt::format("expected mesh, torus or hypercube{}", did_you_mean(a.topology, kinds)));
  }
  out.kind = a.topology == "torus" ? TopologyKind::torus : TopologyKind::mesh;
  const std::vector<std::string> parts = split(a.dims);
  if (hypercube) {
    // One link between neighbours: a mesh of 2 per dimension (a torus of 2 has two).
    if (parts.size() != 1) throw InputError(out.where, "a hypercube has one number, its dimensions");
    out.dims.assign(whole(parts[0], out.where.file, kMostHypercubeDimensions), 2);
    return out;
  }
  for (const std::string& part : parts) out.dims.push_back(whole(part, out.where.file, 1u << 16));
  return out;
}

template <class E>
E one_of(const std::vector<E>& values, const std::string& text, const std::string& option) {
  std::vector<std::string> words;
  for (const E v : values) {
    words.push_back(to_string(v));
    if (words.back() == text) return v;
  }
  std::string all;
  for (const std::string& w : words) all += (all.empty() ? "" : ", ") + w;
  throw InputError({option + " " + text}, fmt::format("expected one of {}{}", all, did_you_mean(text, words)));
}

double sigma_of(const std::string& text, const Location& where) {
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error == std::errc() && stop == end && value > 0 && value < 1) return value;
  throw InputError(where, fmt::format("expected a number above 0 and below 1, got '{}'", text));
}

// Collects what is wrong with the options, as a file's errors are reported all at once.
DltConfig from_options(const DltArguments& a) {
  DltConfig config;
  Diagnostics diagnostics;
  const auto attempt = [&](auto&& read) {
    try {
      read();
    } catch (const InputError& e) {
      for (const Diagnostic& d : e.list()) diagnostics.error(d.where, d.message);
    }
  };
  attempt([&] { config.topology = topology_of(a); });
  config.sigma_where = {"--sigma " + a.sigma};
  if (a.sigma.empty()) {
    diagnostics.error({"command line"}, "--topology needs --sigma");
  } else {
    attempt([&] { config.sigma = sigma_of(a.sigma, config.sigma_where); });
  }
  attempt([&] {
    using enum DltSwitching;
    config.switching = one_of<DltSwitching>({cut_through, modified_store_and_forward, store_and_forward},
                                            a.switching.empty() ? "cut_through" : a.switching, "--switching");
  });
  attempt([&] {
    using enum DltRoutes;
    config.routes = one_of<DltRoutes>({fewest_nodes, least_load, dimension_order},
                                      a.routes.empty() ? "fewest_nodes" : a.routes, "--routes");
  });
  for (const std::string& at : a.inject) config.inject.push_back({{"--inject " + at}, at, 0});
  if (config.inject.empty()) config.inject.push_back({{"--inject corner"}, "corner", 0});
  diagnostics.throw_if_errors();
  return config;
}

DltConfig load(const DltArguments& a) {
  const bool options = !a.topology.empty() || !a.dims.empty() || !a.sigma.empty() || !a.switching.empty() ||
                       !a.routes.empty() || !a.inject.empty();
  if (!a.config.empty() && options) {
    throw InputError({"command line"}, "a file says it all; use --set to change a key of it");
  }
  if (!a.config.empty()) return load_dlt_config(a.config, a.set);
  if (!a.set.empty()) throw InputError({"--set " + a.set.front()}, "needs a configuration file");
  if (a.topology.empty()) throw InputError({"command line"}, "expected a configuration file or --topology");
  return from_options(a);
}

struct Picture {
  const char* file;
  const char* meaning;
  std::function<void(const fs::path&)> draw;
};

std::vector<Picture> pictures(const DltConfig& config, const dlt::Study& study,
                              const std::vector<dlt::CurvePoint>& curve) {
  std::vector<Picture> out;
  out.push_back({"speedup.svg", "speedup over sigma",
                 [&](const fs::path& file) { plot_lines(dlt::speedup_chart(study, curve), file); }});
  if (study.predicted) {
    out.push_back({"shares.svg", "shares over sigma",
                   [&](const fs::path& file) { plot_lines(dlt::shares_chart(study, curve), file); }});
    out.push_back({"timing_predicted.svg", "timing the closed form takes for granted",
                   [&](const fs::path& file) { plot_gantt(dlt::predicted_gantt(config, study), file); }});
    out.push_back({"timing_simulated.svg", "timing of its shares over real links", [&](const fs::path& file) {
                     plot_gantt(dlt::simulated_gantt(study, *study.simulated, "Shares of the closed form, simulated"),
                                file);
                   }});
  }
  if (study.branches) {
    out.push_back({"timing_messages.svg", "timing of the best single messages", [&](const fs::path& file) {
                     plot_gantt(dlt::simulated_gantt(study, study.branches->simulated, "Best single messages"), file);
                   }});
  }
  return out;
}

}  // namespace

int dlt(const DltArguments& arguments) {
  const DltConfig config = load(arguments);
  const dlt::Study study = dlt::make_study(config);
  const std::vector<dlt::CurvePoint> curve = dlt::make_curve(config, study);
  ReportData report = dlt_report(config, study, curve);
  const fs::path name = config.file.empty() ? fs::path("dlt") : fs::path(config.file).stem();
  const fs::path folder = arguments.out.empty() ? "out" / name : fs::path(arguments.out);
  const std::vector<Picture> drawn = pictures(config, study, curve);
  const bool plots = can_plot();
  if (!plots) report.notes.emplace_back("no pictures: gnuplot is not installed");
  prepare_folder(folder);
  remove_old_results(folder);
  if (plots) {
    for (const Picture& p : drawn) p.draw(folder / p.file);
  }
  write_report(folder, report, {});
  if (arguments.json) {
    fmt::print("{}", report_json(report));
    return kDone;
  }
  fmt::print("{}\n{}", report.title, summary_text(report));
  fmt::print("\nresults in {}/\n", folder.string());
  fmt::print("  {:<28} open in a browser\n", "report.html");
  fmt::print("  {:<28} for programs: nodes, links, curves over sigma\n", "report.json, *.csv");
  for (const Picture& p : drawn) {
    if (plots) fmt::print("  {:<28} {}\n", p.file, p.meaning);
  }
  return kDone;
}

int check_dlt(const RunArguments& arguments) {
  if (!arguments.out.empty())
    throw InputError({"--out " + arguments.out}, "a divisible load has its results by 'weft dlt'");
  if (arguments.seed) throw InputError({"--seed " + *arguments.seed}, "a divisible load has nothing random");
  const DltConfig config = load_dlt_config(arguments.config, arguments.set);
  const dlt::Network network = dlt::build_network(config);
  dlt::check_reachable(config, network, dlt::find_sources(config, network));
  if (arguments.json) {
    fmt::print("{{\n \"ok\": true\n}}\n");
  } else {
    fmt::print("{}: ok\n", arguments.config);
  }
  return kDone;
}

}  // namespace weft::cli
