#include "support/scratch.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace weft::test {

ScratchFolder::ScratchFolder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "weft_test_XXXXXX").string();
  if (mkdtemp(pattern.data()) == nullptr) throw std::runtime_error("no scratch folder");
  folder_ = pattern;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ec;
  std::filesystem::remove_all(folder_, ec);
}

std::string ScratchFolder::path(const std::string& name) const { return name.empty() ? folder_ : folder_ + "/" + name; }

std::string ScratchFolder::write(const std::string& name, const std::string& content) const {
  std::ofstream file(path(name), std::ios::binary);
  file << content;
  if (!file.flush()) throw std::runtime_error("cannot write " + path(name));
  return path(name);
}

std::string slurp(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot read " + path);
  std::ostringstream out;
  out << file.rdbuf();
  return out.str();
}

}  // namespace weft::test
