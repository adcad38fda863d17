#!/bin/sh
# Copies the database into a folder, tries the copy, and deletes those that are older than KEEP_DAYS: once a day without
# end, or once with --once, as for cron. Where one step fails nothing older is deleted. OFFSITE is a command that is run
# after it, with the folder as $1.
#   backup.sh FOLDER [--once]
set -eu
umask 077
folder=$1
keep=${KEEP_DAYS:-14}

copy() {
  new="$folder/herald-$(date -u +%Y%m%dT%H%M%SZ).db"
  herald backup --to "$new" && herald restore "$new" --drill && forget &&
    if [ -n "${OFFSITE:-}" ]; then sh -c "$OFFSITE" sh "$folder"; fi
}

forget() {
  old=$(find "$folder" -maxdepth 1 -type f -name 'herald-*.db' -mtime "+$keep") &&
    printf '%s\n' "$old" | while IFS= read -r each; do
      if [ -n "$each" ]; then rm -rf "$each" "$each.keys"; fi
    done
}

if [ "${2:-}" = --once ]; then
  copy
  exit
fi
while :; do
  if copy; then
    sleep 86400
  else
    echo "backup: it failed, and is tried again in an hour; the older copies are left alone" >&2
    sleep 3600
  fi
done
