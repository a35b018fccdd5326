"""Sorts random keys on a device: sort.py libweft.so [selector]"""
import random
import sys
from ctypes import CDLL, Structure, byref, c_char_p, c_size_t, c_uint32, c_uint64, c_void_p, sizeof


class Region(Structure):
    _fields_ = [("buffer", c_void_p), ("offset", c_uint64), ("bytes", c_uint64)]


class Sort(Structure):
    _fields_ = [("size", c_size_t), ("keys", Region), ("values", Region), ("keys_out", Region), ("values_out", Region),
                ("count", c_uint64), ("count_on_device", Region), ("word_bytes", c_uint64), ("temporary", Region)]


weft = CDLL(sys.argv[1])
weft.weft_error_message.restype = c_char_p


def call(name, *arguments):
    if getattr(weft, "weft_" + name)(*arguments) != 0:
        sys.exit(weft.weft_error_message().decode())


def made(name, *arguments):
    call(name, *arguments, byref(handle := c_void_p()))
    return handle


keys = [random.getrandbits(32) for _ in range(100_000)]
data, size = (c_uint32 * len(keys))(*keys), 4 * len(keys)
device = made("open_device", (sys.argv[2] if len(sys.argv) > 2 else "").encode(), None)
stream, plan = made("create_stream", device), made("create_plan", device, b"Sort key=uint max_count=100000")
call("get_temporary_bytes", plan, byref(bytes_needed := c_uint64()))
buffer, temporary = made("create_buffer", device, c_uint64(size)), made("create_buffer", device, bytes_needed)
part = Region(buffer, 0, size)
call("upload", stream, part, data, c_size_t(size))
sort = Sort(size=sizeof(Sort), keys=part, keys_out=part, count=len(keys), temporary=Region(temporary, 0, bytes_needed))
call("record_sort", made("get_stream_recorder", stream), plan, byref(sort))
call("download", stream, part, data, c_size_t(size))
if list(data) != sorted(keys):
    sys.exit("the keys are not sorted")
print(f"sorted {len(keys)} keys from {data[0]} to {data[-1]}")
for kind, handle in {"buffer": temporary, "plan": plan, "stream": stream, "device": device}.items():
    call("destroy_" + kind, handle)
call("destroy_buffer", buffer)
