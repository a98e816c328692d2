#include "studies/dtable/table_requirements.h"

#include <fmt/format.h>

#include <map>

#include "algorithms/qos/egress_scheduler.h"
#include "schema/document.h"
#include "schema/schema_types.h"

namespace weft {
namespace {

constexpr std::uint32_t kMaxEntries = 256;
constexpr std::uint32_t kMaxWeight = 65'535;
constexpr std::int64_t kMaxFlits = 65'535;
constexpr std::uint32_t kMaxTenths = 1'000'000;
constexpr DataSize kOneByte{8};
constexpr DataSize kLargestSize{8LL * 64 * 1024 * 1024};

struct RawLevel {
  Given<std::string> name;
  Given<std::uint32_t> sl;
  Given<std::uint32_t> distance;
  Given<std::uint64_t> share;
  Given<DataSize> mtu;
};

struct RawRequirements {
  Given<std::string> title;
  Given<std::vector<Placed<std::string>>> base;  // only described here; schema/document.h reads it
  Given<std::uint32_t> entries;
  Given<DataSize> flit;
  Given<DataSize> gmtu;
  Given<Rate> link;
  Given<std::uint32_t> max_weight;
  Given<std::uint64_t> k;
  Given<std::uint64_t> w;
  Given<std::vector<Placed<RawLevel>>> levels;
};

Section<RawRequirements> requirements_section() {
  Section<RawLevel> level("service_levels", "One service level (SL).");
  level.key("name", &RawLevel::name, word_type(), required(), "Name of the SL, used in reports; unique.");
  level.key("sl", &RawLevel::sl, whole<std::uint32_t>(0, 31), optional("position in the list, from 0"),
            "Number of the SL; unique.");
  level.key("distance", &RawLevel::distance, whole<std::uint32_t>(1, kMaxEntries), required(),
            "Largest distance between two of its entries that follow one another around the table; with the number "
            "of entries or more it gets one entry.");
  level.key("share", &RawLevel::share, decimal_type(6, 1, 1'000'000), required(),
            "phi, its share of the link. Shares that add up to less than 1 are scaled up to 1.");
  level.key("mtu", &RawLevel::mtu, data_size_type(kOneByte, kLargestSize), required(),
            "Its largest message, rounded up to whole flits; no entry of the SL weighs less. At most gmtu.");

  Section<RawRequirements> s("", "Keys at the top level.");
  s.key("title", &RawRequirements::title, text_type(), by_default("''"), "Title of the report.");
  s.key("base", &RawRequirements::base, bases_type(), optional("this file stands alone"),
        "File (or list of them) this one is laid over, relative to this file.");
  s.key("entries", &RawRequirements::entries, whole<std::uint32_t>(1, kMaxEntries), by_default("64"),
        "N, entries of the table.");
  s.key("flit", &RawRequirements::flit, data_size_type(kOneByte, kLargestSize), by_default("64B"),
        "Size of a flit; one flit is one credit.");
  s.key("gmtu", &RawRequirements::gmtu, data_size_type(kOneByte, kLargestSize), by_default("2048B"),
        "GMTU, the largest message of any SL, rounded up to whole flits.");
  s.key("link", &RawRequirements::link, rate_type({1'000}, {1'000'000'000'000'000}), by_default("12.5GB/s"),
        "Rate of the link the table is for; turns credits into time.");
  s.key("max_weight", &RawRequirements::max_weight, whole<std::uint32_t>(1, kMaxWeight),
        by_default(std::to_string(kMaxWeight)), "Largest weight an entry can hold, in credits (InfiniBand: 255).");
  s.key("k", &RawRequirements::k, decimal_type(1, 1, kMaxTenths), optional("the smallest that fits all shares"),
        "Bandwidth pool decoupling parameter: the pool is entries * gmtu * k credits.");
  s.key("w", &RawRequirements::w, decimal_type(1, 1, kMaxTenths), optional("the smallest that fits all shares"),
        "Maximum weight decoupling parameter, at least k: no entry weighs more than gmtu * w credits.");
  s.key("service_levels", &RawRequirements::levels, list_of(level.type(), 1, 32), required(),
        "Needs of each service level.");
  return s;
}

template <class T>
Located<T> sited(const Given<T>& given) {
  return {given.value, given.where};
}

Located<std::optional<std::uint32_t>> sited_tenths(const Given<std::uint64_t>& given) {
  if (!given.given) return {std::nullopt, given.where};
  return {static_cast<std::uint32_t>(given.value), given.where};
}

// Reports a name or number that an earlier SL has.
template <class Key>
void check_unique(std::map<Key, std::string>& seen, const Key& key, const std::string& path, const Location& where,
                  const std::string& what, Diagnostics& diagnostics) {
  const auto [first, is_new] = seen.emplace(key, path);
  if (!is_new) diagnostics.error(where, fmt::format("{}: {} is that of {} too", path, what, first->second));
}

void check_size(const TableRequirements& out, const DataSize& size, const Location& where, const std::string& path,
                Diagnostics& diagnostics) {
  if ((size.bits - 1) / out.flit.bits < kMaxFlits) return;
  diagnostics.error(where, fmt::format("{}: expected at most {} flits of {}, got {}", path, kMaxFlits,
                                       to_string(out.flit), to_string(size)));
}

TableRequirements resolve(const RawRequirements& raw, Diagnostics& diagnostics) {
  TableRequirements out;
  out.title = raw.title.value;
  out.entries = sited(raw.entries);
  out.gmtu = sited(raw.gmtu);
  out.flit = raw.flit.value;
  out.link = raw.link.value;
  out.max_weight = sited(raw.max_weight);
  out.k = sited_tenths(raw.k);
  out.w = sited_tenths(raw.w);
  if (raw.flit.valid && raw.gmtu.valid) check_size(out, out.gmtu.value, out.gmtu.where, "gmtu", diagnostics);
  std::map<std::string, std::string> names;
  std::map<std::uint32_t, std::string> numbers;
  for (const Placed<RawLevel>& placed : raw.levels.value) {
    const RawLevel& level = placed.value;
    const std::string path = fmt::format("service_levels.{}", out.levels.size());
    LevelRequirements next;
    next.name = level.name.value;
    next.sl = level.sl.given ? level.sl.value : static_cast<std::uint32_t>(out.levels.size());
    next.distance = sited(level.distance);
    next.share = sited(level.share);
    next.mtu = sited(level.mtu);
    const bool numbered = placed.valid && (level.sl.valid || !level.sl.given);
    if (placed.valid && level.name.valid) {
      const std::string problem = numbered ? level_name_problem(next.name, next.sl) : std::string();
      if (!problem.empty()) diagnostics.error(level.name.where, path + ".name: " + problem);
      check_unique(names, next.name, path, level.name.where, fmt::format("the name '{}'", next.name), diagnostics);
    }
    if (numbered) {
      check_unique(numbers, next.sl, path, level.sl.given ? level.sl.where : placed.where,
                   fmt::format("the number {}", next.sl), diagnostics);
    }
    if (raw.flit.valid && level.mtu.valid) {
      check_size(out, next.mtu.value, next.mtu.where, path + ".mtu", diagnostics);
    }
    out.levels.push_back(std::move(next));
  }
  return out;
}

}  // namespace

DocumentKind table_requirements_kind() { return {"a requirements file", "entries: ...", "entries: 64"}; }

TableRequirements read_table_requirements(ConfigDocument document, const std::string& file, const Overrides& overrides,
                                          Diagnostics& diagnostics) {
  return read_checked(std::move(document), overrides, diagnostics, [&](const ConfigDocument& d, Diagnostics& own) {
    TableRequirements out = resolve(requirements_section().read(d.root, "", own), own);
    out.file = file;
    return out;
  });
}

std::uint32_t TableRequirements::credits(DataSize size) const {
  return static_cast<std::uint32_t>((size.bits + flit.bits - 1) / flit.bits);
}

TableRequirements load_table_requirements(const std::string& file, const Overrides& overrides,
                                          Diagnostics& diagnostics) {
  return read_table_requirements(load_document(file, table_requirements_kind()), file, overrides, diagnostics);
}

TableRequirements parse_table_requirements(const std::string& text, const std::string& name, const std::string& folder,
                                           const Overrides& overrides, Diagnostics& diagnostics) {
  return read_table_requirements(parse_document(text, name, folder, table_requirements_kind()), name, overrides,
                                 diagnostics);
}

std::shared_ptr<const SectionInfo> table_requirements_keys() { return requirements_section().info(); }

}  // namespace weft
