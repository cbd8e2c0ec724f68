//! `parlour`: a self-play laboratory for parlour games with chance and hidden information.

pub mod cards;
pub mod chance;
pub mod eleusis;
pub mod game;
pub mod leopard;
