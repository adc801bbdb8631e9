//! Ctrl-C: the first one lets the running games end, the second one ends at once.

use crate::console;
use tokio::signal::unix::{SignalKind, signal};
use tournament::stop::Stop;

/// What a shell reports for a program that was ended by Ctrl-C.
pub const EXIT_CODE: u8 = 130;

/// Listens for Ctrl-C and SIGTERM from now on.
pub fn listen(stop: &Stop) -> std::io::Result<()> {
    let stop = stop.clone();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let (mut interrupt, mut terminate) = {
        let _inside = runtime.enter();
        (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?)
    };
    std::thread::Builder::new().name("signals".to_owned()).spawn(move || {
        runtime.block_on(async {
            loop {
                tokio::select! { _ = interrupt.recv() => {}, _ = terminate.recv() => {} }
                if stop.is_set() {
                    // The journal is whole at any moment, and the bots end with us.
                    console::tell("\nstopped at once; the same command goes on from here");
                    std::process::exit(i32::from(EXIT_CODE));
                }
                stop.set();
                console::tell("\nstopping after the running games; once more to stop at once");
            }
        });
    })?;
    Ok(())
}
