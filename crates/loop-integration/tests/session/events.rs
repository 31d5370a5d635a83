//! SPEC 5.9: events come in order, a stalled listener holds up nobody.

use loop_integration::{Delivery, Event, ToolResult};

use crate::support::{Run, operation};

#[test]
fn a_stalled_listener_holds_up_nobody_and_is_told_what_it_missed() {
    let run = Run::new();
    let session = run.session().with_event_capacity(16);
    let mut stalled = session.subscribe();
    for n in 0..20 {
        session
            .settle(&operation(n), ToolResult::success(format!("{n}")))
            .unwrap();
    }
    let Some(Delivery::Lagged(lost)) = stalled.try_next() else {
        panic!("not told");
    };
    let mut heard = Vec::new();
    while let Some(Delivery::Event(event)) = stalled.try_next() {
        if let Event::Settled { result, .. } = event {
            heard.push(result.as_str().to_owned());
        }
    }
    assert_eq!(lost + 16, 40);
    assert_eq!(heard, ["12", "13", "14", "15", "16", "17", "18", "19"]);
    drop(session);
    assert!(matches!(stalled.try_next(), Some(Delivery::Closed)));
}
