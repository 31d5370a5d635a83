mod cut;
mod never_grow;
mod stored;
mod strings;
