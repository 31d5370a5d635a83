use loop_integration::{Event, Message, Sinks};

struct Forgetful;

impl Sinks for Forgetful {
    type Error = ();

    fn conversation(&mut self, _: &Message) -> Result<(), ()> {
        Ok(())
    }

    fn transcript(&mut self, _: &Message) -> Result<(), ()> {
        Ok(())
    }

    fn event(&mut self, _: Event) {}
}

fn main() {}
