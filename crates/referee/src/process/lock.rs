//! Locks that a panic does not break.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Nothing that is locked here is left half-done by a panic, so a poisoned lock is as good as any.
pub(crate) fn locked<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
