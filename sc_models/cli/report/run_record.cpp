#include "cli/report/run_record.h"

#include <fmt/chrono.h>
#include <sys/resource.h>
#include <sys/utsname.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <nlohmann/json.hpp>
#include <thread>

#include "base/version.h"
#include "cli/built_with.h"

namespace weft::cli {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

std::string processor_name() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);) {
    if (!line.starts_with("model name")) continue;
    const std::size_t colon = line.find(": ");
    return colon == std::string::npos ? "" : line.substr(colon + 2);
  }
  return "";
}

std::int64_t largest_memory() {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  constexpr std::int64_t kKibibyte = 1024;
  return std::int64_t{used.ru_maxrss} * kKibibyte;
}

// As seen from the results, so that it holds in a copy of the whole tree too.
std::string seen_from(const fs::path& folder, const fs::path& working_folder) {
  std::error_code ec;
  const fs::path results = fs::weakly_canonical(folder, ec);
  const fs::path begin = ec ? fs::path() : fs::weakly_canonical(working_folder.empty() ? "." : working_folder, ec);
  return ec ? "" : begin.lexically_relative(results).string();
}

}  // namespace

std::string RunRecord::of_rank(const Ranks& ranks) {
  const RankCounts counts = ranks.counted();
  return Json{{"rank", ranks.rank()},
              {"processor_time_s", processor_time_used()},
              {"waiting_time_s", counts.waiting_s},
              {"largest_memory_bytes", largest_memory()},
              {"neighbours", counts.channels},
              {"exchanges", counts.exchanges},
              {"bytes_sent", counts.bytes},
              {"questions_to_all", counts.questions}}
      .dump();
}

std::string RunRecord::json(const fs::path& folder, const fs::path& working_folder,
                            const std::vector<std::string>& of_ranks) const {
  utsname system{};
  uname(&system);
  Json out{{"schema", kRunRecordSchema}, {"weft", kVersion}};
  for (const auto& [name, version] : kBuiltWith) out["built_with"][name] = version;
  out["host"] = system.nodename;
  out["system"] = fmt::format("{} {} {}", system.sysname, system.release, system.machine);
  out["processor"] = processor_name();
  out["processors"] = std::thread::hardware_concurrency();
  out["ranks"] = std::max<std::size_t>(1, of_ranks.size());
  out["begin"] = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::chrono::system_clock::to_time_t(date_)));
  out["wall_time_s"] = std::chrono::duration<double>(running_now() - begin_).count();
  out["processor_time_s"] = processor_time_used();
  out["largest_memory_bytes"] = largest_memory();
  for (const std::string& text : of_ranks) out["of_ranks"].push_back(Json::parse(text));
  out["working_folder"] = seen_from(folder, working_folder);
  return out.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace weft::cli
