# Makes starts faster, for the launcher; needs $distribution, $JAVA_HOME and $jvm_options.
#
# What a JVM finds out while the broker and its Kafka start is the same each time: which classes there are, that they are sound
# and how they fit together. It is found out once, by a start with data of its own, and kept beside the program in the JDK's AOT
# cache (JEP 483, 514, 515). A JVM for which it was not made, or whose options do not fit it, goes on without it. So does every
# start after one that could not make it, until the program or the JDK is another.

start_cache=$distribution/lib/start-cache
broker_options=$distribution/lib/broker.options
# The broker hands these to its Kafka.
kafka_options=$distribution/lib/standalone/kafka.options

# What a cache is good for: this JDK and these files, in this place.
start_cache_key() {
  printf '%s\n' "$JAVA_HOME"
  cat "$JAVA_HOME/release"
  ls -l --full-time "$distribution/lib/app" "$distribution/lib/standalone/kafka"
}

# A file of options for a JVM, one in each line.
write_options() {
  file=$1
  shift
  for option in "$@"; do
    printf '"%s"\n' "$(printf '%s' "$option" | sed 's/[\\"]/\\&/g')"
  done >"$file.next" && mv "$file.next" "$file"
}

# What the JVM has to say about a cache that does not fit concerns nobody who only starts the broker.
use_start_caches() {
  write_options "$broker_options" "-XX:AOTCache=$start_cache/broker.aot" '-Xlog:aot*=off' &&
    write_options "$kafka_options" "-XX:AOTCache=$start_cache/kafka.aot" '-Xlog:aot*=off'
}

# Without what the environment sets: it is meant for the broker that is started, and may name the servers of others.
clean_java() {
  env -i PATH="$PATH" HOME="$work" TMPDIR="${TMPDIR:-/tmp}" LC_ALL="${LC_ALL-}" "$JAVA_HOME/bin/java" "$@"
}

# From a start that recorded what it did.
make_start_cache() {
  clean_java "$@" -XX:AOTMode=create -XX:AOTConfiguration="$work/$name.conf" -XX:AOTCache="$work/$name.aot" \
    -cp "$class_path" >>"$work/log" 2>&1 && [ -s "$work/$name.aot" ]
}

# A broker on free ports that comes up and is stopped again.
record_start() {
  write_options "$kafka_options" -XX:AOTMode=record "-XX:AOTConfiguration=$work/kafka.conf" || return 1
  # shellcheck disable=SC2086 # A list of words.
  (cd "$work" && exec env -i PATH="$PATH" HOME="$work" TMPDIR="${TMPDIR:-/tmp}" LC_ALL="${LC_ALL-}" \
    "$JAVA_HOME/bin/java" $jvm_options -Dheddle.standalone.home="$distribution/lib/standalone" -XX:AOTMode=record -XX:AOTConfiguration="$work/broker.conf" \
    -cp "$distribution/lib/app/*" io.heddle.app.HeddleApplication \
    --data-dir "$work/data" --mqtt-port 0 --http-port 0) >>"$work/log" 2>&1 </dev/null 9>&- &
  recorded=$!
  waits=0
  until grep -q '^Heddle is ready$' "$work/log" || [ "$waits" -ge 600 ] || ! kill -0 "$recorded" 2>/dev/null; do
    sleep 0.2
    waits=$((waits + 1))
  done
  kill -TERM "$recorded" 2>/dev/null || :
  # Stopped by a signal, it ends with that signal's status, which says nothing.
  wait "$recorded" || :
  recorded=
  [ -s "$work/broker.conf" ] && [ -s "$work/kafka.conf" ]
}

forget_recording() {
  [ -z "$recorded" ] || kill -KILL "$recorded" 2>/dev/null || :
  rm -rf "$work"
}

make_start_caches() {
  rm -rf "$start_cache" "$broker_options" "$kafka_options"
  recorded=
  work=$(mktemp -d) || return 1
  trap forget_recording EXIT
  trap 'exit 130' INT
  trap 'exit 143' TERM HUP
  # shellcheck disable=SC2086 # Lists of words.
  if record_start &&
    name=broker class_path="$distribution/lib/app/*" make_start_cache $jvm_options &&
    name=kafka class_path="$distribution/lib/standalone/kafka/*" make_start_cache $jvm_options -XX:+UseG1GC; then
    mkdir "$start_cache" && mv "$work/broker.aot" "$work/kafka.aot" "$start_cache/" && use_start_caches && return 0
  fi
  rm -rf "$broker_options" "$kafka_options"
  mkdir -p "$start_cache" && cp "$work/log" "$start_cache/"
}

start_caches_made() {
  [ "$(cat "$start_cache/made-for" 2>/dev/null)" = "$(start_cache_key)" ]
}

# Makes the caches, unless they are there or the program may not be written.
prepare_start_caches() {
  [ -w "$distribution/lib" ] && [ -w "$distribution/lib/standalone" ] || return 0
  ! start_caches_made || return 0
  (
    if command -v flock >/dev/null 2>&1; then
      flock 9
    fi
    if ! start_caches_made; then
      [ ! -t 2 ] || printf '%s\n' "Preparing faster starts, which takes half a minute once ..." >&2
      make_start_caches || :
      start_cache_key >"$start_cache/made-for"
    fi
  ) 9>"$distribution/lib/start-cache.lock"
}
