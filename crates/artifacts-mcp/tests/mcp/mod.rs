mod bench;
mod passing;
#[cfg(unix)]
mod processes;
mod results;
mod tools;
