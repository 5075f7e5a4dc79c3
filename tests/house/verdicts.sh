#!/bin/sh
# A test asserts a verdict by tests/unit/verdicts.h, which prints the reason. $1: the repository.
set -eu
cd "$1"
[ "$(grep -rlE 'expect_(reason|refusal|right|wrong)\(' tests --include='*.[ch]' | wc -l)" -gt 20 ] || { echo 'hardly any verdict was found'; exit 1; }
if grep -rnE 'assert_[a-z_]+\(.*(verdict|VERDICT_)' tests --include='*.[ch]'; then
    echo 'an assertion on a verdict that does not print the reason: use expect_reason or expect_refusal (tests/unit/verdicts.h)'
    exit 1
fi
# cmocka 2 has deprecated it.
if grep -rn 'assert_in_range' tests --include='*.[ch]' | grep -v '^tests/unit/between.h:'; then
    echo 'use assert_between (tests/unit/between.h), which every cmocka has'
    exit 1
fi
