#!/bin/sh
# Debian's packages of what is committed: they build, lintian finds nothing, they install in a bare Debian 12 and give a verified
# table within a minute; a user's program builds from the installed library; removal leaves nothing. $1: the repository.
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
start=$(date +%s)
apt-get install -y -q ./*.deb >/dev/null
uskor bench transpose:1024 --device cpu --time 0.1 | tee /tmp/table
grep -q PASS /tmp/table
echo "from apt to a verified table: $(($(date +%s) - start)) s"
[ $(($(date +%s) - start)) -le 60 ]
man -w uskor-bench >/dev/null 2>&1 || [ -e /usr/share/man/man1/uskor-bench.1.gz ]
cp -r /usr/share/doc/uskor-doc/examples /tmp/examples
cd /tmp/examples
gunzip -f ./*.gz 2>/dev/null || :
apt-get install -y -q gcc libc6-dev pkg-config >/dev/null
for source in *.c; do
    cc "$source" -o example $(pkg-config --cflags --libs uskor) -lm && ./example >/dev/null && echo "examples/$source: runs"
done
apt-get purge -y -q uskor libuskor0 libuskor-dev uskor-doc >/dev/null
find / -xdev -path '*uskor*' ! -path '/srv/*' ! -path '/tmp/*' ! -path '/root/*' ! -path '/proc/*' ! -path '/var/cache/apt/*' \
    ! -path '/var/lib/apt/*' ! -path '/var/log/*' >/tmp/left
if [ -s /tmp/left ]; then cat /tmp/left; echo 'these are left behind'; exit 1; fi
END
BARE_PACKAGES=$folder BARE_COMMANDS='sh /srv/packages/commands' sh "$repository/tests/long/bare.sh" "$repository"
