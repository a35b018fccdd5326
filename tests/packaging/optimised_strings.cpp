#include <string>

std::string optimised_name(unsigned number) { return "x" + std::to_string(number); }
