//! Jobs on other threads.
//!
//! Nothing here depends on a game, so all of it is compiled once.

use std::thread::{Builder, scope};

/// Deep enough for the recursion of the longest game.
const STACK_BYTES: usize = 256 << 20;

fn builder() -> Builder {
    Builder::new().stack_size(STACK_BYTES)
}

/// Runs a job on a deep stack. Does nothing if there is no memory for the stack.
pub(crate) fn on_deep_stack(job: &mut (dyn FnMut() + Send)) {
    scope(|scope| {
        if let Ok(thread) = builder().spawn_scoped(scope, job) {
            thread.join().expect("the rules do not panic");
        }
    });
}

/// Runs a job on this thread while up to `helpers` other threads run `help`. The job must make the
/// helpers return.
pub(crate) fn with_helpers(helpers: usize, help: &(dyn Fn() + Sync), job: &mut dyn FnMut()) {
    scope(|scope| {
        for _ in 0..helpers {
            if builder().spawn_scoped(scope, help).is_err() {
                break; // fewer helpers find the same answer
            }
        }
        job();
    });
}

pub(crate) type ThreadJob<'a> = Box<dyn FnOnce() + Send + 'a>;

/// Runs all jobs at the same time.
pub(crate) fn at_once(jobs: Vec<ThreadJob>) {
    scope(|scope| {
        let threads: Vec<_> = jobs.into_iter().map(|job| scope.spawn(job)).collect();
        for thread in threads {
            thread.join().expect("the rules do not panic");
        }
    });
}
