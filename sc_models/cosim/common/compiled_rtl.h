#pragma once
// Weft's own RTL blocks as they are compiled: makers, each in a file of cosim/compiled under the name of its block.
// They take a quarter of the time of building a program, so the program `weft` loads them from a shared object when a
// network first asks for RTL. Programs that link weft::compiled_rtl (weft::weft has it) have them inside.

#include <string_view>
#include <typeinfo>

namespace weft {

using AnyMaker = void (*)();
/// Called by makers when they are loaded.
void add_compiled_maker(std::string_view name, const std::type_info& type, AnyMaker maker);
/// The one of that name. Throws InputError when the shared object is not there or does not fit the program.
AnyMaker compiled_maker(std::string_view name, const std::type_info& type);

/// A maker that is there under a name from the start of the program, or once the shared object is loaded.
class CompiledMaker {
 public:
  template <class Function>
  CompiledMaker(std::string_view name, Function* maker) {
    add_compiled_maker(name, typeid(Function), reinterpret_cast<AnyMaker>(maker));
  }
};

/// As a function: compiled<decltype(make_drr_rtl)>("drr")(context, quanta, name).
template <class Function>
Function* compiled(std::string_view name) {
  return reinterpret_cast<Function*>(compiled_maker(name, typeid(Function)));
}

}  // namespace weft
