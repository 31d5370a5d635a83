mod cut;
mod never_grow;
mod order;
mod stored;
mod strings;
