#!/bin/sh
# The compiler through ccache: cached.sh CCACHE COMPILER ARGUMENTS...
# Precompiled headers are compiled without ccache. A stored one may be older than its headers (gcc reads an
# existing .gch in place of the headers while ccache computes the key), and every source that includes it fails.
# The sum next to it, of the preprocessed headers with their macros, is the key by which ccache identifies the sources
# that use it (CCACHE_PCH_EXTSUM); the .gch itself differs from run to run.
precompiled=
for argument; do
  case $argument in *.gch) precompiled=$argument ;; esac
done
[ "$precompiled" ] || exec "$@"

rm -f "$precompiled" "$precompiled.sum"
shift
"$@" || exit

for argument; do  # the same command without its outputs, and with -E
  shift
  case $argument in
    -o | -MF | -MT | -MQ) skip=1 ;;
    -MD | -MMD | -c) ;;
    *) if [ "$skip" ]; then skip=; else set -- "$@" "$argument"; fi ;;
  esac
done
mv "$precompiled" "$precompiled.made"  # gcc would read it instead of the headers
"$@" -E -dD -P | sha256sum > "$precompiled.sum"
mv "$precompiled.made" "$precompiled"
