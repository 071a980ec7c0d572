use super::*;

const TEXT: &str = "\
guide reduced-instance
style roles
model ring.pml
property assertion
reduced N=2 and N=3
length 12
shape Node 9 11 77

# process role | previous | next | conditions | distance
Node ==last  | 4 | 5:2 | x==_pid+1, y!=3, a[_pid]>=_count-1, Node[last-1]@0 | 12  # ring.pml:7 x = 1
Node !=0,last | * | 6  | * | 3
Node >1 | 6 | * | * | 1
";

#[test]
fn a_table_survives_printing_and_reading() {
    let table = from_text(TEXT).expect("a table");
    assert_eq!(table.rows.len(), 3);
    assert_eq!(table.rows[0].conditions.len(), 4);
    assert_eq!(table.rows[0].branch, Some(2));
    assert_eq!(table.rows[1].previous, None);
    assert_eq!(from_text(&to_text(&table, None)).expect("a table"), table);
}

#[test]
fn spaces_and_comments_are_ignored() {
    let table = from_text(TEXT).expect("a table");
    let spaced = TEXT.replace('|', "  |   ").replace('\n', "  # remark\r\n\n");
    assert_eq!(from_text(&spaced).expect("a table"), table);
}

#[test]
fn errors_name_the_line_and_what_is_wrong_with_it() {
    let message = |from: &str, to: &str| from_text(&TEXT.replace(from, to)).expect_err(to).to_string();
    assert_eq!(
        message("guide reduced", "guide local"),
        "line 1: expected `guide reduced-instance`, found `guide local-instance`"
    );
    assert_eq!(message("style roles", "style odd"), "line 2: unknown style `odd`: use `roles` or `plain`");
    assert_eq!(message("length 12", "length x"), "line 6: expected a number of steps, found `x`");
    assert_eq!(message("shape Node 9 11 77", "shape Node 9"), "line 7: a shape is a process type and three numbers");
    assert_eq!(message("model ring", "modal ring"), "line 3: unknown word `modal`");
    assert_eq!(message("| * | 1", "| 1"), "line 12: a row has 5 columns, this one has 4");
    assert_eq!(message("Node >1", "Node"), "line 12: expected a process type and a role");
    assert_eq!(message("Node >1", "Node ~1"), "line 12: `~1` is no role: use `*`, `==1`, `!=0,last`, `>1` or `<last`");
    assert_eq!(message("| 6  |", "| six |"), "line 11: expected a location or `*`, found `six`");
    assert_eq!(message("y!=3", "y"), "line 10: `y` is no condition on a variable: use `x==1`");
    assert_eq!(message("5:2", "5:b"), "line 10: expected the number of a branch, found `b`");
    assert_eq!(
        from_text("").expect_err("nothing").to_string(),
        "line 1: expected `guide reduced-instance`, found nothing"
    );
}

#[test]
fn reading_a_damaged_table_does_not_panic() {
    let bytes = TEXT.as_bytes();
    for at in 0..bytes.len() {
        for with in [&b""[..], b"|", b"#", b"@", b"[", b"-", b"9999999999", b"\n", b"=", "é".as_bytes()] {
            let damaged = [&bytes[..at], with, &bytes[at + 1..]].concat();
            let _ = from_text(&String::from_utf8_lossy(&damaged));
            let _ = from_text(&String::from_utf8_lossy(&damaged[..at]));
        }
    }
}
