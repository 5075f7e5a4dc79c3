#!/bin/sh
# Debian's packages of what `make dist` archives: they build, lintian finds nothing. In a bare Debian 12 `apt install ./uskor_*.deb`
# leads to a verified table within a minute of a processor, and its removal leaves nothing. The examples build and run from the
# installed library; the BLAS is an alternative that nobody gets unasked, and that computes when chosen; removal leaves nothing.
# $1: the repository.
#   PACKAGES_FOLDER=DIR  the packages and their .changes are in DIR already
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
if [ -n "${PACKAGES_FOLDER:-}" ]; then
    cp "$PACKAGES_FOLDER"/*.deb "$PACKAGES_FOLDER"/*.changes "$PACKAGES_FOLDER"/*.buildinfo "$folder" || exit 1
else
    mkdir "$folder/source"
    { make -s -C "$repository" dist && cp "$repository"/build/uskor-*.tar.gz "$folder/first" && sleep 1 && make -s -C "$repository" dist; } >"$folder/log"
    cmp "$folder/first" "$repository"/build/uskor-*.tar.gz || { echo 'FAIL: the same commit gives another archive'; exit 1; }
    { tar xzf "$repository"/build/uskor-*.tar.gz --strip-components=1 -C "$folder/source" &&
        cd "$folder/source" && dpkg-buildpackage -us -uc -b; } >"$folder/log" 2>&1 || {
        tail -n 20 "$folder/log"
        echo 'FAIL: the packages do not build'
        exit 1
    }
fi
[ "$(find "$folder" -maxdepth 1 -name '*.deb' | wc -l)" = 5 ] || { echo "FAIL: not five packages: $(ls "$folder")"; exit 1; }
lintian --allow-root --fail-on error,warning "$folder"/*.changes || { echo 'FAIL: lintian'; exit 1; }

field() { # of the package $1
    dpkg-deb -f "$folder"/"$1"_*.deb "$2"
}
field libuskor-blas Depends | grep -q libopenblas0 || { echo 'FAIL: libuskor-blas does not need libopenblas0'; exit 1; }
field uskor Recommends | grep -q pocl-opencl-icd || { echo 'FAIL: uskor does not recommend PoCL'; exit 1; }

# The bare system comes from long/bare.sh, which gives it this folder's packages. $RECOMMENDS: an option of apt-get's.
cat >"$folder/commands" <<'END'
set -e
cd /srv/packages
apt-get update -q >/dev/null

# Packages and files that are there, in $1; without what apt, dpkg and users write.
list() {
    {
        dpkg-query -W -f '${db:Status-Abbrev}${Package}\n'
        find / -xdev | grep -vE '^/(proc|sys|dev|srv|tmp|root|var/(cache|log)|var/lib/(apt|dpkg|systemd|pam))(/|$)|/__pycache__'
    } | sort >"$1"
}
# $1: packages, parted by blanks: gone, and everything that came with them. The system is as it was.
leaves_nothing() {
    apt-get purge -y -q $1 >/dev/null
    # Else apt leaves what another package suggests (manpages).
    apt-get autoremove --purge -y -q -o APT::AutoRemove::RecommendsImportant=false -o APT::AutoRemove::SuggestsImportant=false >/dev/null
    list /tmp/after
    comm -13 /tmp/before /tmp/after >/tmp/left
    if [ -s /tmp/left ]; then cat /tmp/left; echo "these are left of $1"; exit 1; fi
    echo "$1: removal leaves nothing"
}

list /tmp/before
apt-get install -y -q --download-only $RECOMMENDS ./uskor_*.deb >/dev/null
# The processor's time, which is the same beside load; on an idle machine little more passes. Most of it is dpkg's: PoCL needs
# all of LLVM.
timed() {
    bash -c 'time -p "$@" >/tmp/table' timed "$@" 2>/tmp/time || { cat /tmp/time; exit 1; }
    awk -v what="$1" '$1 ~ /^(real|user|sys)$/ { t[$1] = $2 }
        END { printf "%s: %.1f s, %.1f s of a processor\n", what, t["real"], t["user"] + t["sys"] }' /tmp/time | tee -a /tmp/times
}
rm -f /tmp/times
timed apt-get install -y -q $RECOMMENDS ./uskor_*.deb
timed uskor bench transpose:1024 --device cpu --time 0.1
cat /tmp/table
grep -q PASS /tmp/table
awk '{ clock += $2; sum += $4 }
    END { printf "from apt to a verified table: %.0f s, %.0f s of a processor\n", clock, sum; exit sum > 60 }' /tmp/times
[ "$(ls /usr/share/doc/uskor/licences | grep -cE '^lib(hwy|stb)-dev')" = 2 ] # what its modules are made of
[ -e /usr/share/man/man1/uskor-bench.1.gz ] && [ -e /usr/share/man/ru/man1/uskor-bench.1.gz ]
leaves_nothing uskor

apt-get install -y -q --no-install-recommends ./*.deb gcc g++ gfortran libc6-dev cmake make pkg-config python3 >/dev/null
python3 /srv/uskor/tests/report/site_links.py /usr/share/doc/uskor/html 1000
rm -rf /tmp/documentation && mkdir /tmp/documentation
cp -r /usr/share/doc/uskor/examples /tmp/documentation
gunzip -f /tmp/documentation/examples/*.gz 2>/dev/null || :
sh /srv/uskor/tests/cli/examples.sh /tmp/documentation installed

# It is below OpenBLAS; who chooses it gets small products from it, and the rest of a BLAS from OpenBLAS.
alternative=$(basename /etc/alternatives/libblas.so.3-*)
update-alternatives --query "$alternative" | grep -q '^Value: .*openblas'
update-alternatives --set "$alternative" "$(echo /usr/lib/*/uskor/libblas.so.3)"
cat >/tmp/product.py <<'PYTHON'
from ctypes import CDLL, byref, c_char, c_double, c_int

blas = CDLL("libblas.so.3")
n, one = c_int(40), c_double(1)
a = (c_double * 1600)(*range(1600))
b, c = (c_double * 1600)(*[i % 41 == 0 for i in range(1600)]), (c_double * 1600)()
t, plain, zero = c_char(b"T"), c_char(b"N"), c_double(0)
blas.dgemm_(byref(t), byref(plain), byref(n), byref(n), byref(n), byref(one), a, byref(n), b, byref(n), byref(zero), c, byref(n))
assert [c[40 * j + i] for i in range(40) for j in range(40)] == list(a), "a product by a unit matrix"
blas.dnrm2_.restype = c_double
assert abs(blas.dnrm2_(byref(n), a, byref(c_int(1))) ** 2 - sum(i * i for i in range(40))) < 1e-6, "a norm, which is OpenBLAS's"
PYTHON
USKOR_BLAS_VERBOSE=1 python3 /tmp/product.py >/tmp/said 2>&1 || { cat /tmp/said; exit 1; }
grep 'dgemm_.*,uskor,' /tmp/said
update-alternatives --auto "$alternative"
apt-mark auto -q gcc g++ gfortran libc6-dev cmake make pkg-config python3 >/dev/null
apt-mark manual -q make >/dev/null
leaves_nothing 'uskor libuskor0 libuskor-blas libuskor-dev uskor-doc'
END
bare=${BARE_FOLDER:-$folder/bare}
BARE_FOLDER=$bare BARE_PACKAGES=$folder BARE_COMMANDS="RECOMMENDS=${RECOMMENDS:-} sh /srv/packages/commands" \
    sh "$repository/tests/long/bare.sh" "$repository"
code=$?
cat "$bare"/*packages-commands* 2>/dev/null | grep -E ' of a processor$|removal leaves nothing$|^all as expected'
exit "$code"
