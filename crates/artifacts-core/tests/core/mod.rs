mod cut;
mod never_grow;
mod order;
mod reference;
mod segmentation;
mod stored;
mod streaming;
mod strings;
