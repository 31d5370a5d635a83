//! I1, P14: one string in four places.

mod misuse;

use artifacts_core::{ContentDigest, SettledDigest};
use loop_integration::{Delivery, Event, Message, ToolResult, Transcript};

use crate::support::{Run, huge, operation, read};

#[test]
fn conversation_transcript_event_and_envelope_hold_one_allocation() {
    let run = Run::new();
    let session = run.session();
    let mut events = session.subscribe();
    let settled = session
        .settle(&operation(1), ToolResult::success(huge()))
        .unwrap();

    let transcript = session.transcript();
    let in_conversation = transcript.messages()[0].observation().unwrap();
    assert!(matches!(
        events.try_next(),
        Some(Delivery::Event(Event::Dispatched(_)))
    ));
    let Some(Delivery::Event(Event::Settled {
        result, envelope, ..
    })) = events.try_next()
    else {
        panic!("no event");
    };
    for place in [in_conversation, &result] {
        assert!(std::ptr::eq(place.as_str(), settled.observation()));
    }
    assert_eq!(
        envelope.result_digest(),
        Some(&SettledDigest::of(settled.observation().as_bytes()))
    );

    let on_disk = Transcript::load(&run.transcript).unwrap();
    assert_eq!(on_disk.messages()[0].text(), Some(settled.observation()));
    assert_eq!(
        on_disk.operation(operation(1).op_id()).unwrap().settled(),
        Some(&*envelope)
    );
}

#[test]
fn the_middle_of_a_result_is_in_its_artifact_and_nowhere_else() {
    let run = Run::new();
    let session = run.session();
    let settled = session
        .settle(&operation(1), ToolResult::success(huge()))
        .unwrap();

    let artifact = settled.artifact().unwrap();
    let path = run
        .folder
        .path()
        .join("run.artifacts")
        .join(artifact.name().as_str());
    assert_eq!(read(&path), huge());
    assert_eq!(*artifact.digest(), ContentDigest::of(huge().as_bytes()));
    assert!(
        settled
            .observation()
            .contains(&artifact.digest().to_string())
    );
    assert!(!read(&run.transcript).contains("MIDDLE-TOKEN"));
    assert!(!format!("{settled:?}").contains("MIDDLE-TOKEN"));
}

#[test]
fn an_observation_gets_into_the_conversation_by_settling_only() {
    let run = Run::new();
    let session = run.session();
    let settled = session
        .settle(&operation(1), ToolResult::success("ok"))
        .unwrap();
    assert!(session.push(settled.message()).is_err());
    assert!(Message::new("tool", "mine".into()).is_err());
    assert_eq!(session.transcript().messages().len(), 1);
}
