//! Says by `cfg(plain)` that this system has nothing that holds bots, which is so everywhere but on
//! Linux. On Linux the variable `LUDUS_PLAIN` asks for the plain form too, so that it can be tried.

#![allow(clippy::disallowed_macros, reason = "cargo reads what is printed")]

fn main() {
    println!("cargo::rustc-check-cfg=cfg(plain)");
    println!("cargo::rerun-if-env-changed=LUDUS_PLAIN");
    let is_linux = std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|system| system == "linux");
    if !is_linux || std::env::var_os("LUDUS_PLAIN").is_some() {
        println!("cargo::rustc-cfg=plain");
    }
}
