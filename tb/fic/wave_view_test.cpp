// The saved GTKWave views name only signals that are in the waves of their block.

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "Vslot_lut_pins_16x64.h"
#include "Vslot_table_pins_5x32.h"
#include "Vtdm_switch_pins_5x32x340.h"
#include "fic/pin_test.h"
#include "fic/slot_lut_bench.h"
#include "fic/slot_table_bench.h"
#include "fic/switch_driver.h"
#include "fic/tdm_switch_bench.h"

namespace weft::pins {
namespace {

/// Names of the signals of an FST file as GTKWave knows them: scopes and name joined by dots, then the range.
std::set<std::string> signals(const std::filesystem::path& fst) {
  const std::filesystem::path vcd = std::filesystem::path(fst).replace_extension(".vcd");
  if (std::system(fmt::format("fst2vcd -f '{}' -o '{}'", fst.string(), vcd.string()).c_str()) != 0) {
    throw std::runtime_error("fst2vcd (of GTKWave) failed");
  }
  std::set<std::string> names;
  std::vector<std::string> scopes;
  std::ifstream file(vcd);
  for (std::string line; std::getline(file, line) && line.find("$enddefinitions") == std::string::npos;) {
    std::istringstream words(line);
    std::string keyword, kind, width, code, name, range;
    words >> keyword >> kind;
    if (keyword == "$scope") {
      words >> name;
      scopes.push_back(name);
    } else if (keyword == "$upscope") {
      scopes.pop_back();
    } else if (keyword == "$var") {
      words >> width >> code >> name >> range;
      names.insert(fmt::format("{}.{}{}", fmt::join(scopes, "."), name, range == "$end" ? "" : range));
    }
  }
  return names;
}

/// Names of the signals that a view shows.
std::vector<std::string> shown(const std::filesystem::path& view) {
  std::vector<std::string> names;
  std::ifstream file(view);
  for (std::string line; std::getline(file, line);) {
    if (!line.empty() && std::string("[*@-#!^").find(line[0]) == std::string::npos) names.push_back(line);
  }
  return names;
}

class WaveViews : public PinTest {
 protected:
  void TearDown() override { std::filesystem::remove_all(directory_); }

  /// Runs a bench with waves and compares them with its view.
  template <class Bench, class Source>
  void check(Bench& bench, const std::string& block, Source source) {
    const auto fst = directory_ / (block + ".fst");
    bench.waves(fst);
    bench.run(200, source);
    bench.close_waves();
    const auto known = signals(fst);
    const auto names = shown(std::filesystem::path(WEFT_PIN_VIEWS) / (block + ".gtkw"));
    EXPECT_GT(names.size(), 10U);
    for (const std::string& name : names) EXPECT_TRUE(known.contains(name)) << name << " is not in the waves";
  }

  std::filesystem::path directory_ =
      std::filesystem::path(::testing::TempDir()) / fmt::format("weft_pin_waves_{}", ::getpid());
};

TEST_F(WaveViews, SlotLut) {
  SlotLutBench<Vslot_lut_pins_16x64> bench("slot_lut_bench", 16, 64);
  SlotLutDriver driver(bench.reference(), Mode::gaps, 1);
  check(bench, "slot_lut", [&] {
    SlotLutInputs in = driver.next();
    in.reset_n = bench.cycle() > 1;
    return in;
  });
}

TEST_F(WaveViews, SlotTable) {
  SlotTableBench<Vslot_table_pins_5x32> bench("slot_table_bench", TableShape(5, 32));
  TableDriver driver(TableShape(5, 32), Mode::gaps, false, 1);
  check(bench, "slot_table", [&] {
    TableInputs in = driver.next();
    in.reset_n = bench.cycle() > 1;
    return in;
  });
}

TEST_F(WaveViews, TdmSwitch) {
  TdmSwitchBench<Vtdm_switch_pins_5x32x340> bench("tdm_switch_bench", TableShape(5, 32), 340);
  SwitchDriver driver(TableShape(5, 32), 340, Mode::gaps, 1);
  check(bench, "tdm_switch", [&] {
    SwitchInputs in = driver.next();
    in.table.reset_n = bench.cycle() > 1;
    return in;
  });
}

}  // namespace
}  // namespace weft::pins
