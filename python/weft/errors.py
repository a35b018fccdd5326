"""What Weft raises. Every class has the code that C++ has, and is the Python exception of its kind too."""


class Error(RuntimeError):
    """An error of Weft: what was tried, what was wrong, what would be right."""

    code: str = "error"
    """The kind of failure, by what the caller can do about it."""

    def __init__(self, message: str = "", log: str = ""):
        super().__init__(message)
        self.log = log
        """The compiler's output, for CompileFailed."""


class InvalidArgument(Error, ValueError):
    """The call is wrong: a bad name, size, alignment or type. Change the call."""

    code = "invalid_argument"


class Unsupported(Error):
    """The call is right, but this device or build cannot do it. Choose another device or method."""

    code = "unsupported"


class OutOfMemory(Error, MemoryError):
    """The device or the host has too little memory. Free some, or ask for less."""

    code = "out_of_memory"


class CompileFailed(Error):
    """A kernel did not compile or is not valid SPIR-V; `log` has the compiler's messages."""

    code = "compile_failed"


class Timeout(Error, TimeoutError):
    """A wait ended before the work did. The work continues; wait again, or give up the device."""

    code = "timeout"


class DeviceLost(Error):
    """The device stopped. Its objects are unusable; the process and other devices are fine."""

    code = "device_lost"


class KernelFailed(Error):
    """The device found an error in a kernel: a deadlock, an access out of bounds. Fix the kernel."""

    code = "kernel_failed"


class IoFailed(Error):
    """A file could not be read or written: the cache, an input, an output."""

    code = "io_failed"


class CopyWarning(UserWarning):
    """An argument had to be copied before the device could use it. Said once for each reason."""
