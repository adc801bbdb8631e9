//! Can this command be started at all? Checked before anything is started, so that the message can
//! help.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File};
use std::io::Read;
use std::os::unix::fs::PermissionsExt;
use std::path::{Component, Path, PathBuf};

/// Why a bot can't be started, and what would help.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{problem}")]
pub struct LaunchError {
    pub problem: String,
    pub hint: String,
    /// The last lines of a build that failed.
    pub output: Vec<String>,
    /// Is it the arena's doing, and not the bot's?
    pub ours: bool,
}

fn refuse<T>(problem: String, hint: impl Into<String>) -> Result<T, LaunchError> {
    Err(LaunchError { problem, hint: hint.into(), output: Vec::new(), ours: false })
}

/// Looks at the program, its run bit and its interpreter. Paths are taken from `folder`.
pub fn check(command: &[OsString], folder: &Path) -> Result<PathBuf, LaunchError> {
    let program = Path::new(&command[0]);
    let Some(path) = find(program, folder) else {
        let name = program.display();
        return if folder.join(program).exists() {
            refuse(
                format!("`{name}` is no command"),
                format!("a file in this folder is named with ./ before it: ./{name}"),
            )
        } else if is_meant_as_file(program) {
            let path =
                "check the path; it is taken from where the arena runs, or from the folder of bot.toml";
            refuse(format!("there is no file `{name}`"), did_you_mean(similar_file(program, folder)) + path)
        } else {
            let near = rules::near_miss(&name.to_string(), &commands()).map(str::to_owned);
            let install = "install it, or give the path to the program";
            refuse(format!("there is no command `{name}`"), did_you_mean(near) + install)
        };
    };
    let name = path.display();
    let Ok(about) = fs::metadata(&path) else {
        return refuse(format!("`{name}` can't be looked at"), "check its permissions");
    };
    if about.is_dir() {
        return refuse(
            format!("`{name}` is a folder"),
            "give the program in it, or a command line that starts it",
        );
    }
    // Opening a named pipe would wait for a writer.
    if !about.is_file() {
        return refuse(format!("`{name}` is no program"), "give a file that can be run");
    }
    if about.permissions().mode() & 0o111 == 0 {
        return refuse(format!("`{name}` has no run bit"), run_hint(&path));
    }
    check_interpreter(&path, folder)?;
    Ok(path)
}

/// A path, or a name such as `bot.zip` or `bot.py`. `python3.11` is a command.
fn is_meant_as_file(program: &Path) -> bool {
    let letters = |ending: &OsStr| ending.as_encoded_bytes().iter().all(u8::is_ascii_alphabetic);
    program.components().count() > 1 || program.extension().is_some_and(letters)
}

/// Finds a program as the shell does: by its path, or by its name along `PATH`.
fn find(program: &Path, folder: &Path) -> Option<PathBuf> {
    if program.components().count() > 1 || program.is_absolute() {
        let path = folder.join(program);
        return path.exists().then_some(path);
    }
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders).map(|folder| folder.join(program)).find(|path| path.is_file())
}

fn did_you_mean(near: Option<String>) -> String {
    near.map_or(String::new(), |near| format!("did you mean `{near}`? If not, "))
}

/// A file of a similar name. A submission must not learn the names of files outside of its folder.
fn similar_file(program: &Path, folder: &Path) -> Option<String> {
    let is_below = |part| matches!(part, Component::CurDir | Component::Normal(_));
    if !program.components().all(is_below) {
        return None;
    }
    let files = fs::read_dir(folder.join(program).parent()?).ok()?.flatten();
    let names: Vec<String> = files.filter_map(|file| file.file_name().into_string().ok()).collect();
    let near = rules::near_miss(program.file_name()?.to_str()?, &names)?;
    Some(program.with_file_name(near).to_string_lossy().into_owned())
}

/// The names of all commands along `PATH`.
fn commands() -> Vec<String> {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let files = std::env::split_paths(&folders).filter_map(|folder| fs::read_dir(folder).ok()).flatten();
    files.flatten().filter_map(|file| file.file_name().into_string().ok()).collect()
}

fn run_hint(path: &Path) -> String {
    let name = path.display();
    let interpreter = match path.extension().and_then(|extension| extension.to_str()) {
        Some("py") => "python3",
        Some("js" | "mjs" | "cjs") => "node",
        Some("sh") => "sh",
        Some("jar") => "java -jar",
        Some("rb") => "ruby",
        _ => return format!("chmod +x {name}"),
    };
    format!("chmod +x {name}, or give a command line: \"{interpreter} {name}\"")
}

/// A script names the program that runs it in its first line, and that must exist too.
fn check_interpreter(script: &Path, folder: &Path) -> Result<(), LaunchError> {
    let mut head = [0; 256];
    let length = File::open(script).and_then(|mut file| file.read(&mut head)).unwrap_or(0);
    let Some(line) =
        head[..length].strip_prefix(b"#!").and_then(|rest| rest.split(|&byte| byte == b'\n').next())
    else {
        return Ok(());
    };
    let line = String::from_utf8_lossy(line);
    let name = script.display();
    if line.ends_with('\r') {
        return refuse(
            format!("the first line of `{name}` ends in a carriage return, so its interpreter is not found"),
            format!("the file has Windows line ends: sed -i 's/\\r$//' {name}"),
        );
    }
    let mut words = line.split_whitespace();
    let Some(interpreter) = words.next() else { return Ok(()) };
    let wanted = match words.next() {
        Some(program) if interpreter.ends_with("/env") && !program.starts_with('-') => program,
        _ => interpreter,
    };
    match find(Path::new(wanted), folder) {
        Some(_) => Ok(()),
        None => refuse(
            format!("`{name}` asks for the interpreter `{wanted}`, which is not there"),
            format!("install {wanted}, or change the first line of {name}"),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_can_not_start_is_told_apart() {
        let folder = std::env::temp_dir().join(format!("ludus-launch-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let file = |name: &str, text: &str, mode: u32| {
            let path = folder.join(name);
            fs::write(&path, text).unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            path.into_os_string()
        };
        for (command, problem) in [
            (file("plain.py", "print()", 0o644), "has no run bit"),
            (file("windows.sh", "#!/bin/sh\r\necho", 0o755), "carriage return"),
            (
                file("strange.x", "#!/no/such/interpreter\n", 0o755),
                "`/no/such/interpreter`, which is not there",
            ),
            (
                file("env.x", "#!/usr/bin/env no-such-language\n", 0o755),
                "`no-such-language`, which is not there",
            ),
            (folder.clone().into_os_string(), "is a folder"),
            ("/dev/null".into(), "is no program"),
            ("./no/such/file".into(), "there is no file"),
            ("handed-in.zip".into(), "there is no file"),
            ("no-such-python3.99".into(), "there is no command"),
            ("no-such-command-anywhere".into(), "there is no command"),
        ] {
            let error = check(&[command], Path::new("")).unwrap_err();
            assert!(error.problem.contains(problem), "{}", error.problem);
        }
        let hint = check(&["mkdirr".into()], Path::new("")).unwrap_err().hint;
        assert!(hint.starts_with("did you mean `mkdir`?"), "{hint}");
        let hint = |program: &str| check(&[program.into()], &folder).unwrap_err().hint;
        assert!(hint("./plian.py").starts_with("did you mean `./plain.py`?"));
        let outside = format!("../{}/plian.py", folder.file_name().unwrap().to_string_lossy());
        assert!(hint(&outside).starts_with("check the path"), "names outside of the folder are not told");
        assert!(check(&[file("good.sh", "#!/bin/sh\n", 0o755)], Path::new("")).is_ok());
        assert!(check(&["sh".into()], Path::new("")).is_ok());
        fs::remove_dir_all(folder).unwrap();
    }
}
