//! A value on cache lines of its own.

use std::ops::Deref;

/// Keeps what one thread writes all the time away from what others read: two
/// lines of 64 bytes, as processors fetch lines in pairs.
#[repr(align(128))]
pub(super) struct Apart<T>(pub(super) T);

impl<T> Deref for Apart<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}
