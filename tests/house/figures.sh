#!/bin/sh
# Rates beside each other, shares and speed-ups are worked out in src/report/model (figures.h); what prints them does not
# compare measurements, choose ceilings or divide times.
# $1: the repository.
set -eu
cd "$1"
files=$(find src/report/terminal src/report/html src/report/export src/cli -name '*.[ch]' | sort)
[ "$(echo "$files" | wc -l)" -gt 50 ] || { echo 'hardly any file was found'; exit 1; }
! echo "$files" | xargs grep -nE '\bmeasurement_(compare|ratio|ceiling|may_limit)[[:blank:]]*\(|median[[:blank:]]*/[^;"]*median|rate[[:blank:]]*/[^;"]*->rate\b'
