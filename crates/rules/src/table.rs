//! A game as the referee sees it: text in, text and JSON out, with the draws that need a history.
//!
//! [`Position`] is the typed face, for search; [`Table`] is the erased one. It is written once,
//! here, for all games.

use crate::chance::Seed;
use crate::json::Json;
use crate::nearest::nearest;
use crate::outcome::Outcome;
use crate::params::{self, ParamError};
use crate::picture::Picture;
use crate::position::{About, DrawRules, Position};
use crate::seat::{Eyes, Seat, Seats, Turn};
use crate::view::{View, ViewSchema};
use crate::walk::{Walk, Walker};
use serde_json::Value;
use std::any::Any;
use std::collections::HashMap;
use std::fmt::{Display, Write as _};
use std::sync::Arc;

/// Why a move was refused. The game stands as it did before.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MoveError {
    #[error("the game is over")]
    Over,
    #[error("seat {0} has no decision to make now")]
    NotYourTurn(Seat),
    #[error("`{got}` is no move of {game}: a move is {notation}, such as `{example}`")]
    Unreadable {
        got: String,
        game: &'static str,
        notation: &'static str,
        example: &'static str,
        near: String,
    },
    #[error("`{got}` is not legal here")]
    Illegal { got: String, near: String },
}

impl MoveError {
    /// The legal move that looks most like the one refused.
    pub fn near(&self) -> Option<&str> {
        match self {
            MoveError::Unreadable { near, .. } | MoveError::Illegal { near, .. } => Some(near),
            MoveError::Over | MoveError::NotYourTurn(_) => None,
        }
    }
}

/// A move as somebody heard it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct News {
    pub seat: Seat,
    pub mv: String,
}

/// A game in progress, whatever the game.
pub trait Table: Send {
    fn about(&self) -> &'static About;
    /// With every default filled in.
    fn params(&self) -> &Arc<Value>;
    /// The same as JSON, for those who only pass it on.
    fn params_json(&self) -> &str;
    fn seats(&self) -> u8;
    fn team_of(&self, seat: Seat) -> u8;
    fn turn(&self) -> Turn;
    /// Decisions made so far.
    fn plies(&self) -> u32;
    /// The legal moves of a seat that owes a decision; none for the others.
    fn legal(&self, seat: Seat) -> Vec<String>;
    /// Appends the same as a JSON list, for those who only pass it on.
    fn write_legal(&self, seat: Seat, json: &mut String);
    /// Plays a move and gives back its canonical text.
    fn play(&mut self, seat: Seat, text: &str) -> Result<String, MoveError>;
    fn outcome(&self) -> Option<Outcome>;
    fn view(&self, eyes: Eyes) -> Json;
    /// What every view of this game is, asked at the start.
    fn view_schema(&self) -> ViewSchema;
    /// With the last move marked.
    fn picture(&self, eyes: Eyes) -> Picture;
    /// The moves these eyes have heard of, without the first `skip`. A decision made together with
    /// others is news only when all are in.
    fn news(&self, eyes: Eyes, skip: usize) -> Vec<News>;
    /// The same without a copy of each.
    fn hear(&self, eyes: Eyes, skip: usize, ear: &mut dyn FnMut(Seat, &str));
    fn news_count(&self) -> usize;
    /// The position with its own type, see [`position_of`].
    fn position(&self) -> &dyn Any;
    fn boxed_clone(&self) -> Box<dyn Table>;
    /// A walk from the true position, for a seat that looks ahead. Only where nothing is hidden: it
    /// shows everything.
    fn walk(&self, seat: Seat) -> Box<dyn Walk + '_>;
    /// The same from an imagined position of this game. `None` if it is a position of another game.
    fn walk_from(&self, position: Box<dyn Any>, seat: Seat) -> Option<Box<dyn Walk + '_>>;
}

/// The position of a game. Code that knows the type reads the position here instead of having a
/// table of that type compiled again.
///
/// # Panics
/// If the game's positions have another type: the visitor was handed the type of this game.
pub fn position_of<P: Position>(table: &dyn Table) -> &P {
    table.position().downcast_ref().expect("the type that the registry chose")
}

/// Are draws by repetition, quiet plies and ply caps applied?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Draws {
    /// As in a real game.
    Applied,
    /// As a solver wants it.
    Off,
}

/// A typed game with its history: the one implementation of [`Table`].
#[derive(Clone, Debug)]
pub struct Seated<P: Position> {
    position: P,
    repetitions: HashMap<P, u8>,
    past: Past,
}

/// What has happened in a game. The type of the positions is not known here, so that the code is
/// compiled once for all games.
#[derive(Clone, Debug)]
struct Past {
    params: Arc<Value>,
    params_json: Arc<str>,
    history: History,
    /// Moves made together with others that have not all decided.
    pending: Vec<Spoken>,
    told: Vec<Spoken>,
}

/// What the draws that need a history have to know, besides the positions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct History {
    pub(crate) draws: DrawRules,
    quiet_plies: u32,
    plies: u32,
    drawn: Option<&'static str>,
}

impl History {
    fn new(draws: DrawRules) -> History {
        History { draws, quiet_plies: 0, plies: 0, drawn: None }
    }

    pub(crate) fn turn(&self, position: &impl Position) -> Turn {
        self.drawn.map_or_else(|| position.turn(), Turn::draw)
    }

    pub(crate) fn count_ply(&mut self, is_quiet: bool) {
        self.plies += 1;
        self.quiet_plies = if is_quiet { self.quiet_plies + 1 } else { 0 };
    }

    /// Is the game drawn now, though its position is open?
    pub(crate) fn look_for_draws(&mut self, repetitions: u8) {
        self.drawn = if repetitions == 3 {
            Some("repetition")
        } else if self.draws.quiet_plies.is_some_and(|limit| self.quiet_plies >= limit) {
            Some("quiet_plies")
        } else if self.draws.ply_cap.is_some_and(|cap| self.plies >= cap) {
            Some("ply_cap")
        } else {
            None
        };
    }
}

impl Past {
    /// A seat has made a move. The move is news when no other seat owes a decision.
    fn tell(&mut self, spoken: Spoken, is_last: bool) {
        self.pending.push(spoken);
        if is_last {
            self.pending.sort_by_key(|spoken| spoken.seat);
            self.told.append(&mut self.pending);
        }
    }

    fn hear(&self, eyes: Eyes, skip: usize, ear: &mut dyn FnMut(Seat, &str)) {
        self.told.iter().skip(skip).for_each(|spoken| ear(spoken.seat, spoken.to(eyes)));
    }

    fn news(&self, eyes: Eyes, skip: usize) -> Vec<News> {
        let mut news = Vec::new();
        self.hear(eyes, skip, &mut |seat, mv| news.push(News { seat, mv: mv.to_owned() }));
        news
    }

    fn marked(&self, picture: Picture, eyes: Eyes) -> Picture {
        match self.told.last() {
            Some(last) => picture.marking(last.to(eyes)),
            None => picture,
        }
    }
}

/// A move as each pair of eyes hears it. Its texts are shared, because a long game is copied often.
#[derive(Clone, Debug)]
struct Spoken {
    seat: Seat,
    full: Arc<str>,
    /// What the spectator and seats 0, 1, … hear, when that is not the same for all.
    partial: Option<Arc<[String]>>,
}

/// A game with its parameters, read and checked: ready to be started as often as wanted.
pub trait Setting: Send + Sync {
    fn about(&self) -> &'static About;
    /// With every default filled in.
    fn params(&self) -> &Arc<Value>;
    fn start(&self, seed: Seed) -> Result<Box<dyn Table>, ParamError>;
}

/// The one implementation of [`Setting`].
#[derive(Clone, Debug)]
pub struct Prepared<P: Position> {
    typed: P::Params,
    params: Arc<Value>,
    params_json: Arc<str>,
    draws: Draws,
}

impl<P: Position> Prepared<P> {
    /// With parameters that were read before.
    pub(crate) fn of(typed: P::Params, draws: Draws) -> Self {
        let params = params::write(&typed);
        let params_json = params.to_string().into();
        Prepared { typed, params: Arc::new(params), params_json, draws }
    }

    pub fn seat(&self, seed: Seed) -> Result<Seated<P>, ParamError> {
        let position = P::start(&self.typed, seed)?;
        let draws = if self.draws == Draws::Applied { position.draw_rules() } else { DrawRules::NONE };
        let past = Past {
            params: Arc::clone(&self.params),
            params_json: Arc::clone(&self.params_json),
            history: History::new(draws),
            pending: Vec::new(),
            told: Vec::new(),
        };
        let mut seated = Seated { position, repetitions: HashMap::new(), past };
        seated.count_repetition();
        Ok(seated)
    }
}

impl<P: Position> Setting for Prepared<P> {
    fn about(&self) -> &'static About {
        const { &P::ABOUT }
    }

    fn params(&self) -> &Arc<Value> {
        &self.params
    }

    fn start(&self, seed: Seed) -> Result<Box<dyn Table>, ParamError> {
        Ok(Box::new(self.seat(seed)?))
    }
}

impl<P: Position> Seated<P> {
    #[cfg(test)]
    pub fn start(given: &Value, seed: Seed, draws: Draws) -> Result<Self, ParamError> {
        Prepared::of(params::read(given)?, draws).seat(seed)
    }

    pub fn position(&self) -> &P {
        &self.position
    }

    /// Plays a legal move and gives back its text.
    pub fn play_move(&mut self, seat: Seat, mv: &P::Move) -> String {
        let text = mv.to_string();
        self.tell(seat, mv, &text);
        self.advance(seat, mv);
        text
    }

    fn advance(&mut self, seat: Seat, mv: &P::Move) {
        self.past.history.count_ply(self.position.is_quiet(mv));
        self.position.play(seat, mv);
        if !self.position.turn().is_over() {
            let repetitions = self.count_repetition();
            self.past.history.look_for_draws(repetitions);
        }
    }

    /// Counts how often the position has stood.
    fn count_repetition(&mut self) -> u8 {
        if !self.past.history.draws.repetition {
            return 0;
        }
        let count = self.repetitions.entry(self.position.clone()).or_insert(0);
        *count += 1;
        *count
    }

    fn tell(&mut self, seat: Seat, mv: &P::Move, text: &str) {
        let listeners =
            std::iter::once(Eyes::Spectator).chain((0..self.position.seats()).map(|s| Eyes::Seat(Seat(s))));
        let heard = listeners.map(|eyes| self.position.heard(seat, mv, eyes));
        let partial = P::HIDES_MOVES.then(|| heard.collect());
        let is_last = self.position.turn().seats().without(seat).is_empty();
        self.past.tell(Spoken { seat, full: text.into(), partial }, is_last);
    }

    /// The legal moves of a seat that owes a decision; none for the others.
    fn moves(&self, seat: Seat) -> Vec<P::Move> {
        let mut moves = Vec::with_capacity(32);
        if self.turn().seats().contains(seat) {
            self.position.moves(seat, &mut moves);
        }
        moves
    }

    fn find(&self, seat: Seat, text: &str) -> Result<P::Move, MoveError> {
        may_move(self.turn(), seat)?;
        find_move::<P>(text, &self.moves(seat))
    }
}

/// The legal move with this text.
pub(crate) fn find_move<P: Position>(text: &str, legal: &[P::Move]) -> Result<P::Move, MoveError> {
    let texts = || legal.iter().map(ToString::to_string).collect::<Vec<String>>();
    match text.parse::<P::Move>() {
        Ok(mv) if legal.contains(&mv) => Ok(mv),
        Ok(_) => Err(illegal(text, &texts())),
        Err(_) => Err(unreadable(text, &P::ABOUT, &texts())),
    }
}

/// Appends moves as a JSON list.
pub(crate) fn write_moves(moves: &[impl Display], json: &mut String) {
    json.push('[');
    for (at, mv) in moves.iter().enumerate() {
        // Notation is plain ASCII without quotation marks: a law of all games.
        json.push_str(if at == 0 { "\"" } else { ",\"" });
        let _ = write!(json, "{mv}");
        json.push('"');
    }
    json.push(']');
}

pub(crate) fn may_move(turn: Turn, seat: Seat) -> Result<(), MoveError> {
    if turn.is_over() {
        Err(MoveError::Over)
    } else if !turn.seats().contains(seat) {
        Err(MoveError::NotYourTurn(seat))
    } else {
        Ok(())
    }
}

fn illegal(text: &str, legal: &[String]) -> MoveError {
    let near = nearest(text, legal).unwrap_or_default().to_owned();
    MoveError::Illegal { got: text.to_owned(), near }
}

fn unreadable(text: &str, about: &About, legal: &[String]) -> MoveError {
    let near = nearest(text, legal).unwrap_or_default().to_owned();
    let &About { id: game, notation, example, .. } = about;
    MoveError::Unreadable { got: text.to_owned(), game, notation, example, near }
}

impl Spoken {
    fn to(&self, eyes: Eyes) -> &str {
        match (&self.partial, eyes) {
            (None, _) | (_, Eyes::Referee) => &self.full,
            (Some(heard), Eyes::Spectator) => &heard[0],
            (Some(heard), Eyes::Seat(seat)) => &heard[1 + seat.index()],
        }
    }
}

impl<P: Position> Table for Seated<P> {
    fn about(&self) -> &'static About {
        const { &P::ABOUT }
    }

    fn params(&self) -> &Arc<Value> {
        &self.past.params
    }

    fn params_json(&self) -> &str {
        &self.past.params_json
    }

    fn seats(&self) -> u8 {
        self.position.seats()
    }

    fn team_of(&self, seat: Seat) -> u8 {
        self.position.team_of(seat)
    }

    fn turn(&self) -> Turn {
        self.past.history.turn(&self.position)
    }

    fn plies(&self) -> u32 {
        self.past.history.plies
    }

    fn legal(&self, seat: Seat) -> Vec<String> {
        let moves = self.moves(seat);
        moves.iter().map(ToString::to_string).collect()
    }

    fn write_legal(&self, seat: Seat, json: &mut String) {
        write_moves(&self.moves(seat), json);
    }

    fn play(&mut self, seat: Seat, text: &str) -> Result<String, MoveError> {
        let mv = self.find(seat, text)?;
        Ok(self.play_move(seat, &mv))
    }

    fn outcome(&self) -> Option<Outcome> {
        self.turn().finish().map(|finish| finish.outcome(&self.position))
    }

    fn view(&self, eyes: Eyes) -> Json {
        self.position.view(eyes)
    }

    fn view_schema(&self) -> ViewSchema {
        let picture = self.position.picture(Eyes::Spectator);
        ViewSchema::of(&P::ABOUT, self.position.seats(), &picture, View::described(&self.position))
    }

    fn picture(&self, eyes: Eyes) -> Picture {
        let picture = self.position.picture(eyes);
        let mut played = self.past.told.iter().map(|spoken| (spoken.seat, spoken.to(eyes)));
        self.past.marked(self.position.recall(picture, &mut played), eyes)
    }

    fn news(&self, eyes: Eyes, skip: usize) -> Vec<News> {
        self.past.news(eyes, skip)
    }

    fn hear(&self, eyes: Eyes, skip: usize, ear: &mut dyn FnMut(Seat, &str)) {
        self.past.hear(eyes, skip, ear);
    }

    fn news_count(&self) -> usize {
        self.past.told.len()
    }

    fn position(&self) -> &dyn Any {
        &self.position
    }

    fn boxed_clone(&self) -> Box<dyn Table> {
        Box::new(self.clone())
    }

    fn walk(&self, seat: Seat) -> Box<dyn Walk + '_> {
        Box::new(Walker::new(seat, self.position.clone(), self.past.history, Some(&self.repetitions)))
    }

    fn walk_from(&self, position: Box<dyn Any>, seat: Seat) -> Option<Box<dyn Walk + '_>> {
        let position: Box<P> = position.downcast().ok()?;
        Some(Box::new(Walker::new(seat, *position, self.past.history, None)))
    }
}

/// The seats of one table, grouped by team: `[[0, 2], [1, 3]]`.
pub fn teams(table: &dyn Table) -> Vec<Seats> {
    let mut teams: Vec<Seats> = Vec::new();
    for seat in (0..table.seats()).map(Seat) {
        let mate = teams
            .iter_mut()
            .find(|team| team.lowest().is_some_and(|s| table.team_of(s) == table.team_of(seat)));
        match mate {
            Some(team) => *team = team.with(seat),
            None => teams.push(Seats::one(seat)),
        }
    }
    teams
}
