#include "base/implementation.h"

namespace weft {

std::string to_string(const BlockChoice& choice) {
  const std::string word = to_string(choice.implementation);
  return choice.is_model() || choice.rtl.empty() ? word : word + " (" + choice.rtl + ")";
}

}  // namespace weft
