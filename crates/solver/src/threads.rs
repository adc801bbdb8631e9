//! Work on threads of its own.
//!
//! Nothing here knows a game, so that all of it is compiled once.

use std::thread::{Builder, scope};

/// Enough for the longest game.
const STACK_BYTES: usize = 256 << 20;

fn builder() -> Builder {
    Builder::new().stack_size(STACK_BYTES)
}

/// Does a job on a deep stack; nothing if there is no memory for that.
pub(crate) fn on_deep_stack(job: &mut (dyn FnMut() + Send)) {
    scope(|scope| {
        if let Ok(thread) = builder().spawn_scoped(scope, job) {
            thread.join().expect("the rules do not panic");
        }
    });
}

/// Does a job here while so many other threads help. The job has to send them home.
pub(crate) fn with_helpers(helpers: usize, help: &(dyn Fn() + Sync), job: &mut dyn FnMut()) {
    scope(|scope| {
        for _ in 0..helpers {
            if builder().spawn_scoped(scope, help).is_err() {
                break; // less help, the same answer
            }
        }
        job();
    });
}

pub(crate) type ThreadJob<'a> = Box<dyn FnOnce() + Send + 'a>;

/// Does all jobs at the same time.
pub(crate) fn at_once(jobs: Vec<ThreadJob>) {
    scope(|scope| {
        let threads: Vec<_> = jobs.into_iter().map(|job| scope.spawn(job)).collect();
        for thread in threads {
            thread.join().expect("the rules do not panic");
        }
    });
}
