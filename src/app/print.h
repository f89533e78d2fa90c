#pragma once

#include <string>

namespace walpost {

// Writes a command's result to standard output. Others read it, so that one that could not be
// written is an Error.
void print(const std::string& text);

}  // namespace walpost
