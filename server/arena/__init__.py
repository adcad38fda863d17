"""Contests: bots, our own and programs by others, play each other many times and are rated.

Its modules in the order in which to read them:

    errors     why a player loses a match out of turn
    launch     a program, begun with less than its user may do
    program    lines of JSON to a program and back, bounded in size and time
    sockets    the same with bots that come by websocket
    hosted     a match at a small server, for bots that speak its protocol
    players    who takes part, and how each of them chooses
    tables     what carries choices out, with a record or without
    bout       one match
    schedule   which matches a contest has
    contest    a contest played on all cores, and gone on with
    rating     who plays how well, and how sure that is
"""
