//! Lets a seat explore the game during its turn: counts what the seat visits, and answers.
//!
//! An explorer keeps one path and writes one answer at a time, so its memory is bounded by the
//! limits of the match, and by nothing that a bot writes.

use crate::fault::{Code, Fault};
use protocol::json::push_any;
use protocol::{Explore, Exploring, Limits, Listing, NodeMoves, NodeParts, NodeState, Viewer, write_node};
use rules::{Eyes, Imaginer, Kind, MoveError, Seat, Seed, Table, Walk};
use serde::{Deserialize, Serialize};

/// Whether bots may explore, and how much.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ExploreRules {
    pub mode: ExploreMode,
    /// The most nodes for one turn.
    pub nodes: u64,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub enum ExploreMode {
    /// Bots write the rules themselves.
    Off,
    /// Moves and results, but no evaluation: bots write their own.
    Rules,
    #[default]
    On,
}

impl Default for ExploreRules {
    /// The clock ends a turn long before so many nodes are used up.
    fn default() -> ExploreRules {
        ExploreRules { mode: ExploreMode::On, nodes: 10_000_000 }
    }
}

impl ExploreRules {
    /// The usual rules, with what somebody has chosen.
    #[must_use]
    pub fn with(self, mode: Option<ExploreMode>, nodes: Option<u64>) -> ExploreRules {
        ExploreRules { mode: mode.unwrap_or(self.mode), nodes: nodes.unwrap_or(self.nodes) }
    }

    /// The most that `nodes` may be. Bytes are counted in whole numbers that every language has.
    pub const MOST_NODES: u64 = 1_000_000_000;
    /// The longest path. Longer than any game that is played with the usual parameters.
    const DEPTH: u32 = 10_000;

    /// What `start` says. `None` if exploring is off.
    pub fn shown(self, table: &dyn Table) -> Option<Exploring> {
        if self.mode == ExploreMode::Off {
            return None;
        }
        let is_duel = rules::find(table.about().id).is_some_and(|game| game.kind == Kind::Duel);
        Some(Exploring {
            nodes: self.nodes,
            bytes: 100 * self.nodes + 65_536,
            depth: ExploreRules::DEPTH,
            imagine: !is_duel,
            evaluate: is_duel && self.mode == ExploreMode::On,
        })
    }
}

/// What a seat may explore in this turn.
#[derive(Clone, Copy)]
pub struct Explorable<'t> {
    pub table: &'t dyn Table,
    pub seat: Seat,
    pub match_id: &'t str,
    pub rules: ExploreRules,
    /// Who else wants to know where the seat goes.
    pub witness: Option<&'t dyn Witness>,
}

/// Sees every node that a seat visits.
pub trait Witness {
    /// From this depth of its path the seat has played these moves, and stands at this node now. Has it asked for the
    /// estimate there?
    fn visited(&self, depth: usize, moves: &[&str], node: &mut dyn Walk, evaluated: bool);
}

/// The walk of a seat in one turn.
pub(crate) struct Explorer<'t> {
    topic: Explorable<'t>,
    limits: Exploring,
    walk: Option<Box<dyn Walk + 't>>,
    imaginer: Option<Box<dyn Imaginer<'t> + 't>>,
    evaluate: Option<fn(&dyn std::any::Any) -> i32>,
    /// Moves played, positions imagined, and problems.
    pub(crate) explored: u64,
    bytes: u64,
}

/// Why a request was not carried out.
struct RequestProblem {
    code: &'static str,
    message: String,
    near: Option<String>,
}

fn problem(code: &'static str, message: impl Into<String>) -> RequestProblem {
    RequestProblem { code, message: message.into(), near: None }
}

impl<'t> Explorer<'t> {
    /// `None` if exploring is off.
    pub(crate) fn new(topic: Explorable<'t>) -> Option<Explorer<'t>> {
        let limits = topic.rules.shown(topic.table)?;
        Some(Explorer { topic, limits, walk: None, imaginer: None, evaluate: None, explored: 0, bytes: 0 })
    }

    /// Appends the answer to a request of this length. An error costs the game.
    pub(crate) fn answer(&mut self, request: &Explore, bytes: usize, out: &mut String) -> Result<(), Fault> {
        self.bytes += bytes as u64;
        if self.bytes > self.limits.bytes {
            let most = self.limits.bytes;
            return Err(beyond(format!("more than {most} bytes of `explore` lines for one turn"), "bytes"));
        }
        let steps = request.moves().len() as u64 + u64::from(request.imagine.is_some());
        self.explored += steps;
        self.check_nodes()?;
        let done = match self.carry_out(request) {
            Ok(()) => self.describe(request, out),
            Err(ExploreRefusal::Beyond(fault)) => return Err(fault),
            Err(ExploreRefusal::Problem(problem)) => Err(problem),
        };
        if let Err(RequestProblem { code, message, near }) = done {
            if steps == 0 {
                self.explored += 1;
                self.check_nodes()?;
            }
            let depth = self.walk.as_ref().map_or(0, |walk| walk.depth());
            let state = NodeState::Problem { code, message: &message, near: near.as_deref() };
            write_node(out, NodeParts { tag: request.tag, depth, state, view: None });
        }
        Ok(())
    }

    fn check_nodes(&self) -> Result<(), Fault> {
        if self.explored <= self.limits.nodes {
            return Ok(());
        }
        let most = self.limits.nodes;
        Err(beyond(format!("more than {most} nodes explored for one turn"), "nodes"))
    }

    /// Takes the walk where the request says.
    fn carry_out(&mut self, request: &Explore) -> Result<(), ExploreRefusal> {
        if let Some(wrong) = &request.problem {
            return Err(problem("bad_request", wrong).into());
        }
        self.check_report(request)?;
        let moves: Vec<&str> = request.moves().iter().map(|mv| mv.trim()).collect();
        if moves.iter().any(|mv| mv.len() > Limits::MOVE_BYTES) {
            let most = Limits::MOVE_BYTES;
            return Err(problem("bad_request", format!("a move in `play` has more than {most} bytes")).into());
        }
        let new_walk = self.new_walk(request)?;
        let present = new_walk.as_ref().or(self.walk.as_ref());
        let path = present.map_or(0, |walk| walk.depth());
        let at = match request.at {
            None => path,
            Some(at) => usize::try_from(at).ok().filter(|at| *at <= path).ok_or_else(|| {
                let message = format!("`at` is {at}, and the path ends at depth {path}");
                problem("no_such_node", message)
            })?,
        };
        if at + moves.len() > self.limits.depth as usize {
            let most = self.limits.depth;
            return Err(ExploreRefusal::Beyond(beyond(format!("a path of more than {most} moves"), "depth")));
        }
        let mut walk = match new_walk {
            Some(walk) => walk,
            None => self.walk.take().ok_or_else(not_imagined)?,
        };
        let gone = walk.go(at, &moves);
        if let (Ok(()), Some(witness)) = (&gone, self.topic.witness) {
            witness.visited(at, &moves, &mut *walk, request.evaluate == Some(true));
        }
        if gone.is_ok() || request.imagine.is_none() {
            self.walk = Some(walk);
        }
        Ok(gone.map_err(|error| refused(&error))?)
    }

    /// A walk that has still to begin: from the true position where nothing is hidden, and from an imagined one where
    /// the request asks for that.
    fn new_walk(&mut self, request: &Explore) -> Result<Option<Box<dyn Walk + 't>>, RequestProblem> {
        let Explorable { table, seat, .. } = self.topic;
        if !self.limits.imagine {
            let anew = self.walk.is_none() || request.imagine.is_some();
            return Ok(anew.then(|| table.walk(seat)));
        }
        let Some(seed) = request.imagine else {
            return if self.walk.is_some() { Ok(None) } else { Err(not_imagined()) };
        };
        if self.imaginer.is_none() {
            self.imaginer = rules::imaginer(table, seat);
        }
        let imaginer = self.imaginer.as_ref().ok_or_else(not_imagined)?;
        imaginer.imagine(dream_seed(seed)).map(Some).map_err(|error| problem("not_imagined", error))
    }

    /// Can the answer be what the request asks for?
    fn check_report(&mut self, request: &Explore) -> Result<(), RequestProblem> {
        let table = self.topic.table;
        if let Some(Viewer::Seat(seat)) = request.view
            && seat >= table.seats()
        {
            let last = table.seats() - 1;
            return Err(problem("bad_request", format!("there is no seat {seat}: seats are 0 to {last}")));
        }
        if request.evaluate == Some(true) {
            if !self.limits.evaluate {
                return Err(problem(
                    "no_evaluation",
                    "the arena does not evaluate positions here: `explore.evaluate` in `start` is false",
                ));
            }
            if self.evaluate.is_none() {
                self.evaluate = rules::evaluator(table.about().id, table.params());
            }
        }
        Ok(())
    }

    /// Writes what the request asks for about the node where the walk stands.
    fn describe(&mut self, request: &Explore, out: &mut String) -> Result<(), RequestProblem> {
        let Explorable { table, seat: own, .. } = self.topic;
        let walk = self.walk.as_mut().ok_or_else(not_imagined)?;
        let decider = walk.decider();
        let view = match request.view {
            None | Some(Viewer::Decider(false)) => None,
            Some(Viewer::Decider(true)) => Some(walk.view(Eyes::Seat(decider.unwrap_or(own)))),
            Some(Viewer::Seat(seat)) => Some(walk.view(Eyes::Seat(Seat(seat)))),
        };
        let (tag, depth, view) = (request.tag, walk.depth(), view.as_ref().map(rules::Json::text));
        if let Some(outcome) = walk.outcome() {
            let state = NodeState::Over {
                reason: outcome.reason,
                value: outcome.value(own),
                places: outcome.places(),
                scores: &|out| push_any(out, outcome.scores()),
            };
            write_node(out, NodeParts { tag, depth, state, view });
            return Ok(());
        }
        let evaluate = self.evaluate.filter(|_| request.evaluate == Some(true));
        let side = if table.team_of(own) == table.team_of(Seat::FIRST) { 1 } else { -1 };
        let evaluation = evaluate.map(|evaluate| side * evaluate(walk.position()));
        let simultaneous = walk.is_simultaneous();
        let mut list = |out: &mut String| walk.write_legal(out);
        let legal = match request.legal {
            None | Some(Listing::Moves(true)) => NodeMoves::List(&mut list),
            Some(Listing::Moves(false)) => NodeMoves::Nothing,
            Some(Listing::Count(_)) => NodeMoves::Count(walk.count_legal()),
        };
        let turn = decider.map_or(0, |seat| seat.0);
        let state = NodeState::Open { turn, simultaneous, legal, evaluation };
        write_node(out, NodeParts { tag, depth, state, view });
        Ok(())
    }
}

enum ExploreRefusal {
    /// The request does not cost the game.
    Problem(RequestProblem),
    Beyond(Fault),
}

impl From<RequestProblem> for ExploreRefusal {
    fn from(problem: RequestProblem) -> ExploreRefusal {
        ExploreRefusal::Problem(problem)
    }
}

fn not_imagined() -> RequestProblem {
    problem("not_imagined", "this game hides something from you: begin with `imagine` and a seed of yours")
}

fn refused(error: &MoveError) -> RequestProblem {
    let code = if *error == MoveError::Over { "over" } else { "illegal_move" };
    RequestProblem { near: error.near().map(str::to_owned), ..problem(code, error.to_string()) }
}

fn beyond(what: String, field: &str) -> Fault {
    Fault::new(Code::ExploreLimit, what)
        .hint(format!("count: `explore.{field}` in `start` says how much a bot may explore in one turn"))
}

/// The verdict on exploring where nobody may.
pub(crate) fn explore_off() -> Fault {
    Fault::new(Code::ExploreOff, "this match is played without exploring")
        .hint("explore only if `start` has a field `explore`; `--explore on` allows it")
}

/// A seed that no deal has, whatever number a bot thinks of.
fn dream_seed(number: u64) -> Seed {
    let Seed(mut bytes) = Seed::from_number(number);
    bytes[8..15].copy_from_slice(b"imagine");
    Seed(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;
    use protocol::{FromBot, read_line};
    use rules::{GAMES, Hidden, HiddenVisitor, Json, News, Outcome, Picture, SplitMix, Turn, ViewSchema};
    use serde_json::{Value, json};
    use std::any::Any;
    use std::sync::Arc;

    fn topic(table: &dyn Table, seat: Seat, rules: ExploreRules) -> Explorable<'_> {
        Explorable { table, seat, match_id: "0001", rules, witness: None }
    }

    fn start(game: &str, moves: &str) -> Box<dyn Table> {
        let (game, params) = rules::parse_name(game).unwrap();
        let mut table = game.start(&params, Seed::from_number(1)).unwrap();
        for mv in moves.split_whitespace() {
            let seat = table.turn().seats().lowest().unwrap();
            table.play(seat, mv).unwrap();
        }
        table
    }

    /// The answer to a request with these fields, or the fault.
    fn answer(explorer: &mut Explorer, fields: &str) -> Result<String, Fault> {
        let comma = if fields.is_empty() { "" } else { "," };
        let line = format!(r#"{{"type":"explore"{comma}{fields}}}"#);
        let Ok(FromBot::Explore(request)) = read_line(line.as_bytes()) else { panic!("{line}") };
        let mut out = String::new();
        explorer.answer(&request, line.len() + 1, &mut out)?;
        let out = out.strip_suffix('\n').unwrap();
        Ok(out.strip_prefix(r#"{"type":"node","#).unwrap().strip_suffix('}').unwrap().to_owned())
    }

    #[test]
    fn a_conversation() {
        let table = start("tic-tac-toe", "b2 a1 c1 a2");
        let mut explorer = Explorer::new(topic(&*table, Seat(0), ExploreRules::default())).unwrap();
        let all = r#""depth":0,"turn":0,"legal":["b1","c2","a3","b3","c3"]"#;
        for (request, expected, explored) in [
            ("", all, 0),
            (r#""at":0,"play":"b1""#, r#""depth":1,"turn":1,"legal":["c2","a3","b3","c3"]"#, 1),
            (r#""play":"a3""#, r#""depth":2,"over":"line","value":-1,"places":[2,1],"scores":[0,1]"#, 2),
            (
                r#""at":0,"play":["a3"],"tag":7"#,
                r#""tag":7,"depth":1,"over":"line","value":1,"places":[1,2],"scores":[1,0]"#,
                3,
            ),
            (r#""play":"b3""#, r#""depth":1,"problem":"over","message":"the game is over""#, 4),
            (
                r#""at":2"#,
                r#""depth":1,"problem":"no_such_node","message":"`at` is 2, and the path ends at depth 1""#,
                5,
            ),
            (r#""at":0,"play":["c2","c3"],"legal":"count""#, r#""depth":2,"turn":0,"count":3"#, 7),
            (
                r#""at":1,"play":["b1","b3","zz"]"#,
                r#""depth":2,"problem":"illegal_move","message":"`zz` is no move of tic-tac-toe: a move is the cell, such as `b2`","near":"a3""#,
                10,
            ),
            (r#""legal":false"#, r#""depth":2,"turn":0"#, 10),
            (r#""at":1,"legal":"count""#, r#""depth":1,"turn":1,"count":4"#, 10),
            (
                r#""at":"up""#,
                r#""depth":1,"problem":"bad_request","message":"`at` must be a whole number from 0 on, not \"up\"""#,
                11,
            ),
            (
                r#""view":2"#,
                r#""depth":1,"problem":"bad_request","message":"there is no seat 2: seats are 0 to 1""#,
                12,
            ),
            (
                r#""at":0,"play":" b1 ","legal":false,"view":true"#,
                r#""depth":1,"turn":1,"view":{"to_move":1,"mark":"O","board":["...","OX.","OXX"]}"#,
                13,
            ),
            (r#""imagine":5"#, all, 14),
            (r#""at":0,"play":[]"#, all, 14),
        ] {
            assert_eq!(answer(&mut explorer, request).unwrap(), expected, "{request}");
            assert_eq!(explorer.explored, explored, "{request}");
        }
        let long = format!(r#""play":"{}""#, "x".repeat(600));
        assert!(answer(&mut explorer, &long).unwrap().contains("bad_request"));
    }

    /// More is better for the seat that asks, whoever is to move.
    #[test]
    fn positions_are_evaluated_for_the_seat_that_asks() {
        let table = start("othello", "");
        let request = r#""play":["d3","c3"],"evaluate":true,"legal":false"#;
        let value = |seat, mode| {
            let rules = ExploreRules { mode, ..ExploreRules::default() };
            let mut explorer = Explorer::new(topic(&*table, Seat(seat), rules)).unwrap();
            let line = format!("{{{}}}", answer(&mut explorer, request).unwrap());
            serde_json::from_str::<Value>(&line).unwrap()
        };
        let (first, second) = (value(0, ExploreMode::On), value(1, ExploreMode::On));
        let number = first["evaluation"].as_i64().unwrap();
        assert!(number != 0 && second["evaluation"] == -number, "{first} {second}");
        assert_eq!(value(0, ExploreMode::Rules)["problem"], "no_evaluation");
        let off = ExploreRules { mode: ExploreMode::Off, ..ExploreRules::default() };
        assert!(Explorer::new(topic(&*table, Seat(0), off)).is_none());
    }

    #[test]
    fn every_limit_ends_in_a_verdict() {
        let table = start("quixo", "");
        let rules = ExploreRules { mode: ExploreMode::On, nodes: 30 };
        let verdict = |requests: &mut dyn FnMut(u64) -> String| {
            let mut explorer = Explorer::new(topic(&*table, Seat(0), rules)).unwrap();
            let fault = (0..).find_map(|number| answer(&mut explorer, &requests(number)).err()).unwrap();
            (fault.code, fault.message, explorer.explored)
        };
        for (fields, message, explored) in [
            (r#""at":0,"play":"nonsense""#, "more than 30 nodes explored for one turn", 31),
            (r#""imagine":1"#, "more than 30 nodes explored for one turn", 31),
            (r#""at":9"#, "more than 30 nodes explored for one turn", 31),
            ("", "more than 68536 bytes of `explore` lines for one turn", 0),
        ] {
            let expected = (Code::ExploreLimit, message.to_owned(), explored);
            assert_eq!(verdict(&mut |_| fields.to_owned()), expected, "{fields}");
        }
        // A path that is too long is refused before it is walked.
        let moves = vec!["x"; 10_001];
        let rules = ExploreRules { mode: ExploreMode::On, nodes: 1_000_000 };
        let mut explorer = Explorer::new(topic(&*table, Seat(0), rules)).unwrap();
        let fault = answer(&mut explorer, &format!(r#""play":{}"#, json!(moves))).unwrap_err();
        assert_eq!(fault.message, "a path of more than 10000 moves");
    }

    /// A table that is the same as another one to a seat, with other cards where the seat does not see them.
    struct Twin<P> {
        table: Box<dyn Table>,
        position: P,
    }

    impl<P: Hidden> Table for Twin<P> {
        fn about(&self) -> &'static rules::About {
            self.table.about()
        }
        fn params(&self) -> &Arc<Value> {
            self.table.params()
        }
        fn params_json(&self) -> &str {
            self.table.params_json()
        }
        fn seats(&self) -> u8 {
            self.table.seats()
        }
        fn team_of(&self, seat: Seat) -> u8 {
            self.table.team_of(seat)
        }
        fn turn(&self) -> Turn {
            self.position.turn()
        }
        fn plies(&self) -> u32 {
            self.table.plies()
        }
        fn legal(&self, seat: Seat) -> Vec<String> {
            let mut moves = Vec::new();
            self.position.moves(seat, &mut moves);
            moves.iter().map(ToString::to_string).collect()
        }
        fn write_legal(&self, seat: Seat, json: &mut String) {
            json.push_str(&json!(self.legal(seat)).to_string());
        }
        fn play(&mut self, _: Seat, _: &str) -> Result<String, MoveError> {
            unreachable!("nobody plays here")
        }
        fn outcome(&self) -> Option<Outcome> {
            Outcome::of(&self.position)
        }
        fn view(&self, eyes: Eyes) -> Json {
            self.position.view(eyes)
        }
        fn view_schema(&self) -> ViewSchema {
            self.table.view_schema()
        }
        fn picture(&self, eyes: Eyes) -> Picture {
            self.position.picture(eyes)
        }
        fn news(&self, _: Eyes, _: usize) -> Vec<News> {
            Vec::new()
        }
        fn hear(&self, _: Eyes, _: usize, _: &mut dyn FnMut(Seat, &str)) {}
        fn news_count(&self) -> usize {
            0
        }
        fn position(&self) -> &dyn Any {
            &self.position
        }
        fn boxed_clone(&self) -> Box<dyn Table> {
            unreachable!("nobody copies this")
        }
        fn walk(&self, _: Seat) -> Box<dyn Walk + '_> {
            panic!("a walk from the true position shows what is hidden")
        }
        fn walk_from(&self, position: Box<dyn Any>, seat: Seat) -> Option<Box<dyn Walk + '_>> {
            self.table.walk_from(position, seat)
        }
    }

    struct LeakLaw;

    impl HiddenVisitor for LeakLaw {
        type Output = ();

        fn visit<P: Hidden>(self) {
            let game = rules::find(P::ABOUT.id).unwrap();
            let typed = rules::read_params::<P::Params>(&json!({})).unwrap();
            let (mut compared, mut unlike) = (0, 0);
            for deal in 0..3 {
                let mut dice = SplitMix::new(deal);
                let mut table = game.start(&json!({}), Seed::from_number(deal)).unwrap();
                for _ in 0..150 {
                    let owed = table.turn().seats();
                    let Some(first) = owed.lowest() else { break };
                    if dice.below(3) == 0 {
                        for seat in owed.iter() {
                            let view = table.view(Eyes::Seat(seat));
                            let other = Seed::from_number(1_000 + dice.below(1_000) as u64);
                            let position = P::imagine(&typed, &view.value(), seat, other).unwrap();
                            let twin = Twin { table: table.boxed_clone(), position };
                            assert_eq!(twin.view(Eyes::Seat(seat)), view);
                            compared += 1;
                            unlike += u32::from(twin.view(Eyes::Referee) != table.view(Eyes::Referee));
                            let steps = dice.below(1 << 30) as u64;
                            assert_eq!(
                                tour(&*table, seat, steps),
                                tour(&twin, seat, steps),
                                "{} deal {deal} ply {}: seat {seat} learns something",
                                game.about.id,
                                table.plies()
                            );
                        }
                    }
                    let legal = table.legal(first);
                    table.play(first, &legal[dice.below(legal.len())].clone()).unwrap();
                }
            }
            assert!(compared > 10 && unlike * 2 > compared, "{}: {unlike} of {compared}", game.about.id);
        }
    }

    /// All answers on a long walk with everything that can be asked.
    fn tour(table: &dyn Table, seat: Seat, steps: u64) -> Vec<String> {
        let mut explorer = Explorer::new(topic(table, seat, ExploreRules::default())).unwrap();
        let mut dice = SplitMix::new(steps);
        let mut heard = vec![
            answer(&mut explorer, "").unwrap(),
            answer(&mut explorer, r#""at":0,"view":0"#).unwrap(),
            answer(&mut explorer, r#""play":"x","evaluate":true"#).unwrap(),
        ];
        assert!(heard.iter().all(|answer| answer.contains(r#""problem":"#)), "{heard:?}");
        for dream in 0..3 {
            let first = answer(&mut explorer, &format!(r#""imagine":{dream},"view":{}"#, seat.0)).unwrap();
            heard.push(first);
            for _ in 0..8 {
                let node = answer(&mut explorer, "").unwrap();
                let node: Value = serde_json::from_str(&format!("{{{node}}}")).unwrap();
                let Some(legal) = node["legal"].as_array() else { break };
                let mv = &legal[dice.below(legal.len())];
                let eyes = dice.below(table.seats().into());
                heard.push(answer(&mut explorer, &format!(r#""play":{mv},"view":{eyes}"#)).unwrap());
                heard.push(answer(&mut explorer, r#""view":true,"legal":"count""#).unwrap());
            }
        }
        heard
    }

    #[test]
    fn deals_that_a_seat_cannot_tell_apart_get_the_same_answers() {
        let hidden = GAMES.iter().filter(|game| game.kind == Kind::Hidden);
        assert_eq!(hidden.map(|game| rules::visit_hidden(game.about.id, LeakLaw).unwrap()).count(), 11);
    }

    /// Other seeds give other positions, and the same seed the same one.
    #[test]
    fn a_seed_is_a_dream() {
        let table = start("meidale", "");
        let seat = table.turn().seats().lowest().unwrap();
        let mut explorer = Explorer::new(topic(&*table, seat, ExploreRules::default())).unwrap();
        let mut other =
            |seed| answer(&mut explorer, &format!(r#""imagine":{seed},"view":{}"#, 1 - seat.0)).unwrap();
        let dreams: Vec<String> = (0..5).map(&mut other).collect();
        assert!((0..5).all(|seed| other(seed) == dreams[seed]));
        assert!(dreams.windows(2).all(|pair| pair[0] != pair[1]));
    }
}
