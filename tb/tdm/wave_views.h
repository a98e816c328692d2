#pragma once
// Check that a saved GTKWave view names only signals that are in the waves of its block.

#include <unistd.h>

#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "tdm/pin_test.h"

namespace weft::pins {

/// Names of the signals of an FST file as GTKWave knows them: scopes and name joined by dots, then the range.
std::set<std::string> signals_of(const std::filesystem::path& fst);

/// Names of the signals that a view shows.
std::vector<std::string> shown_by(const std::filesystem::path& view);

class WaveViews : public PinTest {
 protected:
  void TearDown() override { std::filesystem::remove_all(directory_); }

  /// Has `run` run the bench with waves and compares them with the view of the block.
  template <class Bench, class Run>
  void check(const std::string& block, Bench& bench, Run run) {
    auto fst = directory_ / block;
    fst += ".fst";
    bench.waves(fst);
    run();
    bench.close_waves();
    const auto known = signals_of(fst);
    auto view = std::filesystem::path(WEFT_PIN_VIEWS) / block;
    view += ".gtkw";
    const auto names = shown_by(view);
    EXPECT_GT(names.size(), 10U);
    for (const std::string& name : names) EXPECT_TRUE(known.contains(name)) << name << " is not in the waves";
  }

  std::filesystem::path directory_ =
      std::filesystem::path(::testing::TempDir()) / fmt::format("weft_pin_waves_{}", ::getpid());
};

}  // namespace weft::pins
