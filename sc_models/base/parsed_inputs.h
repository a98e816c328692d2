#pragma once
// Parsed inputs of a command. Several steps of a command need what a file says (its keys are resolved, its defaults are
// found, its network is planned, it is run); while a ParsedInputs lives, each file is read and parsed once and handed
// on from step to step, so that all of them see the same and a long file costs its time once. Without one, every reader
// reads for itself.

#include <map>
#include <memory>
#include <string>
#include <typeindex>
#include <utility>

namespace weft {

class ParsedInputs {
 public:
  ParsedInputs() : outer_(std::exchange(current_, this)) {}
  ~ParsedInputs() { current_ = outer_; }
  ParsedInputs(const ParsedInputs&) = delete;
  ParsedInputs& operator=(const ParsedInputs&) = delete;

  /// The T that `read()` makes. `name`: of the file, and of all else that the T depends on. What is thrown is not kept.
  template <class T, class Read>
  static std::shared_ptr<const T> once(const std::string& name, Read&& read) {
    if (current_ == nullptr) return std::make_shared<const T>(read());
    std::shared_ptr<const void>& kept = current_->inputs_[{std::type_index(typeid(T)), name}];
    if (!kept) kept = std::make_shared<const T>(read());
    return std::static_pointer_cast<const T>(kept);
  }

 private:
  static inline ParsedInputs* current_ = nullptr;
  ParsedInputs* outer_;
  std::map<std::pair<std::type_index, std::string>, std::shared_ptr<const void>> inputs_;
};

}  // namespace weft
