//! What a keeper does on a system that can't hold a bot: it limits files, gives the bot a scratch
//! folder, and ends the bot's group. A bot may do what its user may do.

use super::inside::{KeeperTask, close_what_was_left_open, limit_files_and_data, serve_orders, start};
use super::scratch::clear;
use crate::process::jail::Protections;
use nix::sys::signal::SigSet;
use nix::unistd::setsid;
use rustix::io::{FdFlags, fcntl_setfd};
use std::ffi::OsString;
use std::fs::{DirBuilder, remove_dir};
use std::io;
use std::os::unix::fs::{DirBuilderExt, chown};
use std::path::Path;

pub(super) fn run(task: KeeperTask, command: &[OsString]) -> io::Result<()> {
    close_what_was_left_open();
    let _ = setsid(); // a keeper that leads a group has no terminal
    SigSet::all().thread_unblock()?;
    limit_files_and_data(&task)?;
    let KeeperTask { account, scratch: Some(scratch), .. } = task else {
        return serve(command, task.account, None);
    };
    DirBuilder::new().mode(0o700).create(&scratch)?;
    if let Some((uid, gid)) = account {
        chown(&scratch, Some(uid), Some(gid))?;
    }
    let served = serve(command, account, Some(&scratch));
    let _ = clear(&scratch).and_then(|()| remove_dir(&scratch)); // the arena looks after it too
    served
}

fn serve(command: &[OsString], account: Option<(u32, u32)>, scratch: Option<&Path>) -> io::Result<()> {
    let mut is_first = true;
    serve_orders(false, Protections::default(), |pipes| {
        // The next bot finds no file of the last one.
        if !std::mem::take(&mut is_first)
            && let Some(scratch) = scratch
        {
            clear(scratch)?;
        }
        for pipe in &pipes {
            fcntl_setfd(pipe, FdFlags::CLOEXEC)?; // only as its standard input, output and error
        }
        Ok(start(command, account, pipes))
    })
}
