mod bench;
mod passing;
#[cfg(unix)]
mod processes;
mod resources;
mod results;
mod tools;
