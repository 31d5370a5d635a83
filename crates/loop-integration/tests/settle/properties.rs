//! Settling an observation again changes nothing (SPEC 2.4).

use artifacts_core::Rendering;
use loop_integration::{Operation, Settler, ToolResult};
use proptest::prelude::*;

use crate::support::shape;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn an_observation_settled_again_is_the_same(
        pieces in prop::collection::vec(r"(?s).{0,8}", 0..200),
        repeat in 1_usize..20,
        limit in 1_u64..900,
        rendering in prop::sample::select(vec![
            Rendering::Excerpt, Rendering::Pointer, Rendering::HeadNote, Rendering::Header,
        ]),
        ids in ("[a-z]{1,8}", ".{0,80}"),
    ) {
        let settler = Settler::new(shape(limit).with_rendering(rendering));
        let text = pieces.concat().repeat(repeat);
        let once = settler.settle(&Operation::new(ids.0), ToolResult::success(text.as_str()));
        prop_assert!(once.observation().len() <= text.len());
        let twice = settler.settle(&Operation::new(ids.1), ToolResult::success(once.observation()));
        prop_assert_eq!(twice.observation(), once.observation());
    }

    #[test]
    fn framing_is_never_cut(before in ".{0,200}", after in ".{0,200}", size in 0_usize..5_000) {
        let result = ToolResult::success("b".repeat(size)).in_background(&*before, &*after);
        let settled = Settler::new(shape(10)).settle(&Operation::new("op"), result);
        prop_assert!(settled.observation().starts_with(&before));
        prop_assert!(settled.observation().ends_with(&after));
    }
}
