#include "tdm/pin_test.h"

#include <verilated.h>
#ifdef WEFT_RTL_COVERAGE
#include <verilated_cov.h>
#endif

#include <cstdlib>
#include <systemc>

#include "base/random.h"

namespace weft::pins {
namespace {

constexpr std::uint64_t kEverydaySeeds = 25;

std::optional<std::uint64_t> environment_number(const char* name) {
  const char* value = std::getenv(name);
  if (value == nullptr || *value == '\0') return std::nullopt;
  return std::stoull(value);
}

/// <directory named by the variable>/<suite>.<case><ending>, if the variable is set.
std::optional<std::filesystem::path> file_of_case(const char* variable, const char* ending) {
  const char* directory = std::getenv(variable);
  if (directory == nullptr || *directory == '\0') return std::nullopt;
  const ::testing::TestInfo& info = *::testing::UnitTest::GetInstance()->current_test_info();
  return std::filesystem::path(directory) / (std::string(info.test_suite_name()) + "." + info.name() + ending);
}

}  // namespace

void PinTest::SetUp() {
  if (sc_core::sc_get_status() != sc_core::SC_ELABORATION) {
    FAIL() << "the SystemC kernel does not restart: run one case per process, with ctest or --gtest_filter";
  }
  // Registers hold random bits until they are reset, others in every case, the same ones each time.
  const ::testing::TestInfo& info = *::testing::UnitTest::GetInstance()->current_test_info();
  RandomStream random(1, std::string(info.test_suite_name()) + "." + info.name());
  Verilated::randReset(2);
  Verilated::randSeed(static_cast<int>(1 + random.below(1U << 30)));
}

std::optional<std::filesystem::path> waves_file() { return file_of_case("WEFT_PIN_WAVES", ".fst"); }

void write_coverage([[maybe_unused]] const char* ending) {
#ifdef WEFT_RTL_COVERAGE
  if (const auto file = file_of_case("WEFT_PIN_COVERAGE", ending)) {
    std::filesystem::create_directories(file->parent_path());
    Verilated::threadContextp()->coveragep()->write(file->c_str());
  }
#endif
}

std::uint64_t seed_count() {
  return environment_number("WEFT_PIN_SEED") ? 1 : environment_number("WEFT_SOAK").value_or(kEverydaySeeds);
}

void for_each_seed(Errors& errors, const std::function<void(std::uint64_t seed)>& run) {
  std::uint64_t first = 1;
  std::uint64_t last = environment_number("WEFT_SOAK").value_or(kEverydaySeeds);
  if (const auto only = environment_number("WEFT_PIN_SEED")) first = last = *only;
  for (std::uint64_t seed = first; seed <= last; ++seed) {
    run(seed);
    ASSERT_EQ(errors.count(), 0U) << "repeat with WEFT_PIN_SEED=" << seed << ": " << errors.text();
  }
}

}  // namespace weft::pins
