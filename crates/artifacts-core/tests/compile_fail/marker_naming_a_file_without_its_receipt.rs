use artifacts_core::{ArtifactName, Marker, Measured};

fn main() {
    let name: ArtifactName = "op-1.txt".parse().unwrap();
    let _ = Marker::stored(&name, &Measured::of(b"full"), 1);
}
