"""Contests: bots, our own and programs by others, play each other many times and are rated.

Read its modules in this order:

    errors     why a player loses a match out of turn
    launch     starts a program with less than its user may use
    program    lines of JSON to a program and back, bounded in size and time
    sockets    the same for bots that connect by websocket
    hosted     a match at a small server, for bots that speak its protocol
    players    the entrants, and how each of them chooses
    tables     carry out choices, with or without a record
    bout       one match
    schedule   the matches of a contest
    contest    a contest, played on all cores, and continued later
    rating     how well each entrant plays, and how certain that is
"""
