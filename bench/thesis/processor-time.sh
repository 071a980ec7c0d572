#!/bin/bash
# Symbolic engines on the flawed protocols, in seconds of processor time: what to read where other programs share the
# machine, which the clock of an experiment does not forgive. Each program is stopped after 10 s; a dash is one that used more than 9.
# `whole model` is `verify --reduction none`: chaining without the cone of influence, then breadth first for a shortest trace.
# Random engines: median of three seeds. Reading the model is included for all.
#
# LURCHER=target/release/lurcher bench/thesis/processor-time.sh >table.md      (NuSMV must be on the path)

cd "$(dirname "$0")/models/smv" || exit 2
lurcher=${LURCHER:-lurcher}
TIMEFORMAT='%U %S'

# seconds COMMAND…: processor time, or a dash
seconds() {
    local used
    used=$( { ulimit -t 10; time "$@" >/dev/null 2>&1; } 2>&1 | awk 'NF == 2 { print $1 + $2 }')
    awk -v t="$used" 'BEGIN { if (t == "" || t >= 9) print "–"; else printf "%.2f\n", t }'
}

# median ENGINE-ARGUMENTS…
median() {
    for seed in 23 29 31; do
        seconds "$lurcher" hunt "$model" --property "$property" --no-minimise --jobs 1 --memory 1G --seed $seed "$@"
    done | sed 's/–/999/' | sort -n | sed -n 2p | sed 's/999/–/'
}

once() { seconds "$lurcher" hunt "$model" --property "$property" --no-minimise --jobs 1 --memory 1G "$@"; }

echo "| model | NuSMV | whole model | bdd | SGMC | SRMC trail | SGRMC trail | trail |"
echo "| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |"
for entry in leader-flawed:one_leader:"4 6 8 10 12 16" philosophers:no_circle:"10 14 18 24 32 48" \
    mutex-flawed:exclusion:"16 28 48 64" mutex-flawed:first_two:"16 28 48 64" send-receive:no_error:"3 6 8 12 16" \
    peterson-flawed:exclusion:"4 5 6 7 8" peterson-flawed:first_two:"4 5 6 7"; do
    IFS=: read -r family property sizes <<<"$entry"
    for size in $sizes; do
        model=$family-$size.smv
        script=$(mktemp)
        printf 'set on_failure_script_quits\ngo\ncheck_invar -P %s\nquit\n' "$property" >"$script"
        echo "| $family-$size $property | $(seconds NuSMV -source "$script" "$model") |" \
            "$(seconds "$lurcher" verify "$model" --property "$property" --engine bdd --reduction none --no-minimise --memory 1G) |" \
            "$(once --engine bdd) | $(once --engine sgmc) | $(median --engine symbolic-trail) |" \
            "$(median --engine symbolic-trail --guide abstraction) | $(median --engine trail) |"
        rm -f "$script"
    done
done
