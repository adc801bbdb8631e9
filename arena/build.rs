//! A program at a fixed address starts half a millisecond sooner than one whose twenty thousand addresses have to be
//! filled in first, and it is started for every bot.

fn main() {
    println!("cargo:rerun-if-changed=build.rs");
    let target = |part: &str| std::env::var(format!("CARGO_CFG_TARGET_{part}")).unwrap_or_default();
    if (target("OS").as_str(), target("ENV").as_str()) == ("linux", "gnu") {
        println!("cargo:rustc-link-arg-bins=-no-pie");
    }
}
