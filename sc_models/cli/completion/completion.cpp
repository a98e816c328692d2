#include "cli/completion/completion.h"

#include <algorithm>
#include <iterator>

namespace weft::cli {

std::string completion_script(const std::string& shell, const CommandEntry& program,
                              const std::vector<std::string>& keys) {
  if (shell == "zsh") return zsh_completion(program, keys);
  return shell == "fish" ? fish_completion(program, keys) : bash_completion(program, keys);
}

std::vector<std::string> settable(const std::vector<std::string>& keys) {
  std::vector<std::string> out;
  std::copy_if(keys.begin(), keys.end(), std::back_inserter(out),
               [](const std::string& key) { return key.find('[') == std::string::npos; });
  return out;
}

}  // namespace weft::cli
