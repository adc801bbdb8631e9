//! A program at a fixed address starts half a millisecond sooner than one whose twenty thousand addresses have to be
//! filled in first, and it is started for every bot.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_OS").is_ok_and(|os| os == "linux") {
        println!("cargo:rustc-link-arg-bins=-no-pie");
    }
}
