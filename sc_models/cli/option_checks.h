#pragma once
// Checks of options of the command line, singly and as the keys of a file. They throw InputError, so that a wrong
// option is reported like every other wrong input: place, what was expected, and a suggestion.

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "cli/arguments.h"
#include "network/routing/routing_config.h"
#include "network/topology/topology.h"
#include "schema/yaml_tree.h"

namespace weft::cli {

/// Gets the option's text; empty when all is well, which is the only thing it returns.
using OptionCheck = std::function<std::string(const std::string&)>;

OptionCheck whole_number(const std::string& option, std::int64_t min, std::int64_t max);
OptionCheck number(const std::string& option, double min, double max);
/// Environment variables that stand for --max-input and --max-memory; the processes of a sweep read them.
inline constexpr const char* kMaxInputVariable = "WEFT_MAX_INPUT";
inline constexpr const char* kMaxMemoryVariable = "WEFT_MAX_MEMORY";

/// Limits the inputs and the memory of this process and of those it starts; an empty text leaves a limit as it is.
void set_limits(const std::string& max_input, const std::string& max_memory);

OptionCheck one_of(const std::string& option, std::vector<std::string> words);
/// The same for words that are put together only when the option is used.
OptionCheck one_of(const std::string& option, std::function<std::vector<std::string>()> words);

// Options of the command line as the YAML they stand for, so that they are checked like a file.

/// Place of an option and its text, for messages.
Location option_at(const std::string& option, const std::string& text);

YamlNode scalar_node(const std::string& text, const Location& where);

/// "4,4" as a list.
YamlNode list_node(const std::string& text, const Location& where);

/// Circuit-switched network given by options of the command line, which are checked as the keys of a file are.
struct NetworkConfig {
  TopologyConfig topology;
  RoutingConfig routing;  ///< the usual one of the network: dimension order on mesh and torus, else shortest paths
};

/// Option of a key of `topology`: --nodes-per-router for nodes_per_router.
std::string option_of(const std::string& key);

/// Reports everything that is wrong; the result is of no use then.
NetworkConfig read_network(const NetworkArguments& arguments, Diagnostics& diagnostics);

/// Options that are given, with their texts: for commands in which they have no meaning.
struct GivenOption {
  std::string option;
  std::string text;
};
std::vector<GivenOption> given_options(const NetworkArguments& arguments);

}  // namespace weft::cli
