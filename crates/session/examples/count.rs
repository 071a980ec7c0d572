//! scratch
use lurcher_search::*;
fn main() {
    let path = std::env::args().nth(1).unwrap();
    let l = match lurcher_session::load(path.as_ref(), &Default::default()) {
        Ok(l) => l,
        Err(lurcher_session::LoadError::Rejected(s, d)) => { println!("{}", lurcher_syntax::render(&s, &d, false)); std::process::exit(2) }
        Err(e) => panic!("{e:?}"),
    };
    if std::env::args().nth(2).as_deref() == Some("-d") {
        for p in &l.model().process_types {
            println!("proctype {} initial {}", p.name, p.initial.0);
            for (i, loc) in p.locations.iter().enumerate() {
                for b in &loc.branches { let a = p.action(b.action);
                    println!("\tstate {i} -> {} [id {} esc {}] [{}{}{}{}] => {}", b.target.0, a.origin, b.escape, if b.atomic {"A"} else {"-"}, if loc.accept {"a"} else {"-"}, if loc.end {"e"} else {"-"}, if loc.progress {"p"} else {"-"}, a.text);
                }
            }
        }
        return;
    }
    let i = lurcher_exec::Interpreter::new(l.model(), lurcher_exec::Limits::for_model(l.model()));
    let mut s = System::new(i.clone(), vec![], true);
    let b = Budget { all_errors: true, ..Default::default() };
    let o = dfs(&mut s, &b, &mut ());
    let mut s = System::new(i, vec![], true);
    let o2 = bfs(&mut s, &b, &mut ());
    let k: Vec<_> = o.found.iter().map(|f| format!("{:?} x{}", f.kind, f.count)).collect();
    let len: Vec<_> = o2.found.iter().map(|f| f.path.iter().map(|s| s.length()).sum::<u32>()).collect();
    println!("{} {} {:?} {:?} {:?}", o.stats.stored, o2.stats.stored, o.stop, k, len);
}
