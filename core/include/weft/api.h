#pragma once

/// Marks what a shared library of Weft exports. On Windows, programs that use the DLL define WEFT_SHARED; CMake's and
/// pkg-config's packages do. (C headers are not marked: the library exports all of their functions.)
#if !defined(_WIN32)
#define WEFT_API __attribute__((visibility("default")))
#elif defined(WEFT_BUILDS_DLL)
#define WEFT_API __declspec(dllexport)
#elif defined(WEFT_SHARED)
#define WEFT_API __declspec(dllimport)
#else
#define WEFT_API
#endif
