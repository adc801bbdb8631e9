//! Every view of every game is what its schema says.

#![allow(clippy::unwrap_used, reason = "a test may fail loudly")]

mod cases;

use cases::{everyone, walk};
use jsonschema::Validator;
use rules::boards::Cell;
use rules::{Eyes, GAMES, Seed, Table, ViewField, ViewSchema};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// What a game with some parameters says of its views.
struct Described {
    schema: ViewSchema,
    validator: Validator,
}

impl Described {
    fn of(table: &dyn Table) -> Described {
        let schema = table.view_schema();
        let json = schema.json();
        assert!(jsonschema::meta::is_valid(&json), "{json:#}");
        Described { validator: jsonschema::validator_for(&json).unwrap(), schema }
    }
}

#[test]
fn every_view_fits_the_schema_and_nothing_else_does() {
    let mut described = BTreeMap::new();
    // The fields that all views of a game have, and those that some have.
    let mut seen: BTreeMap<&str, [BTreeSet<String>; 2]> = BTreeMap::new();
    walk(3, |game, table, name| {
        let params = (game.about.id, table.params_json().to_owned());
        let Described { schema, validator } = described.entry(params).or_insert_with(|| Described::of(table));
        for eyes in everyone(table) {
            let view = table.view(eyes).value();
            if let Err(error) = validator.validate(&view) {
                panic!("{name} {eyes:?}: {error} at {} in {view}", error.instance_path());
            }
            let fields: BTreeSet<String> = view.as_object().unwrap().keys().cloned().collect();
            let [all, some] = seen.entry(game.about.id).or_insert_with(|| [fields.clone(), BTreeSet::new()]);
            all.retain(|field| fields.contains(field));
            some.extend(fields);
            let wrong = if table.plies() % 16 == 3 { spoiled(&view, schema) } else { Vec::new() };
            for (mistake, wrong) in wrong {
                assert!(!validator.is_valid(&wrong), "{name}: a view with {mistake}: {wrong}");
            }
        }
    });
    for ((id, params), Described { schema, .. }) in &described {
        let [all, some] = &seen[id];
        for ViewField { name, always, .. } in &schema.fields {
            assert!(some.contains(name), "{id} {params}: no view has `{name}`");
            assert_eq!(*always, all.contains(name), "{id} {params}: do all views have `{name}`?");
        }
    }
}

/// Views with one mistake each.
fn spoiled(view: &Value, schema: &ViewSchema) -> Vec<(String, Value)> {
    let mut wrong = vec![("an unknown field".to_owned(), with(view, "unknown", json!(1)))];
    for field in &schema.fields {
        let Some(value) = view.get(&field.name) else { continue };
        let name = &field.name;
        let other = if value.is_boolean() { json!("yes") } else { json!(true) };
        wrong.push((format!("another type of `{name}`"), with(view, name, other)));
        if field.always {
            let mut without = view.clone();
            without.as_object_mut().unwrap().remove(name);
            wrong.push((format!("no `{name}`"), without));
        }
    }
    if let (Some(rows), Some(_)) = (view["board"].as_array(), &schema.place) {
        wrong.push((
            "a row too many".to_owned(),
            with(view, "board", json!([&rows[..], &rows[..1]].concat())),
        ));
        let rows: Vec<String> =
            rows.iter().map(|row| row.as_str().unwrap().replacen(['.', 'R'], "!", 1)).collect();
        if rows.concat().contains('!') {
            wrong.push(("an unknown piece".to_owned(), with(view, "board", json!(rows))));
        }
    }
    wrong
}

fn with(view: &Value, name: &str, value: Value) -> Value {
    let mut view = view.clone();
    view[name] = value;
    view
}

#[test]
fn every_field_has_a_meaning() {
    for game in GAMES {
        let schema = game.start(&Value::Null, Seed::from_number(1)).unwrap().view_schema();
        for field in &schema.fields {
            let meaning = &field.meaning;
            assert!(meaning.len() > 8 && meaning.ends_with(['.', '?']), "{}: {}", game.about.id, field.name);
            assert_eq!(meaning.matches('`').count() % 2, 0, "{}: {meaning}", game.about.id);
        }
        let mut objects = 0;
        each_object(&schema.json(), &mut |name, property| {
            objects += 1;
            let meaning = property["description"].as_str().unwrap_or("");
            assert!(meaning.ends_with(['.', '?']), "{}: {name} has no meaning", game.about.id);
        });
        assert!(objects >= schema.fields.len(), "{}", game.about.id);
    }
}

/// Every property of the objects in a schema, at any depth. The letters of the suits need no
/// meaning.
fn each_object(schema: &Value, look: &mut impl FnMut(&str, &Value)) {
    match schema {
        Value::Object(parts) => {
            if let Some(Value::Object(properties)) = parts.get("properties") {
                let named =
                    properties.iter().filter(|(name, _)| !["C", "D", "H", "S"].contains(&name.as_str()));
                named.for_each(|(name, property)| look(name, property));
            }
            parts.values().for_each(|part| each_object(part, look));
        }
        Value::Array(parts) => parts.iter().for_each(|part| each_object(part, look)),
        _ => {}
    }
}

#[test]
fn a_cell_is_where_the_line_says() {
    let mut boards = BTreeSet::new();
    walk(2, |game, table, name| {
        let Some(line) = table.view_schema().place else { return };
        let view = table.view(Eyes::Spectator).value();
        let rows: Vec<&str> = view["board"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        // The line names a cell of the top row, so that the rows are counted down from there.
        let (example, letter) = read_place(&line);
        let top = usize::from(example.row);
        assert_eq!((top + 1, usize::from(example.col) + 1), (rows.len(), letter), "{name}: {line}");
        for site in table.picture(Eyes::Spectator).sites {
            let Ok(cell) = site.name.parse::<Cell>() else { continue };
            let listed = rows[top - usize::from(cell.row)].as_bytes()[usize::from(cell.col)] as char;
            // What is no cell is blank in one of the two.
            let drawn = if site.piece.glyph == ' ' && listed == '#' { '#' } else { site.piece.glyph };
            assert_eq!(listed, drawn, "{name}: {cell} of {rows:?}");
        }
        boards.insert(game.about.id);
    });
    assert!(boards.len() > 30, "{boards:?}");
}

/// The cell and the letter of a line that ends with "`b3` is letter 2 of the first row."
fn read_place(line: &str) -> (Cell, usize) {
    let example = line.split(": ").nth(1).and_then(|example| example.strip_suffix(" of the first row."));
    let (cell, letter) = example.and_then(|example| example.split_once(" is letter ")).unwrap();
    (cell.trim_matches('`').parse().unwrap(), letter.parse().unwrap())
}
