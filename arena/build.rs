//! How the program is linked on Linux, where it is started once for every bot: work done here is not done at its start.

#![allow(clippy::disallowed_macros, reason = "cargo reads what is printed")]

use std::process::Command;

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let target = |part: &str| std::env::var(format!("CARGO_CFG_TARGET_{part}")).unwrap_or_default();
    if (target("OS").as_str(), target("ENV").as_str()) == ("linux", "gnu") {
        // Twenty thousand addresses need not be filled in: half a millisecond.
        println!("cargo:rustc-link-arg-bins=-no-pie");
        // One shared library less to load and to set up: a fifth of a millisecond.
        link_into_the_program("gcc_eh");
    }
}

/// Takes the static form of a library, if the compiler that links has one.
fn link_into_the_program(library: &str) {
    let file = format!("lib{library}.a");
    let Ok(answer) = Command::new("cc").arg(format!("-print-file-name={file}")).output() else { return };
    let path = String::from_utf8_lossy(&answer.stdout);
    if let Some(folder) = path.trim().strip_suffix(&format!("/{file}")) {
        println!("cargo:rustc-link-search=native={folder}");
        println!("cargo:rustc-link-lib=static:+whole-archive={library}");
    }
}
