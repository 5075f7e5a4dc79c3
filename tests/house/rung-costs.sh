#!/bin/sh
# What choose_rung knows of the rungs' costs is what results/ say (tools/rung-costs --write makes it anew).
# $1: the repository.
set -eu
cd "$1"
tools/rung-costs | diff src/kernels/rung_costs.def - || {
    echo 'src/kernels/rung_costs.def is not what results/ say: run make costs'
    exit 1
}
