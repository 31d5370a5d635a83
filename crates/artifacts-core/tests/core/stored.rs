//! A receipt for tests of what a marker says; it proves nothing.

use artifacts_core::{ArtifactName, DurableReceipt, Measured};

#[derive(Debug)]
pub(crate) struct Stored {
    pub(crate) name: ArtifactName,
    pub(crate) measured: Measured,
}

impl DurableReceipt for Stored {
    fn name(&self) -> &ArtifactName {
        &self.name
    }

    fn measured(&self) -> &Measured {
        &self.measured
    }
}
