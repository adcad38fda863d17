"""Speed, measured beside a raw limit of the same machine in the same run."""
