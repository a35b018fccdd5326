//! What a program in Rust needs of weft/weft_c.h to sort and to move data, written by hand. A test compares each
//! declaration with the header (tests/c/rust_declarations.cmake).
#![allow(dead_code)]

use std::ffi::c_void;
use std::os::raw::c_char;

#[repr(C)]
pub struct weft_device {
    private: [u8; 0],
}

#[repr(C)]
pub struct weft_buffer {
    private: [u8; 0],
}

#[repr(C)]
pub struct weft_stream {
    private: [u8; 0],
}

#[repr(C)]
pub struct weft_recorder {
    private: [u8; 0],
}

#[repr(C)]
pub struct weft_plan {
    private: [u8; 0],
}

#[repr(C)]
pub struct weft_device_options {
    private: [u8; 0],
}

pub type weft_result = i32;
pub const WEFT_OK: weft_result = 0;
pub const WEFT_OUT_OF_MEMORY: weft_result = 3;
pub const WEFT_REST: u64 = u64::MAX;
pub const WEFT_DEVICE_TIMEOUT: u64 = u64::MAX;

#[repr(C)]
#[derive(Clone, Copy)]
pub struct weft_region {
    pub buffer: *mut weft_buffer,
    pub offset: u64,
    pub bytes: u64,
}

#[repr(C)]
#[derive(Clone, Copy)]
pub struct weft_count {
    pub value: u64,
    pub on_device: weft_region,
    pub word_bytes: u64,
}

#[repr(C)]
pub struct weft_sort_arguments {
    pub size: usize,
    pub keys: weft_region,
    pub values: weft_region,
    pub keys_out: weft_region,
    pub values_out: weft_region,
    pub count: weft_count,
    pub temporary: weft_region,
}

extern "C" {
    pub fn weft_error_message() -> *const c_char;
    pub fn weft_open_device(
        selector: *const c_char,
        options: *const weft_device_options,
        device: *mut *mut weft_device,
    ) -> weft_result;
    pub fn weft_destroy_device(device: *mut weft_device) -> weft_result;
    pub fn weft_create_buffer(
        device: *const weft_device,
        bytes: u64,
        buffer: *mut *mut weft_buffer,
    ) -> weft_result;
    pub fn weft_destroy_buffer(buffer: *mut weft_buffer) -> weft_result;
    pub fn weft_create_stream(device: *const weft_device, stream: *mut *mut weft_stream) -> weft_result;
    pub fn weft_destroy_stream(stream: *mut weft_stream) -> weft_result;
    pub fn weft_get_stream_recorder(
        stream: *mut weft_stream,
        recorder: *mut *mut weft_recorder,
    ) -> weft_result;
    pub fn weft_upload(
        stream: *mut weft_stream,
        destination: weft_region,
        data: *const c_void,
        size: usize,
    ) -> weft_result;
    pub fn weft_download(
        stream: *mut weft_stream,
        source: weft_region,
        data: *mut c_void,
        size: usize,
    ) -> weft_result;
    pub fn weft_create_plan(
        device: *const weft_device,
        line: *const c_char,
        plan: *mut *mut weft_plan,
    ) -> weft_result;
    pub fn weft_destroy_plan(plan: *mut weft_plan) -> weft_result;
    pub fn weft_get_temporary_bytes(plan: *const weft_plan, bytes: *mut u64) -> weft_result;
    pub fn weft_record_sort(
        recorder: *mut weft_recorder,
        plan: *const weft_plan,
        arguments: *const weft_sort_arguments,
    ) -> weft_result;
}
