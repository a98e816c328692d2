#pragma once
// Family of fabrics as a record: its name, its keys, and the steps from a file to a run. Everything that a command does
// with a configuration goes through these steps, so a family that is registered (run/registry.h) has all commands:
//
//   document --read--> Design (checked keys) --plan--> Plan (everything that is fixed before time begins) --run-->
//   result

#include <functional>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

#include "base/diagnostics.h"
#include "cosim/block_catalog.h"
#include "run/run_options.h"
#include "schema/document.h"

namespace weft {

struct SectionInfo;
struct WaveTrigger;

/// Network, routes, tables and predictions: all that is known before time begins. The design it comes from must outlive
/// it.
class Plan {
 public:
  virtual ~Plan() = default;
  virtual std::string title() const = 0;
  /// Of keys that have no effect here, or an effect that is easily overlooked.
  virtual std::vector<Diagnostic> warnings() const { return {}; }
  /// Why its network cannot be run in parts, by several processes; empty if it can.
  virtual std::string undivided(const RunOptions& options) const;
  /// Event that a waveform is written around; null: from a time to a time.
  virtual const WaveTrigger* wave_trigger() const { return nullptr; }
  /// What is known before a run (`weft check`).
  virtual RunResult known() const = 0;
  /// One simulation per process: the SystemC kernel does not restart. Throws InputError for a file that cannot be
  /// written; a run that fails has a result with its failure.
  virtual RunResult run(const RunOptions& options) const = 0;
};

/// Checked configuration of one family.
class Design {
 public:
  virtual ~Design() = default;
  /// Throws InputError for everything that only the network can tell. `blocks`: RTL that may stand in it; they must
  /// outlive the plan.
  virtual std::unique_ptr<Plan> plan(const BlockCatalog& blocks) const = 0;
  /// With Weft's own RTL alone.
  std::unique_ptr<Plan> plan() const { return plan(builtin_blocks<BlockCatalog>()); }
};

/// Document that describes a fabric, as a family reads it.
struct FamilyInput {
  ConfigDocument document;
  std::string file;                  ///< as messages and reports call it
  Overrides overrides;               ///< of the command line
  std::vector<std::string> fabrics;  ///< words that the key `fabric` may have
  YamlNode* in_force = nullptr;      ///< gets the tree that was read: overrides and renewed keys included
};

struct Family {
  std::string name;  ///< word of the key `fabric`
  std::string meaning;
  /// Declaration of all keys. `fabrics`: words that the key `fabric` may have.
  std::function<std::shared_ptr<const SectionInfo>(const std::vector<std::string>& fabrics)> keys;
  /// Throws InputError with every error found; warnings go to the diagnostics.
  std::function<std::unique_ptr<Design>(FamilyInput input, Diagnostics& diagnostics)> read;
};

/// Plan of a configuration that it keeps, of the types of one family: `PlanType` is made from a `const Config&`, and
/// from a `const BlockCatalog&` behind it when its fabrics have blocks that exist in RTL.
template <class Config, class PlanType>
class ConfigDesign final : public Design {
 public:
  explicit ConfigDesign(Config config) : config_(std::move(config)) {}
  using Design::plan;
  std::unique_ptr<Plan> plan(const BlockCatalog& blocks) const override {
    if constexpr (std::is_constructible_v<PlanType, const Config&, const BlockCatalog&>) {
      return std::make_unique<PlanType>(config_, blocks);
    } else {
      return std::make_unique<PlanType>(config_);
    }
  }

 private:
  Config config_;
};

/// Replaces words of the key `fabric` that earlier versions had, with a warning.
void renew_fabric(YamlNode& root, Diagnostics& diagnostics);
/// The word for a fabric in use now, should this be a former one.
std::string renewed_fabric(const std::string& word);

/// Throws InputError when the document describes another fabric of `fabrics` than `wanted`: one clear error instead of
/// many about its keys.
void check_fabric(const YamlNode& root, const std::string& file, const std::vector<std::string>& fabrics,
                  const std::string& wanted);

/// Checked configuration of a family: `section` declares its keys, `resolve` makes the configuration of what was read,
/// `renew` replaces keys that earlier versions of the family had. Throws InputError with every error found.
template <class Section, class Resolve>
auto read_family(FamilyInput input, const std::string& name, const Section& section, Resolve&& resolve,
                 Diagnostics& diagnostics, const Renewal& renew = {}) {
  return read_checked(
      std::move(input.document), input.overrides, diagnostics,
      [&](ConfigDocument& d, Diagnostics& own) {
        renew_fabric(d.root, own);
        check_fabric(d.root, input.file, input.fabrics, name);
        const auto raw = section.read(d.root, "", own);
        auto config = resolve(raw, d, own);
        config.file = input.file;
        if (input.in_force != nullptr) *input.in_force = d.root;
        return config;
      },
      renew);
}

/// Family of a configuration and its plan: `section(fabrics)` declares the keys, `resolve` is that of read_family().
template <class Config, class PlanType, class MakeSection, class Resolve>
Family family_of(const std::string& name, const std::string& meaning, MakeSection section, Resolve resolve) {
  return {name, meaning, [section](const std::vector<std::string>& fabrics) { return section(fabrics).info(); },
          [=](FamilyInput input, Diagnostics& diagnostics) -> std::unique_ptr<Design> {
            const auto keys = section(input.fabrics);
            return std::make_unique<ConfigDesign<Config, PlanType>>(
                read_family(std::move(input), name, keys, resolve, diagnostics));
          }};
}

/// Configuration of a family in a file, and in text that stands in no file: `name` is used in messages, relative paths
/// are taken from `folder`.
FamilyInput file_input(const std::string& file, const Overrides& overrides, const std::string& fabric);
FamilyInput text_input(const std::string& text, const std::string& name, const std::string& folder,
                       const Overrides& overrides, const std::string& fabric);

}  // namespace weft
