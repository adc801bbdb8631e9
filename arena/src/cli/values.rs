//! `arena values`: shows and explains the values of the squares of an amoba board.

use super::grid::grid;
use super::{Failure, say, usage};
use rules::boards::Cell;
use rules::{Amoba, Position, Seat, Seed, StarArm};
use serde_json::{Value, json};
use std::fmt::Write as _;

/// Show the values of the squares of an amoba board
#[derive(clap::Args)]
#[command(
    after_help = "The value of a square is its value for O minus its value for X, so small numbers are good for X and large \
    numbers are good for O. `arena rules amoba` explains the rules.\n\n\
    Examples:\n  arena values amoba --position 'f9 f11 i7 c7' --cell f7\n  \
    arena values amoba --position 'f9 f11 i7 c7'\n  \
    arena values amoba --position 'f9 f11 i7 c7' --format svg > board.svg"
)]
pub struct ValuesArgs {
    /// The game: amoba, or with parameters `amoba?width=9&height=9`
    game: String,
    /// Parameters as JSON, or @FILE with JSON
    #[arg(long)]
    params: Option<String>,
    /// Moves that lead to the position, separated by blanks [default: none]
    #[arg(long, alias = "moves", value_name = "MOVES", default_value = "", hide_default_value = true)]
    position: String,
    /// Explain the value of one empty square [default: the values of all]
    #[arg(long, value_name = "SQUARE")]
    cell: Option<String>,
    /// How to print: text, svg or json
    #[arg(long, value_enum, hide_possible_values = true, default_value_t = Form::Text)]
    format: Form,
    /// The same as --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
#[value(rename_all = "lower")]
enum Form {
    Text,
    Svg,
    Json,
}

pub fn run(args: &ValuesArgs) -> Result<(), Failure> {
    let (study, moves) = super::lab_study(&args.game, args.params.as_deref(), &args.position)?;
    let id = study.table().about().id;
    if id != Amoba::ABOUT.id {
        return Err(usage(format!(
            "the squares of {id} have no values; only the evaluation of amoba is a sum over squares"
        )));
    }
    let params = rules::read_params(study.table().params()).map_err(usage)?;
    let mut board = Amoba::start(&params, Seed::from_number(0)).map_err(usage)?;
    for mv in moves.iter().filter_map(|mv| mv.parse::<Cell>().ok()) {
        board.play(rules::Duel::mover(&board), &mv);
    }
    let cell = args.cell.as_deref().map(|text| empty_square(&board, text)).transpose()?;
    let form = if args.json { Form::Json } else { args.format };
    let title = if moves.is_empty() { id.to_owned() } else { format!("{id} after {}", moves.join(" ")) };
    let head = lab::wrapped(&title);
    say(&match (form, cell) {
        (Form::Json, _) => format!("{:#}\n", page(&board, &moves, cell)),
        (Form::Svg, _) => lab::draw_squares(&board, cell, &title),
        (Form::Text, None) => format!("{head}\n\n{}", board_text(&board)),
        (Form::Text, Some(cell)) => format!("{head}\n\n{}", cell_text(&board, cell)),
    })
}

fn empty_square(board: &Amoba, text: &str) -> Result<Cell, Failure> {
    let (width, height) = board.size();
    let last = Cell::new(width - 1, height - 1);
    let cell = text.parse::<Cell>().ok().filter(|cell| cell.col < width && cell.row < height);
    let cell = cell.ok_or_else(|| usage(format!("--cell `{text}`: expected a square from a1 to {last}")))?;
    if board.is_empty(cell) {
        Ok(cell)
    } else {
        Err(usage(format!("--cell {cell}: the square has a mark, but only empty squares have a value")))
    }
}

/// The players with their marks.
const PLAYERS: [(Seat, char); 2] = [(Seat::FIRST, 'X'), (Seat::SECOND, 'O')];

fn board_text(board: &Amoba) -> String {
    let (width, height) = board.size();
    let value = |square: Cell| match board.glyph(square) {
        '.' => board.square_value(square).to_string(),
        mark => mark.to_string(),
    };
    let empty = || Cell::all(width, height).filter(|&square| board.is_empty(square));
    let mut page = grid(width, height, value);
    let best_for_x = empty().min_by_key(|&square| board.square_value(square));
    // Of equal squares the first counts, as in the thesis.
    let best_for_o = empty().min_by_key(|&square| -board.square_value(square));
    if let (Some(x), Some(o)) = (best_for_x, best_for_o) {
        let [x_value, o_value] = [x, o].map(|square| board.square_value(square));
        let _ = writeln!(page, "\nmost for X: {x} ({x_value}); most for O: {o} ({o_value})");
    }
    let _ = writeln!(page, "the value of the position: {}, the sum of all squares", board.value());
    page
}

fn cell_text(board: &Amoba, cell: Cell) -> String {
    let (width, height) = board.size();
    let star: Vec<Cell> = board.star(Seat::FIRST, cell).into_iter().flat_map(|arm| arm.squares).collect();
    let glyph = |square: Cell| match board.glyph(square) {
        '.' if square == cell => '?',
        '.' if star.contains(&square) => '*',
        glyph => glyph,
    };
    let mut page =
        format!("the star of {cell}\n\n{}", grid(width, height, |square| glyph(square).to_string()));
    for (seat, mark) in PLAYERS {
        let _ = writeln!(page, "\nfor {mark}, with {mark} on {cell}");
        let arms = board.star(seat, cell);
        for arm in &arms {
            arm_text(board, arm, cell, mark, &mut page);
        }
        let worths: Vec<String> = arms.iter().map(|arm| arm.worth().to_string()).collect();
        let _ = writeln!(page, "\n  {} = {}", worths.join(" + "), board.value_for(seat, cell));
    }
    let [x, o] = PLAYERS.map(|(seat, _)| board.value_for(seat, cell));
    let _ = writeln!(page, "\n{cell} is worth {x} to X and {o} to O: {o} - {x} = {}", o - x);
    page
}

/// Prints an arm, and below it each of its windows in the right columns.
fn arm_text(board: &Amoba, arm: &StarArm, cell: Cell, mark: char, page: &mut String) {
    const LEFT: usize = 24;
    const WORTH: usize = 54;
    let glyphs = arm.squares.iter().map(|&square| if square == cell { mark } else { board.glyph(square) });
    let glyphs: Vec<String> = glyphs.map(String::from).collect();
    let (first, last) = (arm.squares[0], arm.squares[arm.squares.len() - 1]);
    let name = format!("  {}, {first} to {last}", arm.name);
    let _ = writeln!(page, "\n{name:<LEFT$}{}", glyphs.join(" "));
    let long = (glyphs.len() + 1).saturating_sub(arm.windows.len());
    for (at, window) in arm.windows.iter().enumerate() {
        let line = format!("{}{}", " ".repeat(LEFT + 2 * at), glyphs[at..at + long].join(" "));
        let why = match window.foreign {
            0 => format!("{} {mark}", window.own),
            _ => "both marks".to_owned(),
        };
        let _ = writeln!(page, "{line:<WORTH$}{:>6}  {why}", window.worth);
    }
    let _ = writeln!(page, "{:<WORTH$}{:>6}  together", "", arm.worth());
}

fn page(board: &Amoba, moves: &[String], cell: Option<Cell>) -> Value {
    let (width, height) = board.size();
    let mut page = json!({ "game": Amoba::ABOUT.id, "moves": moves, "width": width, "height": height });
    match cell {
        None => {
            let empty = Cell::all(width, height).filter(|&square| board.is_empty(square));
            let values = empty.map(|square| (square.to_string(), json!(board.square_value(square))));
            page["values"] = values.collect::<serde_json::Map<_, _>>().into();
            page["value"] = json!(board.value());
        }
        Some(cell) => {
            page["cell"] = json!(cell);
            page["value"] = json!(board.square_value(cell));
            for (seat, mark) in PLAYERS {
                let arms: Vec<Value> = board.star(seat, cell).iter().map(arm_page).collect();
                page[mark.to_string()] = json!({ "value": board.value_for(seat, cell), "arms": arms });
            }
        }
    }
    page
}

fn arm_page(arm: &StarArm) -> Value {
    let windows = arm.windows.iter();
    let windows =
        windows.map(|window| json!({ "own": window.own, "foreign": window.foreign, "worth": window.worth }));
    json!({
        "name": arm.name,
        "squares": arm.squares,
        "worth": arm.worth(),
        "windows": windows.collect::<Vec<_>>(),
    })
}
