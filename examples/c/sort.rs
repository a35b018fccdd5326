//! Sorts random keys on a device: sort [selector]

#[allow(non_camel_case_types)]
mod weft;

use std::ffi::{CStr, CString};
use std::ptr::{null, null_mut};
use weft::*;

fn check(result: weft_result) -> Result<(), String> {
    if result == WEFT_OK {
        return Ok(());
    }
    Err(unsafe { CStr::from_ptr(weft_error_message()) }.to_string_lossy().into_owned())
}

/// Objects of Weft that live as long as this does. Each keeps its device open.
struct Sorter {
    device: *mut weft_device,
    stream: *mut weft_stream,
    plan: *mut weft_plan,
    keys: *mut weft_buffer,
    temporary: *mut weft_buffer,
}

impl Sorter {
    fn new(selector: &str, most: usize) -> Result<Self, String> {
        let selector = CString::new(selector).map_err(|error| error.to_string())?;
        let line =
            CString::new(format!("Sort key=uint max_count={most}")).map_err(|error| error.to_string())?;
        let (device, stream) = (null_mut(), null_mut());
        let mut s = Sorter { device, stream, plan: null_mut(), keys: null_mut(), temporary: null_mut() };
        let mut bytes = 0;
        unsafe {
            check(weft_open_device(selector.as_ptr(), null(), &mut s.device))?;
            check(weft_create_stream(s.device, &mut s.stream))?;
            check(weft_create_plan(s.device, line.as_ptr(), &mut s.plan))?;
            check(weft_get_temporary_bytes(s.plan, &mut bytes))?;
            check(weft_create_buffer(s.device, (most * 4) as u64, &mut s.keys))?;
            check(weft_create_buffer(s.device, bytes, &mut s.temporary))?;
        }
        Ok(s)
    }

    fn sort(&self, data: &mut [u32]) -> Result<(), String> {
        let size = std::mem::size_of_val(data);
        let none = weft_region { buffer: null_mut(), offset: 0, bytes: 0 };
        let keys = weft_region { buffer: self.keys, offset: 0, bytes: size as u64 };
        let arguments = weft_sort_arguments {
            size: std::mem::size_of::<weft_sort_arguments>(),
            keys,
            values: none,
            keys_out: keys,
            values_out: none,
            count: weft_count { value: data.len() as u64, on_device: none, word_bytes: 0 },
            temporary: weft_region { buffer: self.temporary, offset: 0, bytes: WEFT_REST },
        };
        let mut recorder = null_mut();
        unsafe {
            check(weft_get_stream_recorder(self.stream, &mut recorder))?;
            check(weft_upload(self.stream, keys, data.as_ptr().cast(), size))?;
            check(weft_record_sort(recorder, self.plan, &arguments))?;
            check(weft_download(self.stream, keys, data.as_mut_ptr().cast(), size))
        }
    }
}

impl Drop for Sorter {
    fn drop(&mut self) {
        unsafe {
            weft_destroy_buffer(self.temporary);
            weft_destroy_buffer(self.keys);
            weft_destroy_plan(self.plan);
            weft_destroy_stream(self.stream);
            weft_destroy_device(self.device);
        }
    }
}

fn main() -> Result<(), String> {
    let selector = std::env::args().nth(1).unwrap_or_default();
    let seed =
        std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).map_or(1, |time| time.as_nanos());
    let mut state = seed as u64 | 1;
    let mut data: Vec<u32> = (0..100_000)
        .map(|_| {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            (state >> 32) as u32
        })
        .collect();
    let mut expected = data.clone();
    expected.sort_unstable();
    Sorter::new(&selector, data.len())?.sort(&mut data)?;
    if data != expected {
        return Err(format!("the keys are not sorted (seed {seed})"));
    }
    println!("sorted {} keys from {} to {}", data.len(), data[0], data[data.len() - 1]);
    Ok(())
}
