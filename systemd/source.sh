# What a clone is. Read by install.sh, and by make_release.py.
# shellcheck shell=sh

# What of a clone becomes a program, and its installer.
# shellcheck disable=SC2034  # who reads this uses it
PARTS="companion assets hardware docs systemd pyproject.toml hatch_build.py README.md CHANGELOG.md LICENSE"

# Prints version, commit and date, in seconds, of a clone: describe CLONE
# A clone as it was committed is named by its commit, any other by what is in it: two that differ have two names.
describe() (
    cd "$1" || exit
    number=$(sed -n 's/^version = "\(.*\)"/\1/p' pyproject.toml | head -n 1)
    # It may be another user's than root's.
    ask() { git -c safe.directory='*' "$@" 2>/dev/null; }
    # shellcheck disable=SC2086  # a list of words
    if [ "$(ask rev-parse --show-toplevel)" = "$(pwd -P)" ] && commit=$(ask rev-parse --verify HEAD) &&
        changed=$(ask status --porcelain -- $PARTS) && [ -z "$changed" ]; then
        echo "$number+g$(echo "$commit" | cut -c 1-10) $commit $(ask log -1 --format=%ct)"
    else
        list() { find $PARTS -type f ! -name '*.pyc' ! -name '*.mo' "$@"; }
        content=$(list -print0 | LC_ALL=C sort -z | xargs -0 sha256sum | sha256sum | cut -c 1-10)
        echo "$number+s$content unknown $(list -printf '%T@\n' | sort -n | tail -n 1 | cut -d . -f 1)"
    fi
)
