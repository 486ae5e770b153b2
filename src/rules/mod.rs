//! The rules of Agros.
