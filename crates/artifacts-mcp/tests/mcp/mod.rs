mod bench;
#[cfg(unix)]
mod ends;
mod passing;
#[cfg(unix)]
mod process_bench;
#[cfg(unix)]
mod processes;
mod resources;
mod results;
mod structured;
mod tasks;
mod tools;
