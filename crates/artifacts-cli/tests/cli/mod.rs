mod bin;
mod cap;
mod excerpt;
mod help;
