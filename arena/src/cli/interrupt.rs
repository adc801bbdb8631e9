//! Ctrl-C: the first one lets the running games end, the second one ends at once.

use crate::console;
use nix::sys::signal::{SigSet, Signal};
use tournament::stop::Stop;

/// What a shell reports for a program that was ended by Ctrl-C.
pub const EXIT_CODE: u8 = 130;

/// Listens for Ctrl-C and SIGTERM from now on. Only threads that are started later leave these to the listener.
pub fn listen(stop: &Stop) -> std::io::Result<()> {
    let stop = stop.clone();
    let signals = SigSet::from_iter([Signal::SIGINT, Signal::SIGTERM]);
    signals.thread_block()?;
    std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
        while signals.wait().is_ok() {
            if stop.is_set() {
                // The journal is whole at any moment, and the bots end with us.
                console::tell("\nstopped at once; the same command goes on from here");
                std::process::exit(i32::from(EXIT_CODE));
            }
            stop.set();
            console::tell("\nstopping after the running games; once more to stop at once");
        }
    })?;
    Ok(())
}
