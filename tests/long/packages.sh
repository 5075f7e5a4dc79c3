#!/bin/sh
# Debian's packages of what is committed: they build, lintian finds nothing, they install in a bare Debian 12 and give a verified
# table within a minute of a processor; a user's program builds from the installed library; removal leaves nothing. $1: the repository.
set -u
repository=$(cd "$1" && pwd)
skip() {
    echo "SKIP: $*"
    exit 77
}
for tool in dpkg-buildpackage dh lintian debootstrap; do
    command -v "$tool" >/dev/null || skip "no $tool; install dpkg-dev, debhelper, lintian, debootstrap"
done
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir "$folder/uskor" "$folder/bare"
git -C "$repository" archive HEAD | tar x -C "$folder/uskor" || exit 1
(cd "$folder/uskor" && dpkg-buildpackage -us -uc -b) >"$folder/log" 2>&1 || {
    tail -n 20 "$folder/log"
    echo 'FAIL: the packages do not build'
    exit 1
}
lintian --allow-root --fail-on error,warning "$folder"/*.changes || { echo 'FAIL: lintian'; exit 1; }

# The bare system comes from long/bare.sh, which gives it this folder's packages.
cat >"$folder/commands" <<'END'
set -e
cd /srv/packages
apt-get update -q >/dev/null
apt-get install -y -q --download-only ./*.deb >/dev/null
dpkg-query -W -f '${Package}\n' | sort >/tmp/before
find /etc /usr /var/lib -xdev | grep -vE '/(var/lib/(apt|dpkg|systemd|pam)|usr/share/doc|__pycache__)' | sort >/tmp/files-before
# The processor's time, which is the same beside load; on an idle machine little more passes. Most of it is dpkg's: PoCL needs
# all of LLVM.
timed() {
    bash -c 'time -p "$@" >/tmp/table' timed "$@" 2>/tmp/time || { cat /tmp/time; exit 1; }
    awk -v what="$1" '$1 ~ /^(real|user|sys)$/ { t[$1] = $2 }
        END { printf "%s: %d s, %.1f s of a processor\n", what, t["real"], t["user"] + t["sys"] }' /tmp/time | tee -a /tmp/times
}
timed apt-get install -y -q ./*.deb
timed uskor bench transpose:1024 --device cpu --time 0.1
cat /tmp/table
grep -q PASS /tmp/table
awk '{ sum += $(NF - 4) } END { printf "from apt to a verified table: %.0f s of a processor\n", sum; exit sum > 60 }' /tmp/times
man -w uskor-bench >/dev/null 2>&1 || [ -e /usr/share/man/man1/uskor-bench.1.gz ]
cp -r /usr/share/doc/uskor-doc/examples /tmp/examples
cd /tmp/examples
gunzip -f ./*.gz 2>/dev/null || :
apt-get install -y -q gcc g++ libc6-dev pkg-config >/dev/null
flags=$(pkg-config --cflags --libs uskor)
for source in *.c *.cpp; do
    case $source in *.c) compiler=cc ;; *) compiler='c++ -pthread' ;; esac
    $compiler "$source" -o example $flags -lm
    ./example >/dev/null
    echo "examples/$source: runs"
done
apt-get purge -y -q uskor libuskor0 libuskor-dev uskor-doc >/dev/null
find / -xdev -path '*uskor*' ! -path '/srv/*' ! -path '/tmp/*' ! -path '/root/*' ! -path '/proc/*' ! -path '/var/cache/apt/*' \
    ! -path '/var/lib/apt/*' ! -path '/var/log/*' >/tmp/left
if [ -s /tmp/left ]; then cat /tmp/left; echo 'these are left behind'; exit 1; fi
END
BARE_PACKAGES=$folder BARE_COMMANDS='sh /srv/packages/commands' sh "$repository/tests/long/bare.sh" "$repository"
