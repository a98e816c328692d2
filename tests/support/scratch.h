#pragma once
// Files of a test.

#include <string>

namespace weft::test {

/// A folder of its own for files of a test, gone at the end.
class ScratchFolder {
 public:
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  std::string path(const std::string& name = "") const;
  /// Writes a file in the folder and returns its path.
  std::string write(const std::string& name, const std::string& content) const;

 private:
  std::string folder_;
};

std::string slurp(const std::string& path);

}  // namespace weft::test
