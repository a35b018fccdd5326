"""Weft for Conan 2, from the sources that this file is in: conan create packaging/conan

The libraries that Weft links come from the system's packages, which scripts/setup.sh names, not from Conan.
"""

import os
import re

from conan import ConanFile
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load

SOURCES = ["core", "algorithms", "backends", "shaders", "c", "support", "bench", "tools", "cmake", "packaging/debian"]


class Weft(ConanFile):
    name = "weft"
    license = "MIT"
    description = "Compute kernels written once, and the parallel primitives built from them"
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "compilers": [True, False], "command": [True, False], "backends": ["ANY"]}
    default_options = {"shared": False, "compilers": True, "command": True, "backends": ""}  # "": all that can be built

    def set_version(self):
        header = load(self, os.path.join(self.recipe_folder, "../../core/include/weft/version.h"))
        self.version = re.search(r'WEFT_VERSION "(.+)"', header).group(1)

    def export_sources(self):
        root = os.path.join(self.recipe_folder, "../..")
        copy(self, "CMakeLists.txt", root, self.export_sources_folder)
        copy(self, "LICENSE", root, self.export_sources_folder)
        copy(self, "README.md", root, self.export_sources_folder)
        for folder in SOURCES:
            copy(self, folder + "/*", root, self.export_sources_folder)

    def layout(self):
        cmake_layout(self)

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables["WEFT_BACKENDS"] = str(self.options.backends).replace(",", ";")
        toolchain.cache_variables["WEFT_COMPILERS"] = bool(self.options.compilers)
        toolchain.cache_variables["WEFT_BUILD_TOOLS"] = bool(self.options.command and self.options.compilers)
        toolchain.cache_variables["WEFT_BUILD_TESTS"] = False
        toolchain.cache_variables["WEFT_BUILD_EXAMPLES"] = False
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()
        copy(self, "LICENSE", self.source_folder, os.path.join(self.package_folder, "licenses"))

    def package_info(self):
        # Weft's own CMake package, which has weft_add_kernels() and weft_add_plans().
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs.append(os.path.join("lib", "cmake", "weft"))
