//! `artifacts scan`: what is in the directory, against what the records name.

use std::process::ExitCode;

use artifacts_fs::{ArtifactRef, Scan};
use serde_json::{Value, json};

use crate::failure::{Exit, Failure};
use crate::output;
use crate::place::PlaceArg;

/// Compare a directory with what names its artifacts, without reading them
///
/// Artifacts are named by the transcript, by `index.jsonl`, and by the call log of the proxy and the
/// hook. Prints each file with what it is: artifact, orphan (named by nothing), leftover (of a
/// writer), foreign. Of what is named it prints what a prune removed, and what is missing, short,
/// altered or misnamed; exit status 1 for these. Nothing is changed.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    place: PlaceArg,
    /// Print one JSON object
    #[arg(long)]
    json: bool,
}

/// Runs the command.
pub(crate) fn run(args: Args) -> Result<ExitCode, Failure> {
    let place = args.place.open()?;
    let index = place.index()?;
    let scan = place.dir().scan(&place.named(&index))?;
    let scan = place.explain(scan, &index);
    let mut findings = names(&scan.intact)
        .into_iter()
        .map(|name| Finding::new("artifact", name))
        .collect::<Vec<_>>();
    findings.extend(Finding::of_records(&scan));
    findings.extend(
        scan.orphans
            .iter()
            .map(|name| Finding::new("orphan", name.to_string())),
    );
    for (kind, files) in [("leftover", &scan.leftovers), ("foreign", &scan.foreign)] {
        let name = |file: &std::ffi::OsString| file.to_string_lossy().into_owned();
        findings.extend(files.iter().map(|file| Finding::new(kind, name(file))));
    }
    if args.json {
        let files = findings.iter().map(Finding::as_json).collect::<Vec<_>>();
        output::write_json(&json!({"files": files, "sound": scan.is_sound()}))?;
    } else {
        let text = findings.iter().map(Finding::as_line).collect::<String>();
        output::write(text.as_bytes())?;
    }
    match scan.is_sound() {
        true => Ok(ExitCode::SUCCESS),
        false => Ok(Exit::Found.into()),
    }
}

/// The names of recorded artifacts.
pub(crate) fn names(artifacts: &[ArtifactRef]) -> Vec<String> {
    artifacts
        .iter()
        .map(|artifact| artifact.name().to_string())
        .collect()
}

/// A file, and what was found about it.
pub(crate) struct Finding {
    kind: &'static str,
    name: String,
    note: Option<String>,
}

impl Finding {
    fn new(kind: &'static str, name: String) -> Self {
        Self {
            kind,
            name,
            note: None,
        }
    }

    /// What is wrong with the artifacts that the records name.
    pub(crate) fn of_records(scan: &Scan) -> Vec<Self> {
        let lists = [
            ("missing", &scan.missing),
            ("short", &scan.short),
            ("altered", &scan.altered),
        ];
        let mut findings = lists
            .into_iter()
            .flat_map(|(kind, list)| {
                names(list)
                    .into_iter()
                    .map(move |name| Self::new(kind, name))
            })
            .collect::<Vec<_>>();
        findings.extend(scan.removed.iter().map(|(artifact, why)| Self {
            note: Some(why.to_string()),
            ..Self::new("removed", artifact.name().to_string())
        }));
        findings.extend(scan.misnamed.iter().map(|(artifact, found)| Self {
            note: Some(format!("its bytes are in {found}")),
            ..Self::new("misnamed", artifact.name().to_string())
        }));
        findings
    }

    /// One line, whatever the name holds.
    pub(crate) fn as_line(&self) -> String {
        let name = self.name.escape_debug();
        match &self.note {
            Some(note) => format!("{}  {name}: {note}\n", self.kind),
            None => format!("{}  {name}\n", self.kind),
        }
    }

    /// The same for a program.
    pub(crate) fn as_json(&self) -> Value {
        match &self.note {
            Some(note) => json!({"state": self.kind, "file": self.name, "note": note}),
            None => json!({"state": self.kind, "file": self.name}),
        }
    }
}
