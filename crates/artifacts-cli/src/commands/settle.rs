//! `artifacts settle`: write, record, print the observation.

use std::path::PathBuf;
use std::process::ExitCode;

use artifacts_core::{Measured, Meter, OpId, Unit};
use clap::builder::NonEmptyStringValueParser;
use loop_integration::{Ending, ErrorKind, Message, Operation, Session, Settled, SettledResult};
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::input::Input;
use crate::output;
use crate::session::SessionArg;
use crate::shape::{RenderName, shape};

/// Settle a tool result: store it, record it, print what the model is shown
///
/// A result within the limit is printed whole and stored nowhere but in the transcript. An
/// operation is settled once. Where one was stopped between its message and its settle record, the
/// record is written and the recorded observation printed; the result given is not read.
#[derive(Debug, clap::Args)]
pub(crate) struct Args {
    #[command(flatten)]
    session: SessionArg,
    /// The identity of the operation; must not repeat within a run
    #[arg(long, value_name = "ID", value_parser = NonEmptyStringValueParser::new())]
    op_id: String,
    /// The tool that printed the result
    #[arg(long, value_name = "NAME")]
    tool: Option<String>,
    /// The most characters that are shown [default: 16384 for excerpt and header, 51200 bytes for
    /// pointer, 16000 for head-note]
    #[arg(long, value_name = "N", allow_negative_numbers = true)]
    limit: Option<u64>,
    /// How a result over the limit is shown
    #[arg(long, value_enum, default_value_t)]
    render: RenderName,
    /// The tool failed: its result is an error
    #[arg(long)]
    error: bool,
    /// Print one JSON object instead of the observation
    #[arg(long)]
    json: bool,
    /// The result; - or nothing reads standard input
    file: Option<PathBuf>,
}

/// Runs the command.
pub(crate) fn run(args: Args) -> Result<ExitCode, Failure> {
    let shape = shape(args.limit, Unit::Graphemes, args.render)?;
    let input = Input::open(args.file)?;
    let session = args.session.open(shape)?;
    let mut operation = Operation::new(args.op_id);
    if let Some(tool) = args.tool {
        operation = operation.of_tool(tool);
    }
    let mut stream = match session.stream(&operation) {
        Err(error) if error.kind() == ErrorKind::AlreadyAnswered => {
            return complete(&session, operation.op_id(), args.json);
        }
        stream => stream?,
    };
    let mut meter = args.json.then(Meter::default);
    input.stream(|piece| {
        stream.write(piece);
        if let Some(meter) = &mut meter {
            meter.update(piece);
        }
    })?;
    let settled = stream.finish(match args.error {
        true => Ending::Error,
        false => Ending::Success,
    })?;
    warn_if_lost(&settled);
    match meter {
        Some(meter) => output::write_json(&as_json(&settled, &meter.finish())),
        None => {
            output::write(settled.observation().as_bytes())?;
            Ok(ExitCode::SUCCESS)
        }
    }
}

/// Writes the settle record that an operation with a message lacks (SPEC 5.1), and prints what the
/// message says: nothing is computed again (I2).
fn complete(session: &Session, op_id: &OpId, json: bool) -> Result<ExitCode, Failure> {
    let envelope = session.complete(op_id)?;
    output::diagnose(&format!(
        "operation {:?} had its message: its settle record is written, the result given was not read",
        op_id.as_str()
    ));
    let transcript = session.transcript();
    let observation = transcript.answer(op_id).and_then(Message::observation);
    let text = observation.map_or("", SettledResult::as_str);
    if json {
        let artifact = envelope.artifact().map(|artifact| {
            json!({
                "file": artifact.file().as_str(),
                "digest": artifact.digest().to_string(),
                "bytes": artifact.bytes(),
                "chars": artifact.chars(),
                "elided-chars": artifact.elided_chars(),
            })
        });
        return output::write_json(&json!({
            "observation": text,
            "digest": observation.map(|result| result.digest().to_string()),
            "outcome": envelope.outcome().as_str(),
            "measure": null,
            "artifact": artifact,
        }));
    }
    output::write(text.as_bytes())?;
    Ok(ExitCode::SUCCESS)
}

/// Says why the full result is in no file, where that was not asked for.
pub(crate) fn warn_if_lost(settled: &Settled) {
    if let Some(error) = settled.store_error() {
        output::diagnose(&format!("the full result was not stored: {error}"));
    }
}

fn as_json(settled: &Settled, whole: &Measured) -> Value {
    let artifact = settled.artifact().map(|artifact| {
        json!({
            "file": artifact.name().as_str(),
            "digest": artifact.digest().to_string(),
            "bytes": artifact.measured().measure().bytes(),
            "chars": artifact.measured().measure().graphemes(),
            "elided-chars": settled.elided(),
        })
    });
    json!({
        "observation": settled.observation(),
        "digest": settled.result().digest().to_string(),
        "outcome": settled.outcome().as_str(),
        "measure": output::measure(whole.measure()),
        "artifact": artifact,
    })
}
