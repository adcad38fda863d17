# Sourced by the other scripts: makes .venv from a lock file, once, and sets $bin to the folder of its programs.
# Needs bash 3.2 and Python 3.11 or later; uses uv where it is installed, venv and pip otherwise.

root="$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)"
venv="${HERALD_VENV:-$root/.venv}"
bin="$venv/bin"

# Compiled bytecode is kept, whatever the calling shell sets, but not among the sources. Otherwise each of the hundreds
# of processes that tests start would compile everything that it imports, which takes longer than its work.
export PYTHONDONTWRITEBYTECODE="" PYTHONPYCACHEPREFIX="$venv/compiled"

say() { printf 'herald: %s\n' "$*" >&2; }

stop() {
  say "$@"
  exit 1
}

# A distribution builds its Python with profile guidance. A Python that was compiled on the machine often lacks it, and
# Herald's server then takes an eighth longer. (On macOS /usr/bin/python3 may be a stub that opens a window.)
distribution_python() {
  local python="${HERALD_DISTRIBUTION_PYTHON:-}"
  if [[ -z "$python" && "$OSTYPE" == linux* ]]; then python=/usr/bin/python3; fi
  if [ -n "$python" ] && "$python" -c 'import ensurepip' 2>/dev/null; then echo "$python"; fi
}

find_python() {
  local candidate
  for candidate in "${PYTHON:-}" "$(distribution_python)" python3 python3.14 python3.13 python3.12 python3.11; do
    [ -n "$candidate" ] || continue
    if "$candidate" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
      command -v "$candidate"
      return
    fi
  done
  stop "Python 3.11 or later is needed and was not found. Debian: apt install python3. macOS: install it from python.org or Homebrew, or install uv."
}

make_with_uv() {
  say "making $venv with uv"
  uv venv --quiet --allow-existing --python "${PYTHON:->=3.11}" "$venv"
  uv pip install --quiet --python "$bin/python" --require-hashes --requirements "$1"
  uv pip install --quiet --python "$bin/python" --no-deps --no-build-isolation --editable "$root" --editable "$root/clients/python"
}

make_with_pip() {
  local python pip
  python="$(find_python)"
  say "making $venv with $python; this takes a minute"
  if "$python" -c 'import ensurepip' 2>/dev/null; then
    "$python" -m venv "$venv"
    pip=("$bin/python" -m pip)
  elif "$python" -m pip --version >/dev/null 2>&1; then
    "$python" -m venv --without-pip "$venv" # Debian ships venv without ensurepip; its own pip can fill the environment
    pip=("$python" -m pip --python "$bin/python")
  else
    stop "$python cannot make environments. Debian: apt install python3-venv. Or install uv."
  fi
  "${pip[@]}" install --quiet --disable-pip-version-check --require-hashes --requirement "$1"
  "$bin/python" -m pip install --quiet --disable-pip-version-check --no-deps --no-build-isolation --editable "$root" --editable "$root/clients/python"
}

stamp_of() {
  { printf '%s\n' "$root"; cat "$1" "$root/pyproject.toml"; } | cksum
}

# make_web_checks: installs the tools that check the web client's source; fails without npm or without its registry.
make_web_checks() {
  local folder="$root/tests/web/checks" stamp
  command -v npm >/dev/null || return 1
  stamp="$(cksum <"$folder/package-lock.json")"
  [ "$(cat "$folder/node_modules/made-from" 2>/dev/null)" = "$stamp" ] && return
  say "installing the checks of the web client with npm"
  npm ci --prefix "$folder" --silent --no-audit --no-fund --ignore-scripts >&2 || return 1
  printf '%s\n' "$stamp" >"$folder/node_modules/made-from"
}

# make_environment LOCK...: does nothing if .venv was made from one of the present locks; else makes it from the first.
make_environment() {
  local lock
  for lock in "$@"; do
    [ -x "$bin/python" ] && [ "$(cat "$venv/made-from" 2>/dev/null)" = "$(stamp_of "$lock")" ] && return
  done
  rm -f "$venv/made-from"
  if command -v uv >/dev/null 2>&1; then make_with_uv "$1"; else make_with_pip "$1"; fi
  stamp_of "$1" >"$venv/made-from"
}
