//! Says by `cfg(plain)` that nothing on this system holds bots, which is so everywhere but on Linux.
//! There the feature `plain` asks for the same, so that the plain form can be tried.

#![allow(clippy::disallowed_macros, reason = "cargo reads what is printed")]

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rustc-check-cfg=cfg(plain)");
    let is_linux = std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|system| system == "linux");
    if !is_linux || cfg!(feature = "plain") {
        println!("cargo::rustc-cfg=plain");
    }
}
