//! Every dependency has a licence that allows redistribution.

use crate::support::root;
use serde_json::Value;
use std::process::Command;

/// Licences that only demand that their text is passed on.
const FINE: [&str; 9] =
    ["0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT", "MIT-0", "Unicode-3.0", "Zlib"];

/// Does one choice among `OR` have only accepted licences? `/` is an old form of `OR`.
fn is_fine(expression: &str) -> bool {
    let expression = expression.replace('/', " OR ").replace(['(', ')'], " ");
    let has_fine_choice = |choices: &str| {
        choices.split(" OR ").any(|licence| {
            let licence = licence.trim();
            FINE.contains(&licence.split(" WITH ").next().unwrap_or(licence))
        })
    };
    expression.split(" AND ").all(has_fine_choice)
}

#[test]
fn every_dependency_may_be_redistributed() {
    for (expression, fine) in [
        ("MIT", true),
        ("GPL-3.0-only", false),
        ("GPL-3.0 OR MIT", true),
        ("(MIT OR Apache-2.0) AND Unicode-3.0", true),
        ("MIT AND GPL-2.0", false),
        ("Apache-2.0 WITH LLVM-exception", true),
        ("Unlicense/MIT", true),
    ] {
        assert_eq!(is_fine(expression), fine, "{expression}");
    }
    let output = Command::new(env!("CARGO"))
        .args(["metadata", "--format-version=1", "--offline"])
        .current_dir(root())
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let metadata: Value = serde_json::from_slice(&output.stdout).unwrap();
    let packages = metadata["packages"].as_array().unwrap();
    assert!(packages.len() > 50, "only {} packages", packages.len());
    for package in packages {
        let licence = package["license"].as_str().unwrap_or_default();
        assert!(is_fine(licence), "{}: {licence}", package["name"]);
    }
}
