#include <cstdio>

#include "version.h"

int main() {
  std::fputs(walpost::version_text().c_str(), stdout);
  return 0;
}
