use crate::formulas::Random;
use lurcher_ir::ltl::{AtomId, Formula};
use lurcher_ltl::{Limits, negate, translate};
fn atom(i: usize) -> Formula {
    Formula::Atom(AtomId(i as u32))
}
fn b(f: Formula) -> Box<Formula> {
    Box::new(f)
}
fn show(name: &str, f: &Formula) {
    for (n, f) in [(name.to_string(), f.clone()), (format!("not {name}"), negate(f))] {
        let t = std::time::Instant::now();
        match translate(&f, &Limits::default()) {
            Ok(a) => println!(
                "{n}: {} states {} edges {:?}",
                a.states.len(),
                a.states.iter().map(|s| s.edges.len()).sum::<usize>(),
                t.elapsed()
            ),
            Err(e) => println!("{n}: {e} {:?}", t.elapsed()),
        }
    }
}
#[test]
#[ignore]
fn explore() {
    use Formula::*;
    for n in [5, 8, 10, 12] {
        show(&format!("right until {n}"), &(0..n).rev().fold(atom(n), |f, i| Until(b(atom(i)), b(f))));
        show(&format!("left until {n}"), &(1..=n).fold(atom(0), |f, i| Until(b(f), b(atom(i)))));
    }
    show("right until 200", &(0..200).rev().fold(atom(200), |f, i| Until(b(atom(i)), b(f))));
    show("right until 2000 two atoms", &(0..2000).rev().fold(atom(1), |f, i| Until(b(atom(i % 2)), b(f))));
    show("left until 2000 two atoms", &(0..2000).rev().fold(atom(1), |f, i| Until(b(f), b(atom(i % 2)))));
    show(
        "until/release 2000",
        &(0..2000)
            .rev()
            .fold(atom(1), |f, i| if i % 2 == 0 { Until(b(atom(i % 3)), b(f)) } else { Release(b(atom(i % 3)), b(f)) }),
    );
    show("not 2000", &(0..2001).fold(atom(1), |f, _| Not(b(f))));
    show("next 2000", &(0..2000).fold(atom(1), |f, _| Next(b(f))));
    show(
        "always eventually 2000",
        &(0..2000).fold(atom(1), |f, i| if i % 2 == 0 { Always(b(f)) } else { Eventually(b(f)) }),
    );
    show("and 2000", &(0..2000).fold(atom(0), |f, i| And(b(f), b(atom(i)))));
    show("or 2000", &(0..2000).fold(atom(0), |f, i| Or(b(f), b(atom(i)))));
    show("implies 2000", &(0..2000).fold(atom(0), |f, i| Implies(b(f), b(atom(i)))));
    show("iff 2000 two atoms", &(0..2000).fold(atom(0), |f, i| Iff(b(f), b(atom(i % 2)))));
    show("iff 10", &(0..10).fold(atom(0), |f, i| Iff(b(f), b(atom(i + 1)))));
    show("iff 2000", &(0..2000).fold(atom(0), |f, i| Iff(b(f), b(atom(i)))));
    show("iff X 2000", &(0..2000).fold(atom(0), |f, i| Iff(b(Next(b(f))), b(atom(i % 2)))));
    show("G iff U 2000", &(0..2000).fold(atom(0), |f, i| Iff(b(Always(b(f))), b(atom(i % 2)))));
    let gf = |f| Always(b(Eventually(b(f))));
    for n in [3, 5, 8, 12, 16, 30] {
        let fair = (0..n).fold(True, |f, i| And(b(f), b(gf(atom(i)))));
        show(&format!("fair {n}"), &fair);
        show(&format!("fair {n} -> GF"), &Implies(b(fair.clone()), b(gf(atom(40)))));
        show(
            &format!("fair {n} -> G(p -> Fq)"),
            &Implies(b(fair.clone()), b(Always(b(Implies(b(atom(40)), b(Eventually(b(atom(41))))))))),
        );
        let weak =
            (0..n).fold(True, |f, i| And(b(f), b(Implies(b(Eventually(b(Always(b(atom(i)))))), b(gf(atom(i + 50)))))));
        show(
            &format!("weak fair {n} -> G(p -> Fq)"),
            &Implies(b(weak.clone()), b(Always(b(Implies(b(atom(40)), b(Eventually(b(atom(41))))))))),
        );
        let strong = (0..n).fold(True, |f, i| And(b(f), b(Implies(b(gf(atom(i))), b(gf(atom(i + 50)))))));
        show(
            &format!("strong fair {n} -> G(p -> Fq)"),
            &Implies(b(strong.clone()), b(Always(b(Implies(b(atom(40)), b(Eventually(b(atom(41))))))))),
        );
        let response =
            (0..n).fold(True, |f, i| And(b(f), b(Always(b(Implies(b(atom(i)), b(Eventually(b(atom(i + 50))))))))));
        show(&format!("responses {n}"), &response);
        let fs = (0..n).fold(True, |f, i| And(b(f), b(Eventually(b(atom(i))))));
        show(&format!("eventualities {n}"), &fs);
        let us = (0..n).fold(True, |f, i| And(b(f), b(Until(b(atom(i)), b(atom(i + 1))))));
        show(&format!("untils {n}"), &us);
    }
    let mut r = Random::new(3);
    for size in [30, 50, 100, 200] {
        for k in 0..8 {
            let f = r.formula(size, 4);
            show(&format!("random {size} {k}"), &f);
        }
    }
}

#[test]
#[ignore]
fn slow_a() {
    use Formula::*;
    show("iff X 2000", &(0..2000).fold(atom(0), |f, i| Iff(b(Next(b(f))), b(atom(i % 2)))));
}
#[test]
#[ignore]
fn slow_b() {
    use Formula::*;
    show("or 2000", &(0..2000).fold(atom(0), |f, i| Or(b(f), b(atom(i)))));
}
#[test]
#[ignore]
fn slow_c() {
    use Formula::*;
    show("next 2000", &(0..2000).fold(atom(1), |f, _| Next(b(f))));
}

#[test]
#[ignore]
fn slow_d() {
    use Formula::*;
    for m in [200] {
        let n = 10;
        let f = (1..=n).fold(atom(0), |f, i| Until(b(f), b(atom(i))));
        let t = std::time::Instant::now();
        let a = translate(&f, &Limits::default().with_steps(m * 1_000_000).with_edges(2_000_000));
        println!(
            "{:?} {:?}",
            a.map(|a| (a.states.len(), a.states.iter().map(|s| s.edges.len()).sum::<usize>())),
            t.elapsed()
        );
    }
}
