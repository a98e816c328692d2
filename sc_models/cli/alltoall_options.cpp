#include "cli/study_options.h"

#include <fmt/format.h>
#include <unistd.h>

#include <charconv>
#include <filesystem>

#include "algorithms/alltoall/schedule_file.h"
#include "base/diagnostics.h"
#include "base/text.h"
#include "base/units.h"

namespace weft::cli {
namespace {

using alltoall::Grid;
using alltoall::kLargestSide;
using alltoall::kSmallestSide;
using alltoall::Method;
using alltoall::RouteOrder;

constexpr std::uint32_t kMostChannels = 4096;

// A whole number written out; larger than any limit when it does not fit.
std::optional<std::uint64_t> read_whole(const std::string& text) {
  std::uint64_t value = 0;
  const char* const end = text.data() + text.size();
  const auto [stop, code] = std::from_chars(text.data(), end, value);
  if (stop != end || text.empty()) return std::nullopt;
  return code == std::errc::result_out_of_range ? std::numeric_limits<std::uint64_t>::max() : value;
}

}  // namespace

std::string bytes_text(double bytes) {
  const char* const units[] = {"B", "KB", "MB", "GB", "TB", "PB"};
  std::size_t u = 0;
  for (; bytes >= 1000 && u + 1 < std::size(units); ++u) bytes /= 1000;
  return fmt::format("{:.3g} {}", bytes, units[u]);
}

namespace {

// A side, checked against the sizes that are supported; kSmallestSide when it is wrong.
std::uint32_t side(const std::string& text, const Location& where, bool square, Diagnostics& diagnostics) {
  const auto value = read_whole(text);
  const std::uint32_t smallest = square ? 2 : kSmallestSide;  // a grid has at least two nodes
  if (value && *value >= smallest && *value <= kLargestSide) return static_cast<std::uint32_t>(*value);
  std::string message = fmt::format("expected a size from {} to {} nodes, got '{}'", smallest, kLargestSide, text);
  if (value && *value > kLargestSide && square) {
    const double nodes = static_cast<double>(*value) * static_cast<double>(*value);
    message += fmt::format("; its {:.3g} connections would take about {} of memory", nodes * (nodes - 1),
                           bytes_text(12 * nodes * nodes));
  }
  diagnostics.error(where, message);
  return kSmallestSide;
}

// A wrong side has been told.
void check_nodes(const Grid& grid, const Location& where, Diagnostics& diagnostics) {
  if (grid.nodes() < 2 && diagnostics.ok()) diagnostics.error(where, "a grid has at least two nodes");
}

std::string physical_name(const AllToAllArguments& a) {
  return a.dims.empty() ? fmt::format("--n {}", a.n) : fmt::format("--dims {}", a.dims);
}

void read_sizes(const AllToAllArguments& a, Grid& grid, Diagnostics& diagnostics) {
  const Location where{physical_name(a)};
  if (a.dims.empty()) {
    grid.width = grid.height = side(a.n, where, true, diagnostics);
    return;
  }
  const std::size_t x = a.dims.find_first_of("x,");
  if (x == std::string::npos) {
    diagnostics.error(where, "expected columns and rows, as 8x6");
    return;
  }
  grid.width = side(a.dims.substr(0, x), where, false, diagnostics);
  grid.height = side(a.dims.substr(x + 1), where, false, diagnostics);
  check_nodes(grid, where, diagnostics);
}

// Leaves the order of the grid as it is when none was given.
void read_order(const AllToAllArguments& a, Grid& grid, Diagnostics& diagnostics) {
  const std::vector<std::string> orders{"xy", "yx"};
  if (a.order == "xy" || a.order == "yx") {
    grid.order = a.order == "yx" ? RouteOrder::kYFirst : RouteOrder::kXFirst;
  } else if (!a.order.empty()) {
    diagnostics.error({"--order " + a.order}, "expected xy or yx" + did_you_mean(a.order, orders));
  }
}

Grid read_grid(const AllToAllArguments& a, Diagnostics& diagnostics) {
  Grid grid;
  grid.torus = a.torus;
  if (!a.n.empty() && !a.dims.empty()) {
    diagnostics.error({"command line"}, "one of --n and --dims is enough");
  } else if (a.n.empty() && a.dims.empty()) {
    diagnostics.error({"command line"}, "the size of the grid is missing: --n 8, or --dims 8x6");
  } else {
    read_sizes(a, grid, diagnostics);
  }
  read_order(a, grid, diagnostics);
  return grid;
}

std::uint32_t channel_count(const std::string& option, const std::string& text, std::uint32_t most,
                            Diagnostics& diagnostics) {
  if (text.empty()) return 0;
  const auto value = read_whole(text);
  if (value && *value >= 1 && *value <= most) return static_cast<std::uint32_t>(*value);
  diagnostics.error({option + " " + text}, fmt::format("expected a whole number from 1 to {}", most));
  return 1;
}

void read_moves(const AllToAllArguments& a, AllToAllProblem& p, Diagnostics& diagnostics) {
  const Location where{"--search-moves " + a.search_moves};
  std::vector<std::string> names;
  for (const alltoall::SearchMoves moves : alltoall::kAllSearchMoves) {
    names.push_back(to_string(moves));
    if (names.back() == a.search_moves) p.options.moves = moves;
  }
  if (to_string(p.options.moves) != a.search_moves) {
    diagnostics.error(where, fmt::format("expected {}{}", fmt::join(names, ", "), did_you_mean(a.search_moves, names)));
  } else if (p.method != Method::search) {
    diagnostics.error(where, "has no meaning without --method search");
  }
}

// Not by read_whole(): a seed beyond the largest one must not become another seed.
void read_seed(const std::string& text, AllToAllProblem& p, Diagnostics& diagnostics) {
  const Location where{"--seed " + text};
  const char* const end = text.data() + text.size();
  const auto [stop, code] = std::from_chars(text.data(), end, p.options.seed);
  if (text.empty() || stop != end || code != std::errc()) {
    diagnostics.error(where,
                      fmt::format("expected a whole number from 0 to {}", std::numeric_limits<std::uint64_t>::max()));
  } else if (p.method != Method::search && !p.channels) {
    diagnostics.error(where, fmt::format("has no effect: method {} without channels draws nothing; it is for --method "
                                         "search and for --wavelengths, --planes and --time-slots",
                                         to_string(p.method)));
  }
}

void check_memory(const AllToAllProblem& problem, const Location& where, Diagnostics& diagnostics) {
  const auto [needed, too_many] = alltoall::memory_estimate(problem.grid, problem.method);
  if (too_many > 0) {
    diagnostics.error(where, fmt::format("method {} would need a table of about {}, and makes none of more than 1 GiB; "
                                         "expected a smaller grid or --method groups",
                                         to_string(problem.method), bytes_text(too_many)));
    return;
  }
  const double there = static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  if (there <= 0 || needed <= there) return;
  diagnostics.error(where, fmt::format("method {} would take about {} of memory, this machine has {}",
                                       to_string(problem.method), bytes_text(needed), bytes_text(there)));
}

}  // namespace

AllToAllProblem alltoall_problem(const AllToAllArguments& a) {
  Diagnostics diagnostics;
  AllToAllProblem p;
  p.grid = read_grid(a, diagnostics);
  const std::vector<std::string> methods{"groups", "search", "exact"};
  if (a.method == "search") {
    p.method = Method::search;
  } else if (a.method == "exact") {
    p.method = Method::exact;
  } else if (a.method != "groups") {
    diagnostics.error({"--method " + a.method}, "expected groups, search or exact" + did_you_mean(a.method, methods));
  }
  if (!a.search_moves.empty()) read_moves(a, p, diagnostics);
  if (!a.slot_time.empty()) {
    const Parsed<Duration> slot = parse_duration(a.slot_time);
    if (!slot.value || slot.value->ps <= 0) {
      diagnostics.error({"--slot-time " + a.slot_time}, slot.value ? "expected more than 0" : slot.error);
    } else {
      p.slot_ns = static_cast<double>(slot.value->ps) / 1000.0;
    }
  }
  p.channels = !a.wavelengths.empty() || !a.planes.empty() || !a.time_slots.empty();
  if (a.seed) read_seed(*a.seed, p, diagnostics);
  p.wavelengths = channel_count("--wavelengths", a.wavelengths, kMostChannels, diagnostics);
  p.planes = channel_count("--planes", a.planes, kMostChannels, diagnostics);
  p.time_slots = channel_count("--time-slots", a.time_slots, 1'000'000, diagnostics);
  const std::uint64_t channels = std::uint64_t{std::max(p.wavelengths, 1U)} * std::max(p.planes, 1U);
  if (channels > kMostChannels) {
    diagnostics.error({fmt::format("--wavelengths {} --planes {}", a.wavelengths, a.planes)},
                      fmt::format("wavelengths times planes may be at most {}", kMostChannels));
  }
  if (a.time_limit) {
    p.options.time_limit_s = *a.time_limit;
    const Location where{fmt::format("--time-limit {}", *a.time_limit)};
    if (p.method == Method::groups)
      diagnostics.error(where, "has no meaning with method groups, which takes no search");
    if (!(*a.time_limit > 0 && *a.time_limit <= 1e6))
      diagnostics.error(where, "expected seconds, above 0 up to 1000000");
  }
  if (diagnostics.ok()) check_memory(p, {physical_name(a)}, diagnostics);
  diagnostics.throw_if_errors();
  return p;
}

Grid alltoall_grid(const AllToAllArguments& a) {
  if (!std::filesystem::exists(a.file)) throw InputError({a.file}, "cannot be read: there is no such file");
  Diagnostics diagnostics;
  if (!a.n.empty() || !a.dims.empty()) {
    const Grid grid = read_grid(a, diagnostics);
    diagnostics.throw_if_errors();
    return grid;
  }
  const std::filesystem::path path = std::filesystem::path(a.file).parent_path() / "schedule.json";
  if (!std::filesystem::exists(path)) {
    throw InputError({a.file}, fmt::format("the grid is not known: there is no {}; give --n or --dims (and --torus, "
                                           "--order)",
                                           path.string()));
  }
  Grid grid = alltoall::read_grid(path);
  grid.torus = grid.torus || a.torus;
  read_order(a, grid, diagnostics);
  diagnostics.throw_if_errors();
  return grid;
}

}  // namespace weft::cli
