//! A model on loopback that says what it is told to, in the events of the Responses API.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Value, json};

/// Answers each request with the item that its script makes of it, and keeps the requests.
#[derive(Debug)]
pub(crate) struct Model {
    pub(crate) port: u16,
    requests: Arc<Mutex<Vec<Value>>>,
}

impl Model {
    /// A model with this script. Where that has nothing to say, the model says that it is done.
    pub(crate) fn start(mut script: impl Script + 'static) -> Result<Self, String> {
        let listener = TcpListener::bind(("127.0.0.1", 0)).map_err(|error| error.to_string())?;
        let port = listener
            .local_addr()
            .map_err(|error| error.to_string())?
            .port();
        let requests = Arc::<Mutex<Vec<Value>>>::default();
        let kept = Arc::clone(&requests);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                // A client that hangs up is the client's affair.
                let _ = answer(stream, &mut script, &kept);
            }
        });
        Ok(Self { port, requests })
    }

    /// The requests for an answer, in order.
    pub(crate) fn requests(&self) -> Vec<Value> {
        let requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        requests.clone()
    }
}

/// What is said to a request.
pub(crate) trait Script: FnMut(&Value) -> Option<Value> + Send {}

impl<F: FnMut(&Value) -> Option<Value> + Send> Script for F {}

/// Answers one request and closes the connection.
fn answer(
    stream: TcpStream,
    script: &mut impl Script,
    kept: &Mutex<Vec<Value>>,
) -> std::io::Result<()> {
    let mut reader = BufReader::new(stream);
    let (mut first, mut length) = (String::new(), 0);
    reader.read_line(&mut first)?;
    loop {
        let mut line = String::new();
        reader.read_line(&mut line)?;
        match line.trim().split_once(':') {
            None => break,
            Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                length = value.trim().parse().unwrap_or(0);
            }
            Some(_) => {}
        }
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    let mut stream = reader.into_inner();
    if !first.starts_with("POST ") || !first.contains("/responses") {
        return stream.write_all(NOT_FOUND);
    }
    let request = serde_json::from_slice(&body).unwrap_or_default();
    let item = script(&request).unwrap_or_else(done);
    let mut requests = kept.lock().unwrap_or_else(PoisonError::into_inner);
    requests.push(request);
    drop(requests);
    stream.write_all(HEAD)?;
    let usage = json!({"input_tokens": 1, "output_tokens": 1, "total_tokens": 2});
    for event in [
        json!({"type": "response.created", "response": {"id": "r"}}),
        json!({"type": "response.output_item.done", "output_index": 0, "item": item}),
        json!({"type": "response.completed", "response": {"id": "r", "usage": usage}}),
    ] {
        let name = event["type"].as_str().unwrap_or_default();
        stream.write_all(format!("event: {name}\ndata: {event}\n\n").as_bytes())?;
    }
    Ok(())
}

fn done() -> Value {
    let text = json!({"type": "output_text", "text": "Done.", "annotations": []});
    json!({"type": "message", "id": "m", "role": "assistant", "content": [text]})
}

const HEAD: &[u8] =
    b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\nconnection: close\r\n\r\n";
const NOT_FOUND: &[u8] =
    b"HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\nconnection: close\r\n\r\n";
