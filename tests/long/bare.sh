#!/bin/sh
# The README's two commands in a bare Debian 12 that has git and make and nothing else, on a fresh clone of what is
# committed. The system is made by debootstrap, from the mirror that this machine's apt uses; needs root and the network.
#   BARE_COMMANDS='make test'  these commands, parted by ';' (default: make test; make lab)
#   BARE_SUITE=trixie          another release of Debian's, or one of Ubuntu's (default: bookworm)
#   BARE_ARCHIVE=URI           the archive of that release, where apt's sources name none of its distribution
#   BARE_KEYRING=FILE          the keys of that archive (default: where the distribution's package has them)
#   BARE_PACKAGES=DIR          a folder that is /srv/packages in there
#   BARE_CCACHE=DIR            ccache keeps objects in DIR, for a next call
#   BARE_FOLDER=DIR            the system is made below DIR and stays there (default: a temporary folder)
# $1: the repository.
set -u
repository=$(cd "$1" && pwd)
suite=${BARE_SUITE:-bookworm}

skip() {
    echo "SKIP: $*"
    exit 77
}

[ "$(id -u)" = 0 ] || skip 'only root may change into another root folder'
command -v debootstrap >/dev/null || skip 'no debootstrap; install debootstrap'
unshare --mount --pid --fork true 2>/dev/null || skip 'the system gives no mount namespace (unshare)'

# The distribution's own archives among apt's sources, a line each: URI SUITE COMPONENT. A release that is not among them
# comes from the archive that holds the others.
case $suite in
jammy | noble) distribution=Ubuntu keyring=/usr/share/keyrings/ubuntu-archive-keyring.gpg components='main universe' ;;
*) distribution=Debian keyring=/usr/share/keyrings/debian-archive-keyring.gpg components=main ;;
esac
archives=$(apt-get indextargets --format '$(ORIGIN) $(REPO_URI) $(RELEASE) $(COMPONENT)' 'Created-By: Packages' |
    awk -v distribution="$distribution" '$1 == distribution { print $2, $3, $4 }' | sort -u)
sources=$(echo "$archives" | awk -v suite="$suite" 'index($2, suite) == 1')
mirror=$(echo "$sources" | awk -v suite="$suite" '$2 == suite { print $1; exit }')
[ -n "$mirror" ] || mirror=${BARE_ARCHIVE:-$(echo "$archives" | awk '$2 !~ /-/ { print $1; exit }')}
[ -n "$mirror" ] || skip "apt's sources name no archive of $distribution's; BARE_ARCHIVE may"
[ -n "$sources" ] || sources="$mirror $suite $components"
keyring=${BARE_KEYRING:-$keyring}
[ -e "$keyring" ] || skip "no $keyring (Debian 13: ubuntu-keyring), by which the archive's signature is checked"
# Every release of a distribution is made by one script of debootstrap's; an older debootstrap has no name for a newer one.
script=/usr/share/debootstrap/scripts/$suite
[ -e "$script" ] || case $distribution in Debian) script=${script%/*}/sid ;; *) script=${script%/*}/gutsy ;; esac

folder=${BARE_FOLDER:-$(mktemp -d)}
root=$folder/root
mkdir -p "$root" || exit 1
# Mounts are made in a namespace of their own and end with it: nothing but files is left to remove.
[ -n "${BARE_FOLDER:-}" ] || trap 'rm -rf "$folder"' EXIT

# ---- the system ----------------------------------------------------------------------------------------------------

if [ ! -e "$root/usr/bin/make" ]; then
    debootstrap --variant=minbase --keyring="$keyring" --include="git,make,ca-certificates${BARE_CCACHE:+,ccache}" \
        --components="$(echo "$components" | tr ' ' ,)" \
        "$suite" "$root" "$mirror" "$script" >"$folder/debootstrap" 2>&1 || {
        tail -n 5 "$folder/debootstrap"
        skip 'debootstrap failed: is the mirror in reach?'
    }
fi
# The network is this machine's: the mirror, how apt reaches it, names, certificates, Python's packages.
echo "$sources" | sed 's/^/deb /' >"$root/etc/apt/sources.list"
apt-config dump | grep '^Acquire::' >"$root/etc/apt/apt.conf.d/90network"
for file in /etc/resolv.conf /etc/hosts /etc/pip.conf; do
    [ ! -e "$file" ] || cat "$file" >"$root$file"
done
cp -r /usr/local/share/ca-certificates "$root/usr/local/share/" 2>/dev/null

rm -rf "$root/srv/uskor"
git clone --quiet "$repository" "$root/srv/uskor" || exit 1
[ -z "${BARE_CCACHE:-}" ] || mkdir -p "$BARE_CCACHE" "$root/srv/ccache" || exit 1
[ -z "${BARE_PACKAGES:-}" ] || { mkdir -p "$root/srv/packages" && cp "$BARE_PACKAGES"/*.deb "$BARE_PACKAGES/commands" "$root/srv/packages/"; } || exit 1

# ---- the commands --------------------------------------------------------------------------------------------------

# Runs $1 in the clone, with an environment that says nothing of this one's, save how to reach the network. In a session of
# its own: a process group from outside of the namespace has no number in there.
run() {
    # shellcheck disable=SC2016 # expanded in there
    unshare --mount --pid --fork --kill-child setsid sh -c '
        mount --make-rprivate / &&
            mount -t proc proc "$1/proc" &&
            mount --rbind /dev "$1/dev" &&
            mount -t tmpfs tmpfs "$1/dev/shm" &&
            mount -t sysfs -o ro sysfs "$1/sys" &&
            { [ -z "$BARE_CCACHE" ] || mount --bind "$BARE_CCACHE" "$1/srv/ccache"; } &&
            exec chroot "$1" /usr/bin/env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin \
                ${BARE_CCACHE:+CMAKE_C_COMPILER_LAUNCHER=ccache CCACHE_DIR=/srv/ccache} \
                ${http_proxy:+http_proxy="$http_proxy"} ${https_proxy:+https_proxy="$https_proxy"} \
                sh -c "update-ca-certificates >/dev/null 2>&1; cd /srv/uskor && $2; exit \$?"' \
        run "$root" "$1"
}

failures=0
commands=${BARE_COMMANDS:-make test; make lab}
while [ -n "$commands" ]; do
    command=$(echo "${commands%%;*}" | sed 's/^ *//')
    case $commands in *';'*) commands=${commands#*;} ;; *) commands= ;; esac
    log=$folder/$(echo "$command" | tr -c 'a-z\n' -)
    start=$(date +%s)
    run "$command" >"$log" 2>&1
    code=$?
    echo "$command: exit code $code after $(($(date +%s) - start)) s"
    grep -E 'tests passed|tests failed out of|\((Failed|Timeout|SEGFAULT|Skipped)\)' "$log"
    [ "$code" = 0 ] || {
        tail -n 40 "$log"
        failures=$((failures + 1))
    }
done
[ "$failures" = 0 ]
