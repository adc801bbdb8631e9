//! Ctrl-C: the first lets the running games end, the second stops at once.

use crate::console;
use nix::sys::signal::{SigSet, Signal};
use tournament::stop::Stop;

/// The usual exit code of a program that was stopped by Ctrl-C.
pub const EXIT_CODE: u8 = 130;

/// Listens for Ctrl-C and SIGTERM from now on, and stops a run. Must be called before other threads
/// are started, because only later threads leave these signals to the listener.
pub fn listen(stop: &Stop) -> std::io::Result<()> {
    let stop = stop.clone();
    on_each(move || {
        if stop.is_set() {
            // The journal is complete at any moment, and the bots end when the arena ends.
            console::tell("\nstopped at once; run the same command again to continue");
            std::process::exit(i32::from(EXIT_CODE));
        }
        stop.set();
        console::tell("\nstopping after the running games; press Ctrl-C again to stop at once");
    })
}

/// Acts on each Ctrl-C and SIGTERM from now on. Must be called before other threads are started.
pub fn on_each(mut act: impl FnMut() + Send + 'static) -> std::io::Result<()> {
    let signals = SigSet::from_iter([Signal::SIGINT, Signal::SIGTERM]);
    signals.thread_block()?;
    std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
        while signals.wait().is_ok() {
            act();
        }
    })?;
    Ok(())
}
