//! `arena serve`, and a plain client for it.

use super::command;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A server that ends with the test.
pub struct Server {
    child: Child,
    /// `127.0.0.1:34567`
    pub address: String,
}

/// The answer to a request.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    /// The head, in small letters.
    pub head: String,
    pub body: String,
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// The body of an answer that must be fine.
    pub fn fine(self) -> String {
        assert_eq!(self.status, 200, "{self:?}");
        self.body
    }
}

impl Server {
    pub fn start(args: &[&str]) -> Server {
        let mut serve = command();
        serve.args(["serve", "--port", "0"]).args(args);
        Server::of(&mut serve)
    }

    fn of(serve: &mut Command) -> Server {
        Server::with_path(serve).0
    }

    /// A command that prints the address of its server in its first line, and the path of that
    /// address.
    pub fn with_path(serve: &mut Command) -> (Server, String) {
        let mut child = serve.stdout(Stdio::piped()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let address = line.split_once("http://").and_then(|(_, rest)| rest.split_once('/'));
        let (address, path) = address.unwrap_or_else(|| panic!("{line}"));
        (Server { child, address: address.to_owned() }, format!("/{}", path.trim()))
    }

    pub fn get(&self, path: &str) -> Answer {
        self.ask("GET", path, &[("Host", &self.address)], "")
    }

    pub fn ask(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> Answer {
        let mut stream = self.send(method, path, headers, body);
        let mut text = Vec::new();
        stream.read_to_end(&mut text).unwrap();
        let text = String::from_utf8(text).unwrap();
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or_else(|| panic!("{path}: {text}"));
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        let head = head.to_ascii_lowercase();
        Answer { status, head, body: body.to_owned() }
    }

    /// Sends JSON, as a page of the server does.
    pub fn post(&self, path: &str, body: &Value) -> Answer {
        let headers = [("Host", self.address.as_str()), ("Content-Type", "application/json")];
        self.ask("POST", path, &headers, &body.to_string())
    }

    fn send(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> TcpStream {
        let mut stream = TcpStream::connect(&self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_mins(3))).unwrap();
        let headers: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        let length = body.len();
        let request = format!(
            "{method} {path} HTTP/1.1\r\n{headers}Connection: close\r\nContent-Length: {length}\r\n\r\n{body}"
        );
        // A server that refuses a long body need not read it.
        let _ = stream.write_all(request.as_bytes());
        stream
    }

    /// Opens a stream of events.
    pub fn listen(&self, path: &str) -> Events {
        let stream = self.send("GET", path, &[("Host", &self.address)], "");
        Events { lines: BufReader::new(stream) }
    }

    /// Ends the server as Ctrl-C does, and returns its exit code.
    pub fn end(mut self) -> i32 {
        kill(Pid::from_raw(self.child.id().try_into().unwrap()), Signal::SIGINT).unwrap();
        let begun = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status.code().unwrap_or(-1);
            }
            assert!(begun.elapsed() < Duration::from_secs(30), "the server does not end");
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A stream of events.
pub struct Events {
    lines: BufReader<TcpStream>,
}

impl Events {
    /// The data of the next event of this name. `None` if the stream has ended.
    pub fn next(&mut self, name: &str) -> Option<Value> {
        let (mut line, mut is_it) = (String::new(), false);
        loop {
            line.clear();
            if self.lines.read_line(&mut line).unwrap() == 0 {
                return None;
            }
            if let Some(event) = line.trim_end().strip_prefix("event: ") {
                is_it = event == name;
            }
            if let Some(data) = line.trim_end().strip_prefix("data: ").filter(|_| is_it) {
                return Some(serde_json::from_str(data).unwrap());
            }
        }
    }

    /// Waits for a state that fulfils this.
    pub fn wait(&mut self, fits: impl Fn(&Value) -> bool) -> Value {
        let begun = Instant::now();
        loop {
            let state = self.next("state").expect("the stream has ended");
            if fits(&state) {
                return state;
            }
            assert!(begun.elapsed() < Duration::from_mins(2), "{state}");
        }
    }
}

/// Runs a command that starts a server, on a free port, and ends the server.
pub fn starts_and_ends(serve: &mut Command) {
    let server = Server::of(serve.args(["--port", "0"]));
    server.get("/").fine();
    assert_eq!(server.end(), 0);
}
