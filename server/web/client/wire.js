// The messages between server and client. Generated from the server's structs by
// `python -m scripts.wire_types`; a test keeps them alike.
export {};
