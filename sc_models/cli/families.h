#pragma once
// Families of Weft's own program, files of commands that describe no fabric, and the step from a document to the design
// that it describes.

#include <memory>
#include <string>
#include <vector>

#include "run/registry.h"
#include "schema/schema.h"

namespace weft::cli {

/// The families of Weft's own program. A new one is one line in families.cpp.
Registry builtin_families();

/// Words that the key `fabric` may have: the families', and those of documents with a command of their own (dlt).
std::vector<std::string> fabric_words(const Registry& registry);

/// Kind of document as `weft describe` shows it.
struct DescribedKeys {
  std::string name;  ///< word of `fabric`, or the command that reads such files
  std::string meaning;
  std::shared_ptr<const SectionInfo> keys;
  std::string kind;  ///< of its JSON Schema, a word
};
/// Documents with a key `fabric`.
std::vector<DescribedKeys> fabric_documents(const Registry& registry);
/// YAML files that describe no fabric but the task of one command; they have no key `fabric`.
std::vector<DescribedKeys> task_files();

/// Throws InputError, which says the right command, for a file that is none of `command` (a task's, or dlt) but of
/// another one, by its key `fabric` or by its keys. `keys`: of files of `command`.
void check_command(const std::string& command, const SectionInfo& keys, const ConfigDocument& document,
                   const std::string& file);

/// The design that a document describes. Throws InputError with every error found; warnings go to `diagnostics`. A
/// document without `fabric` is one of the first family, unless its keys are those of another command. `in_force` gets
/// every value in force, defaults included (schema/resolved.h).
std::unique_ptr<Design> read_design(const Registry& registry, ConfigDocument document, const std::string& file,
                                    const Overrides& overrides, Diagnostics& diagnostics, YamlNode* in_force = nullptr);
/// That of a file.
std::unique_ptr<Design> load_design(const Registry& registry, const std::string& file, const Overrides& overrides,
                                    Diagnostics& diagnostics);

}  // namespace weft::cli
