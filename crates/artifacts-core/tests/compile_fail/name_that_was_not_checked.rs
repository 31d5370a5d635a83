use artifacts_core::ArtifactName;

fn main() {
    let _ = ArtifactName::from("..");
}
