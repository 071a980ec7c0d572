//! Hand-made paths. `P` has locations 1 to 4 in a row; a step is (rank, previous location).

use lurcher_ir::{Action, ActionId, ActionKind, Branch, Location, LocationId, Model, ProcessRole, ProcessType};
use lurcher_search::FoundKind;
use lurcher_syntax::Span;

use super::*;

fn model() -> Model {
    let action =
        Action { kind: ActionKind::Skip, origin: 0, home: LocationId(1), text: "skip".into(), span: Span::default() };
    let branch = |to| Branch { action: ActionId(0), target: LocationId(to), atomic: false, escape: 0 };
    let mut locations = vec![Location::default(); 6];
    for at in 1..5u16 {
        locations[at as usize].branches.push(branch(at + 1));
    }
    let process = ProcessType {
        name: "P".into(),
        role: ProcessRole::System,
        locals: Vec::new(),
        params: Vec::new(),
        frame_size: 0,
        init: Vec::new(),
        locations,
        actions: vec![action],
        initial: LocationId(1),
        provided: None,
        deterministic: false,
        span: Span::default(),
    };
    Model { process_types: vec![process], ..Model::default() }
}

fn path(processes: u16, moves: &[(u16, u16)]) -> GoalPath {
    let mut at = vec![1; processes.into()];
    let mut steps = Vec::new();
    for (done, &(rank, previous)) in moves.iter().enumerate() {
        let locations = at.iter().enumerate().map(|(r, &l)| (ProcessTypeId(0), r as u16, LocationId(l))).collect();
        steps.push(PathStep {
            process_type: ProcessTypeId(0),
            pid: rank,
            rank,
            previous: LocationId(previous),
            next: LocationId(previous + 1),
            branch: 0,
            values: Vec::new(),
            locations,
            remaining: (moves.len() - done) as u32,
        });
        at[usize::from(rank)] = previous + 1;
    }
    GoalPath { steps, variables: vec![Vec::new()], population: vec![processes], kind: FoundKind::Deadlock }
}

fn rows(paths: &[GoalPath], of: PathOf, style: Style) -> Vec<String> {
    let place = |l: Option<LocationId>| l.map_or(0, |l| l.0);
    let show = |row: Row| {
        let conditions: Vec<String> = row.conditions.iter().map(ToString::to_string).collect();
        let (from, to) = (place(row.previous), place(row.next));
        format!("{} {from}-{to} {} {}", row.role, row.distance, conditions.join(" ")).trim().to_owned()
    };
    generalise(&model(), paths, of, style).into_iter().map(show).collect()
}

#[test]
fn a_step_of_all_processes_in_both_sizes_has_role_any() {
    let paths = [path(2, &[(0, 1), (1, 1)]), path(3, &[(0, 1), (1, 1), (2, 1)])];
    assert_eq!(rows(&paths, PathOf::Smaller, Style::Roles), ["* 1-2 1"]);
}

#[test]
fn a_fixed_process_is_ranked_from_the_end_that_fits_both_sizes() {
    let paths = [path(2, &[(1, 1), (0, 1), (0, 2)]), path(3, &[(2, 1), (0, 1), (0, 2)])];
    let expected = ["==last 1-2 3 P[0]@1", "==0 1-2 2 P[last]@2", "==0 2-3 1 P[last]@2"];
    assert_eq!(rows(&paths, PathOf::Smaller, Style::Roles), expected);
}

#[test]
fn the_rest_of_a_growing_instance_shares_rows() {
    let paths = [path(2, &[(1, 1), (0, 1), (0, 2)]), path(3, &[(2, 1), (1, 1), (0, 1), (0, 2)])];
    assert_eq!(rows(&paths, PathOf::Smaller, Style::Roles), ["!=0 1-2 3", "==0 1-2 2", "==0 2-3 1"]);
}

#[test]
fn the_last_step_does_not_make_another_class() {
    let (same, other) = ([(0, 1), (0, 2), (0, 3), (1, 1), (0, 4)], [(0, 1), (0, 2), (0, 3), (1, 1), (1, 2)]);
    let paths = [path(2, &same), path(3, &other)];
    let named = rows(&paths, PathOf::Smaller, Style::Roles);
    assert!(named.iter().all(|r| r.starts_with("==")), "{named:?}");
}

#[test]
fn a_special_case_is_left_out() {
    let paths = [path(2, &[(0, 4), (1, 4)]), path(3, &[(0, 1), (0, 2), (1, 1), (1, 2)])];
    let rows = rows(&paths, PathOf::Smaller, Style::Roles);
    assert!(rows.iter().all(|r| !r.contains("4-5")), "{rows:?}");
}

#[test]
fn a_path_of_the_model_itself_is_kept_as_it_is() {
    let rows = rows(&[path(2, &[(0, 1), (1, 1)])], PathOf::Model, Style::Roles);
    assert_eq!(rows, ["==0 1-2 2 P[1]@1", "==1 1-2 1 P[0]@2"]);
}

#[test]
fn the_table_of_the_thesis_has_a_row_for_each_step() {
    let rows = rows(&[path(3, &[(0, 1), (2, 1), (0, 2)])], PathOf::Smaller, Style::Plain);
    assert_eq!(rows, ["==0 1-2 3", ">0 1-2 2", "==0 2-3 1"]);
}
