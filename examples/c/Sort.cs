// Sorts random keys on a device: Sort.exe [selector]
using System;
using System.Runtime.InteropServices;
using System.Text;

[StructLayout(LayoutKind.Sequential)]
struct Region {
  public IntPtr Buffer;
  public ulong Offset, Bytes;
}

[StructLayout(LayoutKind.Sequential)]
struct Count {
  public ulong Value;
  public Region OnDevice;
  public ulong WordBytes;
}

[StructLayout(LayoutKind.Sequential)]
struct SortArguments {
  public UIntPtr Size;
  public Region Keys, Values, KeysOut, ValuesOut;
  public Count Count;
  public Region Temporary;
}

static class Weft {
  const string library = "weft";

  [DllImport(library)]
  public static extern IntPtr weft_error_message();
  [DllImport(library)]
  public static extern int weft_open_device(byte[] selector, IntPtr options, out IntPtr device);
  [DllImport(library)]
  public static extern int weft_destroy_device(IntPtr device);
  [DllImport(library)]
  public static extern int weft_create_stream(IntPtr device, out IntPtr stream);
  [DllImport(library)]
  public static extern int weft_destroy_stream(IntPtr stream);
  [DllImport(library)]
  public static extern int weft_get_stream_recorder(IntPtr stream, out IntPtr recorder);
  [DllImport(library)]
  public static extern int weft_create_plan(IntPtr device, byte[] line, out IntPtr plan);
  [DllImport(library)]
  public static extern int weft_destroy_plan(IntPtr plan);
  [DllImport(library)]
  public static extern int weft_get_temporary_bytes(IntPtr plan, out ulong bytes);
  [DllImport(library)]
  public static extern int weft_create_buffer(IntPtr device, ulong bytes, out IntPtr buffer);
  [DllImport(library)]
  public static extern int weft_destroy_buffer(IntPtr buffer);
  [DllImport(library)]
  public static extern int weft_upload(IntPtr stream, Region destination, uint[] data, UIntPtr size);
  [DllImport(library)]
  public static extern int weft_download(IntPtr stream, Region source, [Out] uint[] data, UIntPtr size);
  [DllImport(library)]
  public static extern int weft_record_sort(IntPtr recorder, IntPtr plan, ref SortArguments arguments);

  public static void Check(int result) {
    if (result != 0) throw new Exception(Marshal.PtrToStringAnsi(weft_error_message()));
  }

  /// A text as Weft takes it: UTF-8, with a zero at its end.
  public static byte[] Text(string text) {
    return Encoding.UTF8.GetBytes(text + "\0");
  }
}

/// Sorts up to a number of keys on a device.
class Sorter : IDisposable {
  readonly IntPtr device, stream, recorder, plan, keys, temporary;

  public Sorter(string selector, int most) {
    ulong bytes;
    Weft.Check(Weft.weft_open_device(Weft.Text(selector), IntPtr.Zero, out device));
    Weft.Check(Weft.weft_create_stream(device, out stream));
    Weft.Check(Weft.weft_get_stream_recorder(stream, out recorder));
    Weft.Check(Weft.weft_create_plan(device, Weft.Text("Sort key=uint max_count=" + most), out plan));
    Weft.Check(Weft.weft_get_temporary_bytes(plan, out bytes));
    Weft.Check(Weft.weft_create_buffer(device, 4 * (ulong)most, out keys));
    Weft.Check(Weft.weft_create_buffer(device, bytes, out temporary));
  }

  public void Sort(uint[] data) {
    var bytes = new UIntPtr(4 * (ulong)data.Length);
    var part = new Region { Buffer = keys, Bytes = bytes.ToUInt64() };
    var arguments = new SortArguments {
      Size = new UIntPtr((ulong)Marshal.SizeOf(typeof(SortArguments))),
      Keys = part,
      KeysOut = part,
      Count = new Count { Value = (ulong)data.Length },
      Temporary = new Region { Buffer = temporary, Bytes = ulong.MaxValue }
    };
    Weft.Check(Weft.weft_upload(stream, part, data, bytes));
    Weft.Check(Weft.weft_record_sort(recorder, plan, ref arguments));
    Weft.Check(Weft.weft_download(stream, part, data, bytes));
  }

  public void Dispose() {
    Weft.Check(Weft.weft_destroy_buffer(temporary));
    Weft.Check(Weft.weft_destroy_buffer(keys));
    Weft.Check(Weft.weft_destroy_plan(plan));
    Weft.Check(Weft.weft_destroy_stream(stream));
    Weft.Check(Weft.weft_destroy_device(device));
  }
}

static class Program {
  static int Main(string[] arguments) {
    var random = new Random();
    var data = new uint[100000];
    for (int i = 0; i < data.Length; ++i) data[i] = (uint)random.Next() * 2 + (uint)random.Next(2);
    var expected = (uint[])data.Clone();
    Array.Sort(expected);
    using (var sorter = new Sorter(arguments.Length > 0 ? arguments[0] : "", data.Length)) sorter.Sort(data);
    for (int i = 0; i < data.Length; ++i) {
      if (data[i] == expected[i]) continue;
      Console.Error.WriteLine("key {0} is {1}, and not {2}", i, data[i], expected[i]);
      return 1;
    }
    Console.WriteLine("sorted {0} keys from {1} to {2}", data.Length, data[0], data[data.Length - 1]);
    return 0;
  }
}
