#include "tests/support/test_folder.hpp"

std::string trammel::test_folder() { return TRAMMEL_TEST_FOLDER; }
