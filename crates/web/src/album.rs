//! Recorded games for a viewer: moves, times, notes, and frames for all eyes.

use crate::frames::{Frame, FrameBook};
use protocol::Search;
use referee::record::{Record, ReplayError, SeatFault};
use referee::transcript::StderrByMove;
use rules::{Eyes, Information, Seat, Table};
use serde_json::{Map, Value, json};

/// Several games that share one book of frames.
#[derive(Debug, Default)]
pub struct Album {
    book: FrameBook,
    games: Vec<Value>,
}

/// What is proven about the moves of one position, best first.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveValue {
    pub mv: String,
    /// For the player who moves: 1 is a win, 0 a draw, -1 a loss.
    pub value: i8,
    /// The points by which the player who moves wins, where points decide.
    pub margin: Option<i32>,
}

/// For each position of a game, the values of all legal moves, if they are proven.
pub type GameValues = Vec<Option<Vec<MoveValue>>>;

/// The most characters of one text of a bot. The rest is in the record.
const LONGEST_TEXT: usize = 4_000;
/// The most texts, marks or moves of a line in one list of a bot.
const MOST_NOTES: usize = 400;

impl Album {
    /// Adds a game, with the proven values of its moves and what the bots wrote to standard error, if
    /// they are known. The moves are played again, so that a wrong record is refused.
    pub fn add(
        &mut self,
        record: &Record,
        values: Option<&GameValues>,
        stderr: Option<&StderrByMove>,
    ) -> Result<(), ReplayError> {
        let mut table = record.start()?;
        let mut views = views(&*table);
        let mut frames = vec![self.book.frame(&table.picture(Eyes::Referee))];
        for view in &mut views {
            view.look(&mut self.book, &*table, &frames[0]);
        }
        for (at, played) in record.moves.iter().enumerate() {
            table.play(Seat(played.seat), &played.mv).map_err(|error| ReplayError::Move {
                at: at + 1,
                seat: played.seat,
                mv: played.mv.clone(),
                problem: error.to_string(),
            })?;
            let frame = self.book.frame(&table.picture(Eyes::Referee));
            for view in &mut views {
                view.look(&mut self.book, &*table, &frame);
                view.listen(&*table, record, at);
            }
            frames.push(frame);
        }
        let about = table.about();
        let mut game = json!({
            "match": record.match_id, "id": record.game, "name": about.name, "rules": record.rules,
            "params": &*record.params, "seed": record.seed, "bots": record.bots,
            "teams": (0..table.seats()).map(|seat| table.team_of(Seat(seat))).collect::<Vec<_>>(),
            "moves": (0..record.moves.len()).map(|at| move_json(record, at, stderr)).collect::<Vec<_>>(),
            "us": record.times.moves_us, "result": record.result, "frames": frames,
        });
        if let Some(round) = record.round {
            game["round"] = json!(round);
        }
        if !record.faults.is_empty() {
            game["faults"] = record.faults.iter().map(|fault| fault_json(fault, stderr)).collect();
        }
        let views: Map<String, Value> =
            views.into_iter().filter(View::differs).map(|view| (view.name(), view.json())).collect();
        if !views.is_empty() {
            game["views"] = Value::Object(views);
        }
        if let Some(values) = values.filter(|values| values.iter().any(Option::is_some)) {
            game["values"] = values.iter().map(|values| values_json(values.as_deref())).collect();
        }
        self.games.push(game);
        Ok(())
    }

    pub fn len(&self) -> usize {
        self.games.len()
    }

    pub fn is_empty(&self) -> bool {
        self.games.is_empty()
    }

    /// The chunk of a page.
    pub fn to_json(&self) -> Value {
        let mut json = self.book.to_json();
        json["games"] = json!(self.games);
        json
    }
}

/// What some eyes have seen and heard.
struct View {
    eyes: Eyes,
    /// `0` where the referee sees the same.
    frames: Vec<Frame>,
    /// What these eyes heard instead of the moves of the record, by the place of the move.
    heard: Map<String, Value>,
    /// The moves that became public later than they were made: from this many moves on.
    public: Map<String, Value>,
    news: usize,
    unknown: Vec<usize>,
}

/// The spectator and all seats, if some of them know what others do not.
fn views(table: &dyn Table) -> Vec<View> {
    let hides =
        rules::find(table.about().id).is_some_and(|game| game.class().information == Information::Imperfect);
    let seats = (0..table.seats()).map(|seat| Eyes::Seat(Seat(seat)));
    let eyes = std::iter::once(Eyes::Spectator).chain(seats).filter(|_| hides);
    eyes.map(|eyes| View {
        eyes,
        frames: Vec::new(),
        heard: Map::new(),
        public: Map::new(),
        news: 0,
        unknown: Vec::new(),
    })
    .collect()
}

impl View {
    fn look(&mut self, book: &mut FrameBook, table: &dyn Table, of_referee: &Frame) {
        let frame = book.frame(&table.picture(self.eyes));
        self.frames.push(if frame == *of_referee { json!(0) } else { frame });
    }

    fn listen(&mut self, table: &dyn Table, record: &Record, at: usize) {
        self.unknown.push(at);
        let news = table.news(self.eyes, self.news);
        self.news += news.len();
        for told in news {
            let of_seat = |at: &usize| record.moves[*at].seat == told.seat.0;
            let Some(place) = self.unknown.iter().position(of_seat) else { continue };
            let made = self.unknown.remove(place);
            if told.mv != record.moves[made].mv {
                self.heard.insert(made.to_string(), json!(told.mv));
            }
            if made != at {
                self.public.insert(made.to_string(), json!(at + 1));
            }
        }
    }

    fn name(&self) -> String {
        match self.eyes {
            Eyes::Seat(seat) => seat.to_string(),
            Eyes::Spectator => "spectator".to_owned(),
            Eyes::Referee => "referee".to_owned(),
        }
    }

    fn differs(&self) -> bool {
        !self.heard.is_empty() || !self.public.is_empty() || self.frames.iter().any(Value::is_array)
    }

    fn json(self) -> Value {
        json!({ "frames": self.frames, "heard": self.heard, "public": self.public })
    }
}

/// `[seat, move]`, and an object with the rest if there is any.
fn move_json(record: &Record, at: usize, stderr: Option<&StderrByMove>) -> Value {
    let played = &record.moves[at];
    let mut more = Map::new();
    if played.opening {
        more.insert("opening".to_owned(), json!(true));
    }
    if played.substitute {
        more.insert("substitute".to_owned(), json!(true));
    }
    if played.ignored > 0 {
        more.insert("ignored".to_owned(), json!(played.ignored));
    }
    if played.explored > 0 {
        more.insert("explored".to_owned(), json!(played.explored));
    }
    if let Some(info) = &played.info {
        more.insert("info".to_owned(), info_json(info));
    }
    if !played.log.is_empty() {
        let log: Vec<String> = played.log.iter().take(MOST_NOTES).map(|text| cut(text)).collect();
        more.insert("log".to_owned(), json!(log));
    }
    if let Some(said) = stderr.and_then(|stderr| stderr.moves.get(at)).filter(|said| !said.is_empty()) {
        more.insert("stderr".to_owned(), json!(cut(said.trim_end())));
    }
    if more.is_empty() { json!([played.seat, played.mv]) } else { json!([played.seat, played.mv, more]) }
}

fn info_json(info: &Search) -> Value {
    let mut info = info.clone();
    info.text = info.text.map(|text| cut(&text));
    if let Some(pv) = &mut info.pv {
        pv.truncate(MOST_NOTES);
        for mv in pv {
            *mv = cut(mv);
        }
    }
    if let Some(marks) = &mut info.marks {
        marks.truncate(MOST_NOTES);
        for mark in marks {
            mark.cell = cut(&mark.cell);
            mark.text = mark.text.take().map(|text| cut(&text));
        }
    }
    serde_json::to_value(info).unwrap_or_default()
}

fn fault_json(SeatFault { seat, ply, fault }: &SeatFault, stderr: Option<&StderrByMove>) -> Value {
    let said = stderr.and_then(|stderr| stderr.faults.iter().find(|(failed, _)| failed == seat));
    let mut json =
        json!({ "seat": seat, "ply": ply, "code": fault.code.to_string(), "text": cut(&fault.to_string()) });
    if let Some((_, said)) = said {
        json["stderr"] = json!(cut(said.trim_end()));
    }
    json
}

fn values_json(values: Option<&[MoveValue]>) -> Value {
    let Some(values) = values else { return json!(0) };
    let row = |value: &MoveValue| match value.margin {
        None => json!([value.mv, value.value]),
        Some(margin) => json!([value.mv, value.value, margin]),
    };
    values.iter().map(row).collect()
}

/// The beginning of a long text.
fn cut(text: &str) -> String {
    match text.char_indices().nth(LONGEST_TEXT) {
        None => text.to_owned(),
        Some((end, _)) => format!("{}…", &text[..end]),
    }
}
