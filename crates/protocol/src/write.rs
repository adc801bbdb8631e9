//! Writes the lines of every game without serde. The lines are so many that the overhead of serde
//! shows.

use crate::from_bot::Move;
use crate::json::{push_any, push_number, push_numbers, push_text};
use crate::to_bot::{Clock, Exploring, Measured, You};

/// The parts of a [`Start`](crate::Start), borrowed from the arena.
#[derive(Clone, Copy, Debug)]
pub struct StartParts<'a> {
    pub match_id: &'a str,
    pub game: &'a str,
    pub rules: u32,
    /// Already JSON.
    pub params: &'a str,
    pub seat: u8,
    pub seats: u8,
    pub teams: Option<&'a [Vec<u8>]>,
    /// JSON, written by [`write_clock`].
    pub clock: &'a str,
    pub bot_seed: u64,
    pub explore: Option<Exploring>,
}

/// Appends a [`Start`](crate::Start) with its newline.
pub fn write_start(line: &mut String, start: &StartParts<'_>) {
    line.push_str(r#"{"type":"start","match":"#);
    push_text(line, start.match_id);
    line.push_str(r#","game":"#);
    push_text(line, start.game);
    line.push_str(r#","rules":"#);
    push_number(line, start.rules.into());
    line.push_str(r#","params":"#);
    line.push_str(start.params);
    line.push_str(r#","seat":"#);
    push_number(line, start.seat.into());
    line.push_str(r#","seats":"#);
    push_number(line, start.seats.into());
    if let Some(teams) = start.teams {
        line.push_str(r#","teams":"#);
        push_any(line, teams);
    }
    line.push_str(r#","clock":"#);
    line.push_str(start.clock);
    if let Some(Exploring { nodes, bytes, depth, imagine, evaluate }) = start.explore {
        line.push_str(r#","explore":{"nodes":"#);
        push_number(line, nodes);
        line.push_str(r#","bytes":"#);
        push_number(line, bytes);
        line.push_str(r#","depth":"#);
        push_number(line, depth.into());
        line.push_str(if imagine { r#","imagine":true"# } else { r#","imagine":false"# });
        line.push_str(if evaluate { r#","evaluate":true}"# } else { r#","evaluate":false}"# });
    }
    line.push_str(r#","bot_seed":"#);
    push_number(line, start.bot_seed);
    line.push_str("}\n");
}

/// The parts of a [`Turn`](crate::Turn), borrowed from the arena.
#[derive(Clone, Copy)]
pub struct TurnParts<'a> {
    pub id: u64,
    pub game: &'a str,
    pub seat: u8,
    pub ply: u32,
    pub simultaneous: bool,
    /// Appends the JSON list of legal moves.
    pub legal: &'a dyn Fn(&mut String),
    /// Already JSON.
    pub view: &'a str,
    /// Appends the events with [`write_event`], without the brackets of the list.
    pub events: &'a dyn Fn(&mut String),
    /// JSON, written by [`write_clock`]. The text is kept because the clock changes rarely.
    pub clock: &'a str,
}

/// Appends a [`Turn`](crate::Turn) with its newline.
pub fn write_turn(line: &mut String, turn: &TurnParts<'_>) {
    line.push_str(r#"{"type":"turn","id":"#);
    push_number(line, turn.id);
    line.push_str(r#","game":"#);
    push_text(line, turn.game);
    line.push_str(r#","seat":"#);
    push_number(line, turn.seat.into());
    line.push_str(r#","ply":"#);
    push_number(line, turn.ply.into());
    if turn.simultaneous {
        line.push_str(r#","simultaneous":true"#);
    }
    line.push_str(r#","legal":"#);
    (turn.legal)(line);
    line.push_str(r#","view":"#);
    line.push_str(turn.view);
    line.push_str(r#","events":["#);
    (turn.events)(line);
    line.push_str(r#"],"clock":"#);
    line.push_str(turn.clock);
    line.push_str("}\n");
}

/// A [`Node`](crate::Node), borrowed from the arena.
pub struct NodeParts<'a> {
    pub tag: Option<u64>,
    pub depth: usize,
    pub state: NodeState<'a>,
    /// Already JSON.
    pub view: Option<&'a str>,
}

/// What there is to say of a node.
pub enum NodeState<'a> {
    Open { turn: u8, simultaneous: bool, legal: NodeMoves<'a>, evaluation: Option<i32> },
    Over { reason: &'a str, value: i32, places: &'a [u8], scores: &'a dyn Fn(&mut String) },
    Problem { code: &'a str, message: &'a str, near: Option<&'a str> },
}

/// What an answer says of the legal moves.
pub enum NodeMoves<'a> {
    /// Appends the JSON list.
    List(&'a mut dyn FnMut(&mut String)),
    Count(usize),
    Nothing,
}

/// Appends a [`Node`](crate::Node) with its newline.
pub fn write_node(line: &mut String, node: NodeParts<'_>) {
    line.push_str(r#"{"type":"node""#);
    if let Some(tag) = node.tag {
        line.push_str(r#","tag":"#);
        push_number(line, tag);
    }
    line.push_str(r#","depth":"#);
    push_number(line, node.depth as u64);
    match node.state {
        NodeState::Open { turn, simultaneous, legal, evaluation } => {
            line.push_str(r#","turn":"#);
            push_number(line, turn.into());
            if simultaneous {
                line.push_str(r#","simultaneous":true"#);
            }
            match legal {
                NodeMoves::List(list) => {
                    line.push_str(r#","legal":"#);
                    list(line);
                }
                NodeMoves::Count(count) => {
                    line.push_str(r#","count":"#);
                    push_number(line, count as u64);
                }
                NodeMoves::Nothing => {}
            }
            if let Some(evaluation) = evaluation {
                line.push_str(r#","evaluation":"#);
                push_signed(line, evaluation);
            }
        }
        NodeState::Over { reason, value, places, scores } => {
            line.push_str(r#","over":"#);
            push_text(line, reason);
            line.push_str(r#","value":"#);
            push_signed(line, value);
            line.push_str(r#","places":"#);
            push_numbers(line, places.iter().map(|&place| place.into()));
            line.push_str(r#","scores":"#);
            scores(line);
        }
        NodeState::Problem { code, message, near } => {
            line.push_str(r#","problem":"#);
            push_text(line, code);
            line.push_str(r#","message":"#);
            push_text(line, message);
            if let Some(near) = near {
                line.push_str(r#","near":"#);
                push_text(line, near);
            }
        }
    }
    if let Some(view) = node.view {
        line.push_str(r#","view":"#);
        line.push_str(view);
    }
    line.push_str("}\n");
}

fn push_signed(line: &mut String, number: i32) {
    if number < 0 {
        line.push('-');
    }
    push_number(line, number.unsigned_abs().into());
}

/// Appends a move to a list of [`Event`](crate::Event)s that has been opened with `[`.
pub fn write_event(list: &mut String, seat: u8, mv: &str) {
    list.push_str(if list.ends_with('[') {
        r#"{"kind":"move","seat":"#
    } else {
        r#",{"kind":"move","seat":"#
    });
    push_number(list, seat.into());
    list.push_str(r#","move":"#);
    push_text(list, mv);
    list.push('}');
}

/// The parts of an [`End`](crate::End), borrowed from the arena.
#[derive(Clone, Copy, Debug)]
pub struct EndParts<'a> {
    pub match_id: &'a str,
    pub places: &'a [u8],
    pub scores: &'a [f64],
    pub reason: &'a str,
    pub you: You,
}

/// Appends an [`End`](crate::End) with its newline.
pub fn write_end(line: &mut String, end: &EndParts<'_>) {
    line.push_str(r#"{"type":"end","match":"#);
    push_text(line, end.match_id);
    line.push_str(r#","places":"#);
    push_numbers(line, end.places.iter().map(|&place| place.into()));
    line.push_str(r#","scores":"#);
    push_any(line, end.scores);
    line.push_str(r#","reason":"#);
    push_text(line, end.reason);
    line.push_str(match end.you {
        You::Win => ",\"you\":\"win\"}\n",
        You::Draw => ",\"you\":\"draw\"}\n",
        You::Loss => ",\"you\":\"loss\"}\n",
    });
}

/// Appends a [`Clock`].
pub fn write_clock(line: &mut String, clock: &Clock) {
    line.push_str(r#"{"move_ms":"#);
    push_number(line, clock.move_ms);
    line.push_str(r#","bank_ms":"#);
    push_number(line, clock.bank_ms);
    line.push_str(r#","increment_ms":"#);
    push_number(line, clock.increment_ms);
    line.push_str(r#","startup_ms":"#);
    push_number(line, clock.startup_ms);
    line.push_str(match clock.measured {
        Measured::Wall => r#","measured":"wall"}"#,
        Measured::Cpu => r#","measured":"cpu"}"#,
    });
}

/// Appends a [`Move`] with its newline.
pub fn write_move(line: &mut String, answer: &Move) {
    match answer {
        Move { kind: None, id: Some(id), mv, info: None, .. } => {
            line.push_str(r#"{"id":"#);
            push_number(line, *id);
            line.push_str(r#","move":"#);
            push_text(line, mv);
            line.push('}');
        }
        _ => push_any(line, answer),
    }
    line.push('\n');
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::from_bot::{MoveTag, Search};
    use crate::to_bot::{End, Node, Start, ToBot, Turn, read_message};

    /// The line that serde writes.
    fn with_serde(message: &ToBot) -> String {
        serde_json::to_string(message).unwrap() + "\n"
    }

    fn written(clock: &Clock) -> String {
        let mut text = String::new();
        write_clock(&mut text, clock);
        text
    }

    #[test]
    fn turns_are_written_as_serde_writes_them() {
        for line in [
            r#"{"type":"turn","id":3,"game":"krav-maga","seat":1,"ply":4,"simultaneous":true,"legal":["a1","b2"],"view":{"x":[1]},"events":[{"kind":"move","seat":1,"move":"c3"},{"kind":"move","seat":0,"move":"a\\u0001"}],"clock":{"move_ms":1,"bank_ms":2,"increment_ms":3,"startup_ms":4,"measured":"cpu"}}"#,
            r#"{"type":"turn","id":10,"game":"nim","seat":0,"ply":0,"legal":[],"view":{},"events":[],"clock":{"move_ms":10,"bank_ms":0,"increment_ms":0,"startup_ms":0,"measured":"wall"}}"#,
        ] {
            let turn: Turn = read_message(line.as_bytes()).unwrap();
            let legal = serde_json::to_string(&turn.legal).unwrap();
            let parts = TurnParts {
                id: turn.id,
                game: &turn.game,
                seat: turn.seat,
                ply: turn.ply,
                simultaneous: turn.simultaneous,
                legal: &|line| line.push_str(&legal),
                view: turn.view.get(),
                events: &|line| turn.events.iter().for_each(|event| write_event(line, event.seat, &event.mv)),
                clock: &written(&turn.clock),
            };
            let mut quick = String::new();
            write_turn(&mut quick, &parts);
            assert_eq!(quick, with_serde(&ToBot::Turn(turn.clone())));
            assert_eq!(quick.trim_end(), line);
        }
    }

    #[test]
    fn starts_are_written_as_serde_writes_them() {
        let exploring =
            Exploring { nodes: 1_000, bytes: 165_536, depth: 10_000, imagine: false, evaluate: true };
        for (teams, explore) in [(None, None), (Some(vec![vec![0, 2], vec![1, 3]]), Some(exploring))] {
            let start = Start {
                match_id: "m \"1\"".to_owned(),
                game: "nim".to_owned(),
                rules: 12,
                params: serde_json::json!({ "heaps": [3, 4], "misere": false }),
                seat: 3,
                seats: 4,
                teams,
                clock: Clock {
                    move_ms: 100,
                    bank_ms: 0,
                    increment_ms: 3,
                    startup_ms: 5_000,
                    measured: Measured::Cpu,
                },
                bot_seed: (1 << 53) - 1,
                explore,
            };
            let parts = StartParts {
                match_id: &start.match_id,
                game: &start.game,
                rules: start.rules,
                params: &start.params.to_string(),
                seat: start.seat,
                seats: start.seats,
                teams: start.teams.as_deref(),
                clock: &written(&start.clock),
                bot_seed: start.bot_seed,
                explore,
            };
            let mut quick = String::new();
            write_start(&mut quick, &parts);
            assert_eq!(quick, with_serde(&ToBot::Start(start)));
        }
    }

    #[test]
    fn nodes_are_written_as_serde_writes_them() {
        let open = |simultaneous, legal| NodeState::Open { turn: 1, simultaneous, legal, evaluation: None };
        let mut list = |line: &mut String| line.push_str(r#"["a1","b2"]"#);
        let estimated = NodeState::Open {
            turn: 0,
            simultaneous: false,
            legal: NodeMoves::Count(12),
            evaluation: Some(-7),
        };
        let over = NodeState::Over {
            reason: "line",
            value: -1,
            places: &[2, 1],
            scores: &|line| line.push_str("[0.5,1.5]"),
        };
        let problem = |near| NodeState::Problem { code: "over", message: "the game is \"over\"", near };
        for (tag, state, view) in [
            (None, open(false, NodeMoves::List(&mut list)), None),
            (Some(70), open(true, NodeMoves::Nothing), Some(r#"{"x":1}"#)),
            (None, estimated, None),
            (None, over, Some("[1]")),
            (None, problem(None), None),
            (Some(0), problem(Some("a1")), None),
        ] {
            let mut quick = String::new();
            write_node(&mut quick, NodeParts { tag, depth: 300, state, view });
            let node: Node = read_message(quick.as_bytes()).unwrap();
            assert_eq!(quick, with_serde(&ToBot::Node(node)));
        }
    }

    #[test]
    fn moves_are_written_as_serde_writes_them() {
        for answer in [
            Move { id: Some(12), ..Move::new("b2") },
            Move { id: Some(1), ..Move::new("say \"a\"") },
            Move::new("b2"),
            Move { kind: Some(MoveTag::Move), id: Some(2), ..Move::new("b2") },
            Move { info: Some(Box::new(Search { depth: Some(3), ..Search::default() })), ..Move::new("b2") },
        ] {
            let mut quick = String::new();
            write_move(&mut quick, &answer);
            assert_eq!(quick, serde_json::to_string(&answer).unwrap() + "\n");
        }
    }

    #[test]
    fn ends_are_written_as_serde_writes_them() {
        for (you, scores) in [(You::Win, vec![1.0, 0.5]), (You::Draw, vec![-12.25]), (You::Loss, vec![])] {
            let end = End {
                match_id: "7".to_owned(),
                places: vec![1; scores.len()],
                scores,
                reason: "ply_cap".to_owned(),
                you,
            };
            let End { match_id, places, scores, reason, you } = &end;
            let parts = EndParts { match_id, places, scores, reason, you: *you };
            let mut quick = String::new();
            write_end(&mut quick, &parts);
            assert_eq!(quick, with_serde(&ToBot::End(end)));
        }
    }
}
