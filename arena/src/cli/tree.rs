//! `arena tree`: draws game graphs, game trees and searched trees.

use super::numbers::whole;
use super::{Failure, say, usage};
use crate::console;
use lab::{Diagram, Drawn, Format, Heading, Label, Shape, Side, Study};
use serde_json::Value;
use solver::Memory;

/// Draw the graph, game tree, AND/OR tree or search of a position
#[derive(clap::Args)]
#[command(
    after_help = "Labels say who wins with best play. The winning strategy is bold (in text: a star). A is seat 0, B is \
    seat 1. If --depth ends a drawing before the end of the game, labels come from the exact solver, if the rest is small \
    enough. With --search the drawing is the tree of the search, with the value of each node for A (negamax: for the \
    player to move). Branches that alpha-beta cuts off are grey. A tree drawn by hand is a nested list, with A or MAX to \
    move at the root. Its leaves are numbers, or A, B and = for who has won.\n\n\
    Examples:\n  arena tree grundy --as graph --labels\n  \
    arena tree grundy --as graph --for B\n  arena tree grundy --as and-or --for B --format svg > grundy.svg\n  \
    arena tree tic-tac-toe --position 'a1 b2 c3 a2 c2 c1' --labels\n  \
    arena tree grundy --as graph --moves '7:5+2 5:3+2 3:2+1'\n  \
    arena tree 'nim?heaps=[1,2]' --search alpha-beta\n  \
    arena tree 'nim?heaps=[1,2]' --search minimax --depth 9 --values\n  \
    arena tree '[[7,8],[10,3,12]]' --search alpha-beta --format dot\n  \
    arena tree '[[A,B],[B]]' --labels"
)]
pub struct TreeArgs {
    /// The game: grundy, or with parameters `nim?heaps=[1,2]`; or a drawn tree such as
    /// `[[7,8],[3,12]]` or `[[A,B],[B]]`
    game: String,
    /// Parameters as JSON, or @FILE with JSON
    #[arg(long)]
    params: Option<String>,
    /// Moves that lead to the root, separated by blanks [default: none]
    #[arg(
        long,
        value_name = "MOVES",
        default_value = "",
        hide_default_value = true,
        allow_hyphen_values = true
    )]
    position: String,
    /// What to draw: in a `graph` equal positions are one node, in a `tree` a position occurs once
    /// for every way to it, and an `and-or` tree shows the winning subtrees of one side
    #[arg(long = "as", value_enum, hide_possible_values = true, default_value_t = TreeKind::Tree, conflicts_with = "search")]
    kind: TreeKind,
    /// Mark the winning strategy of this side only. In an AND/OR tree the moves of this side are
    /// OR, the moves of the other side are AND [default there: the side to move at the root]
    #[arg(
        long = "for",
        value_enum,
        value_name = "A|B",
        hide_possible_values = true,
        conflicts_with = "search"
    )]
    side: Option<SideName>,
    /// Label every node with who wins, and mark the winning strategy
    #[arg(long)]
    labels: bool,
    /// Label every node with a value: 1 if A wins, 0 for a draw, -1 if B wins
    #[arg(long)]
    values: bool,
    /// Mark one game instead: its moves from the root, separated by blanks
    #[arg(long, value_name = "MOVES", allow_hyphen_values = true, conflicts_with_all = ["search", "side"])]
    moves: Option<String>,
    /// Moves from the root [default: to the end of the game; 3 for a search]
    #[arg(long, value_parser = whole::<u32, 0, 1_000>)]
    depth: Option<u32>,
    /// How to print: text, svg, dot or json
    #[arg(long, default_value = "text")]
    format: Format,
    /// The same as --format json
    #[arg(long, conflicts_with = "format")]
    json: bool,
    /// Draw the tree of a search instead, with values and cuts
    #[arg(long, value_enum)]
    search: Option<TreeSearch>,
    /// The most nodes to draw
    #[arg(long, value_name = "NODES", default_value_t = 2_000, value_parser = whole::<u32, 1, 1_000_000>)]
    limit: u32,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum TreeKind {
    /// Equal positions are one node
    Graph,
    /// A position occurs once for every way to it
    Tree,
    /// The tree from the view of one side, with its winning subtrees
    AndOr,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum SideName {
    #[value(name = "A", alias = "a")]
    A,
    #[value(name = "B", alias = "b")]
    B,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum TreeSearch {
    Minimax,
    Negamax,
    AlphaBeta,
}

pub fn run(args: &TreeArgs) -> Result<(), Failure> {
    let (diagram, heading) =
        if args.game.trim_start().starts_with('[') { textbook(args)? } else { game(args)? };
    let format = if args.json { Format::Json } else { args.format };
    say(&lab::render(&diagram, &heading, format))
}

fn textbook(args: &TreeArgs) -> Result<(Diagram, Heading), Failure> {
    let tree: Drawn = args.game.parse().map_err(|error| usage(format!("`{}`: {error}", args.game)))?;
    if args.params.is_some() || args.depth.is_some() || !args.position.is_empty() {
        return Err(usage(
            "--params, --position and --depth work only with games, not with a tree drawn by hand",
        ));
    }
    if args.kind == TreeKind::Graph {
        return Err(usage("a tree drawn by hand is not a graph; use --as tree or --as and-or"));
    }
    if let Some(leaf) = tree.stranger().filter(|_| args.asks_who_wins()) {
        return Err(usage(format!(
            "to show who wins, every leaf must be A, B or =, or 1, -1 or 0, not `{leaf}`; for other numbers use --search"
        )));
    }
    let limit = args.limit as usize;
    let mut diagram = match args.search {
        Some(search) => tree.searched(search == TreeSearch::AlphaBeta, limit),
        None => tree.unfolded(limit),
    }
    .map_err(usage)?;
    let drawing = mark(args, &mut diagram);
    if let Some(moves) = &args.moves {
        let moves: Vec<String> = moves.split_whitespace().map(str::to_owned).collect();
        diagram.mark_game(&moves).map_err(|at| {
            usage(format!(
                "--moves: move {}: there is no branch `{}`; branches are counted from 1",
                at + 1,
                moves[at]
            ))
        })?;
    }
    Ok((diagram, Heading { drawing, ..Heading::default() }))
}

fn game(args: &TreeArgs) -> Result<(Diagram, Heading), Failure> {
    let (study, moves) = super::lab_study(&args.game, args.params.as_deref(), &args.position)?;
    if study.is_over() {
        return Err(usage("--position: the game is over after these moves, so there is nothing to draw"));
    }
    let game = Some(title(&study));
    let limit = args.limit as usize;
    if let Some(search) = args.search {
        let depth = args.depth.unwrap_or(3);
        let mut diagram = study.searched(search == TreeSearch::AlphaBeta, depth, limit).map_err(usage)?;
        let estimates = diagram.nodes.iter().filter(|node| node.unexplored && !node.is_cut_off()).count();
        if args.values && estimates > 0 {
            return Err(usage(format!(
                "--values needs the end of every game, but {} at depth {depth} {} not over; use a larger --depth",
                super::counted(estimates as u64, "game"),
                if estimates == 1 { "is" } else { "are" }
            )));
        }
        let drawing = format!("{}, depth {depth}", mark(args, &mut diagram));
        return Ok((diagram, Heading { game, drawing, moves }));
    }
    let shape = if args.kind == TreeKind::Graph { Shape::Graph } else { Shape::Tree };
    let depth = args.depth.map_or(usize::MAX, |depth| depth as usize);
    let mut diagram = study.unfold(shape, depth, limit).map_err(usage)?;
    if args.asks_who_wins() {
        solve_horizon(&mut diagram, &study, &moves);
    }
    let drawing = mark(args, &mut diagram);
    if let Some(marked) = &args.moves {
        let marked = super::play_all(&mut study.clone(), marked)
            .map_err(|error| usage(format!("--moves, {error}")))?;
        diagram.mark_game(&marked).map_err(|at| {
            usage(format!("--moves: move {} is outside of the drawing; use a larger --depth", at + 1))
        })?;
    }
    Ok((diagram, Heading { game, drawing, moves }))
}

impl TreeArgs {
    fn asks_who_wins(&self) -> bool {
        self.labels || self.values || self.side.is_some() || self.kind == TreeKind::AndOr
    }
}

/// Adds labels and marks to a diagram. Returns the name of the drawing.
fn mark(args: &TreeArgs, diagram: &mut Diagram) -> String {
    diagram.notation.numbers |= args.values;
    diagram.notation.for_mover = args.search == Some(TreeSearch::Negamax);
    let what = match (args.search, args.kind) {
        (Some(search), _) => search.name(),
        (_, TreeKind::Graph) => "game graph",
        (_, TreeKind::Tree) if diagram.nodes[0].drawn => "tree",
        (_, TreeKind::Tree) => "game tree",
        (_, TreeKind::AndOr) => "AND/OR tree",
    };
    if args.search.is_some() {
        diagram.mark_line();
    }
    let side = args.side.map(|side| if side == SideName::A { Side::A } else { Side::B });
    let drawing = match (args.kind, side) {
        (TreeKind::AndOr, side) => {
            let side = side.unwrap_or(diagram.nodes[0].to_move);
            diagram.label_and_or(side);
            format!("{what} for {side}")
        }
        (_, Some(side)) => {
            diagram.label(Some(side));
            format!("{what}, strategy of {side}")
        }
        (_, None) => {
            if args.labels || args.values {
                diagram.label(None);
            }
            what.to_owned()
        }
    };
    // A strategy and winning subtrees are shown without labels. A search shows its own values.
    if !(args.labels || args.values && args.search.is_none()) {
        diagram.nodes.iter_mut().for_each(|node| node.label = None);
    }
    drawing
}

/// The memory of the solver for the nodes at the horizon.
const SOLVER_MEMORY: Memory = Memory(256 << 20);
/// The most positions that the solver visits for all nodes at the horizon together.
const SOLVER_POSITIONS: u64 = 300_000;

/// Asks the exact solver who wins at the nodes where the diagram ends before the game does. If one
/// of these nodes is too large, the others are probably too large as well, so the solver stops.
fn solve_horizon(diagram: &mut Diagram, study: &Study, moves: &[String]) {
    let horizon: Vec<usize> = diagram.horizon().collect();
    if horizon.is_empty() {
        return;
    }
    // With several threads the number of visited positions would depend on luck.
    let options = solver::Options {
        memory: SOLVER_MEMORY,
        threads: 1,
        advice: solver::Advice::Never,
        ..solver::Options::default()
    };
    let table = study.table();
    let oracle = solver::oracle(table.about().id, table.params(), options).ok();
    let paths = diagram.paths();
    let (mut solved, mut spent) = (0, 0);
    if let Some(mut oracle) = oracle {
        for &at in &horizon {
            let line = [moves, &paths[at]].concat();
            let mut positions = 0;
            let found = oracle.value(&line, &mut |progress| {
                positions = progress.positions;
                spent + positions < SOLVER_POSITIONS
            });
            spent += positions;
            let Ok(found) = found else { break };
            let to_move = diagram.nodes[at].to_move;
            diagram.nodes[at].known = Some(match found.value {
                solver::Value::Win => Label::Wins(to_move),
                solver::Value::Loss => Label::Wins(to_move.other()),
                solver::Value::Draw => Label::Draw,
            });
            solved += 1;
        }
    }
    if solved < horizon.len() {
        console::tell(&format!(
            "note: at {} of {} nodes at the horizon it is not known who wins, because the game is too large to be solved \
            from there. A larger --depth may help.",
            horizon.len() - solved,
            horizon.len()
        ));
    }
}

impl TreeSearch {
    fn name(self) -> &'static str {
        match self {
            TreeSearch::Minimax => "minimax",
            TreeSearch::Negamax => "negamax",
            TreeSearch::AlphaBeta => "alpha-beta",
        }
    }
}

/// The game with the parameters that differ from its defaults.
fn title(study: &Study) -> String {
    let table = study.table();
    let id = table.about().id;
    let standard = rules::find(id).and_then(|game| game.prepare(&Value::Object(serde_json::Map::new())).ok());
    let standard = standard.map(|setting| setting.params().clone()).unwrap_or_default();
    let given = table.params().as_object().into_iter().flatten();
    let other: Vec<String> = given
        .filter(|(name, value)| standard.get(name.as_str()) != Some(value))
        .map(|(name, value)| format!("{name}={value}"))
        .collect();
    if other.is_empty() { id.to_owned() } else { format!("{id}?{}", other.join("&")) }
}
