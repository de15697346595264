#!/bin/sh
# Creates the start caches of the distribution that this script is in: sh lib/start-cache.sh. Run once after packaging, with the JDK that
# will run Heddle. Without caches starts work too, but take longer.
#
# At each start the JVMs of the broker and of its Kafka load, verify and link the same classes. In a training run on temporary data, both
# write the result to an AOT cache (JEP 483, 514, 515) when they exit. A JVM ignores a cache of another JDK, other jars or other options.
set -eu

lib=$(dirname "$(readlink -f "$0")")
broker_cache=$lib/broker.aot
kafka_cache=$lib/standalone/kafka.aot
log=$lib/start-cache.log
if ! [ -w "$lib" ]; then
  printf '%s\n' "The start caches cannot be created, because this user cannot write to $lib: run this as the owner of the folder" >&2
  exit 1
fi
rm -f "$broker_cache" "$kafka_cache"
: >"$log"

# shellcheck disable=SC2034 # Read by jdk25.sh.
heddle_java_program=java
# shellcheck source=.mvn/jdk25.sh
. "$lib/jdk25.sh" || exit 1

work=$(mktemp -d)
training=
finish() {
  trap '' HUP INT TERM
  if [ -n "$training" ] && kill -s TERM "$training" 2>/dev/null; then
    wait "$training" || :
  fi
  rm -rf "$work"
}
trap finish EXIT
trap 'exit 1' HUP INT TERM

printf '%s\n' "Creating the start caches, which takes half a minute ..." >&2

# Without the environment's settings, which could name servers of a production system. "timeout" also ends the run if this script is
# killed. Kafka writes its cache while it stops, which takes longer than an ordinary stop.
env -i PATH="$PATH" HOME="$work" TMPDIR="${TMPDIR:-/tmp}" LC_ALL="${LC_ALL-}" JAVA_HOME="$JAVA_HOME" \
  JDK_JAVA_OPTIONS="'-XX:AOTCacheOutput=$work/broker.aot' '-Dheddle.standalone.kafka-cache-output=$work/kafka.aot' \
-Dheddle.standalone.stop-seconds=120" \
  timeout 180 "$lib/../heddle" --data-dir "$work/data" --mqtt-port 0 --http-port 0 </dev/null >"$log" 2>&1 &
training=$!
until grep -q '^Heddle is ready$' "$log" || ! kill -s 0 "$training" 2>/dev/null; do
  sleep 0.2
done
kill -s TERM "$training" 2>/dev/null || :
status=0
wait "$training" || status=$?
training=

# 143: stopped by the signal above. A process that was killed can leave an incomplete cache.
if [ "$status" -eq 143 ] && [ -s "$work/broker.aot" ] && [ -s "$work/kafka.aot" ]; then
  mv "$work/broker.aot" "$broker_cache.next" && mv "$broker_cache.next" "$broker_cache"
  mv "$work/kafka.aot" "$kafka_cache.next" && mv "$kafka_cache.next" "$kafka_cache"
  rm -f "$log"
else
  printf '%s\n' "The start caches could not be created (exit status $status), so starts take longer: see $log" >&2
  exit 1
fi
