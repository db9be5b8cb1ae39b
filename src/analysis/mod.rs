//! What holds of a program in every execution; all stages after reading ask here.
//!
//! [`points_to`] says where pointers can point, [`sharing`] which memory two threads can reach, [`lifetime`] which
//! locals somebody may still know after their scope has ended, [`orders`] which orders atomic accesses have,
//! [`addresses`] what the program can tell of where objects lie, [`ids`] what of the ids of threads, [`inputs`] which values from outside stand for all.

pub mod addresses;
pub mod drains;
pub mod ids;
pub mod inputs;
pub mod lifetime;
pub mod orders;
pub mod points_to;
pub mod race;
pub mod sharing;
