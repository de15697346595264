# Makes starts faster, for the launcher; needs sums(), $distribution, $JAVA_HOME and $jvm_options.
#
# What a JVM finds out while the broker and its Kafka start is the same each time: which classes there are, that they are sound
# and how they fit together. It is found out once, by a start with data of its own, and kept beside the program in the JDK's AOT
# cache (JEP 483, 514, 515), one for each of the two. A JVM for which it was not made, or whose options do not fit it, goes on
# without it. What could not be made is tried again by the next starts, three times for one program and JDK.

start_cache=$distribution/lib/start-cache
start_cache_tries=3
broker_options=$distribution/lib/broker.options
# The broker hands these to its Kafka.
kafka_options=$distribution/lib/standalone/kafka.options

# What a cache is good for: this JDK and these files, in this place. The JVM compares their sizes and times itself, and refuses
# without a word; but all builds give their files one time, so that contents count too.
start_cache_key() {
  printf '%s\n' "$JAVA_HOME"
  cat "$JAVA_HOME/release"
  ls -l --full-time "$distribution/lib/app" "$distribution/lib/standalone/kafka"
  sums "$distribution/lib/app" "$distribution/lib/standalone/kafka"
}

# Whether what there is, is of this program; needs $key.
start_caches_fit() {
  [ "$(cat "$start_cache/made-for" 2>/dev/null)" = "$key" ]
}

start_caches_settled() {
  start_caches_fit && { [ -f "$start_cache/given-up" ] || start_caches_complete; }
}

start_caches_complete() {
  [ -f "$start_cache/broker.aot" ] && [ -f "$start_cache/kafka.aot" ]
}

# A file of options for a JVM, one in each line.
write_options() {
  file=$1
  shift
  for option in "$@"; do
    printf '"%s"\n' "$(printf '%s' "$option" | sed 's/[\\"]/\\&/g')"
  done >"$file.next" && mv "$file.next" "$file"
}

# Calls a function with the options that use a cache, or that record for it while there is none. What the JVM has to say about a
# cache that does not fit concerns nobody who only starts the broker.
with_options_of() {
  name=$1
  shift
  if [ -f "$start_cache/$name.aot" ]; then
    "$@" "-XX:AOTCache=$start_cache/$name.aot" '-Xlog:aot*=off'
  else
    "$@" -XX:AOTMode=record "-XX:AOTConfiguration=$work/$name.conf"
  fi
}

use_start_caches() {
  [ ! -f "$start_cache/broker.aot" ] || with_options_of broker write_options "$broker_options"
  [ ! -f "$start_cache/kafka.aot" ] || with_options_of kafka write_options "$kafka_options"
}

# In the background, because a signal would have to wait for what runs before the shell, and known to the watch. Without what
# the environment sets: it is meant for the broker that is started, and may name the servers of others.
run_java() {
  # shellcheck disable=SC2016 # Expanded by the inner shell.
  sh -c 'echo "$$" >&8; cd "$1" && shift && exec "$@" 8>&- 9>&-' sh "$work" \
    env -i PATH="$PATH" HOME="$work" TMPDIR="${TMPDIR:-/tmp}" LC_ALL="${LC_ALL-}" "$JAVA_HOME/bin/java" "$@" \
    </dev/null >>"$work/log" 2>&1 &
  java=$!
}

# The status with which it ended.
await_java() {
  status=0
  wait "$java" || status=$?
  echo none >&8
  return "$status"
}

# From a start that recorded what it did.
make_start_cache() {
  name=$1
  class_path=$2
  shift 2
  [ ! -f "$start_cache/$name.aot" ] || return 0
  run_java "$@" -XX:AOTMode=create "-XX:AOTConfiguration=$work/$name.conf" "-XX:AOTCache=$work/$name.aot" -cp "$class_path"
  await_java && [ -s "$work/$name.aot" ] &&
    mv "$work/$name.aot" "$start_cache/$name.next" && mv "$start_cache/$name.next" "$start_cache/$name.aot"
}

# Stops as slowly as it likes: Kafka writes its record when it has stopped, and one that is killed meanwhile leaves half of it.
run_broker() {
  # shellcheck disable=SC2086 # A list of words.
  run_java $jvm_options "$@" -Dheddle.standalone.home="$distribution/lib/standalone" -Dheddle.standalone.stop-seconds=40 \
    -cp "$distribution/lib/app/*" io.heddle.app.HeddleApplication --data-dir "$work/data" --mqtt-port 0 --http-port 0
}

# A broker on free ports that comes up and is stopped again.
record_start() {
  with_options_of kafka write_options "$kafka_options" || return 1
  with_options_of broker run_broker
  waits=0
  until grep -q '^Heddle is ready$' "$work/log" || [ "$waits" -ge 600 ] || ! kill -s 0 "$java" 2>/dev/null; do
    sleep 0.2
    waits=$((waits + 1))
  done
  kill -s TERM "$java" 2>/dev/null || :
  await_java || [ "$?" -eq 143 ] || {
    echo "The recorded broker did not stop in order: status $status" >>"$work/log"
    return 1
  }
  grep -q '^Heddle is ready$' "$work/log"
}

# What of the recording runs: the broker or the JVM that makes a cache, and the broker's servers of this name.
recording() {
  for each in "$process" $(sed -n 's/^child=\([0-9]*\).*/\1/p' "$work"/data/run/$1.process 2>/dev/null); do
    if kill -s 0 "$each" 2>/dev/null; then echo "$each"; fi
  done
}

await_recording_gone() {
  left=$1
  while [ -n "$(recording '*')" ] && [ "$left" -gt 0 ]; do
    sleep 0.1
    left=$((left - 1))
  done
}

# Ends the recording when the launcher closes the pipe on standard input, or is killed, which closes it too. Each line of it
# names the process that runs now.
watch_recording() {
  # Not where it is called: the shell would keep a copy, to restore it.
  exec 8>&-
  process=none
  while read -r line; do process=$line; done
  if [ "$process" != none ]; then
    kill -s TERM "$process" 2>/dev/null
    await_recording_gone 30
    # Redis and PostgreSQL then end by their guards; Kafka might go on with its record.
    for each in $(recording 'kafka-*'); do kill -s KILL "$each"; done
    await_recording_gone 40
  fi
  rm -rf "$work"
  rm -f "$kafka_options"
}

end_recording() {
  exec 8>&-
  wait "$watch" || :
}

give_up_recording() {
  trap '' INT TERM HUP
  end_recording
  exit "$1"
}

# Needs the pipe of the watch as descriptor 8.
make_what_is_missing() {
  watch_recording <"$work/launcher" >/dev/null 2>&1 &
  watch=$!
  trap 'give_up_recording 129' HUP
  trap 'give_up_recording 130' INT
  trap 'give_up_recording 143' TERM
  # shellcheck disable=SC2086 # Lists of words.
  if record_start; then
    make_start_cache broker "$distribution/lib/app/*" $jvm_options || :
    make_start_cache kafka "$distribution/lib/standalone/kafka/*" $jvm_options -XX:+UseG1GC || :
  fi
  cp "$work/log" "$start_cache/log"
  end_recording
}

make_start_caches() {
  # Also for the watch, which ends by itself.
  trap '' INT TERM HUP
  if work=$(mktemp -d 2>"$start_cache/log") && mkfifo "$work/launcher" 2>"$start_cache/log"; then
    : >"$work/log"
    make_what_is_missing 8<>"$work/launcher"
  fi
  trap - INT TERM HUP
}

# One after the other: the lock is descriptor 9, which the watch holds too, until nothing of the recording is left.
try_start_caches() {
  if command -v flock >/dev/null 2>&1; then
    flock 9
  fi
  ! start_caches_settled || return 0
  if ! start_caches_fit; then
    rm -rf "$start_cache" "$broker_options" "$kafka_options"
    mkdir "$start_cache" && printf '%s\n' "$key" >"$start_cache/made-for" || return 0
  fi
  rm -f "$start_cache"/*.next
  # Noted before, so that a try that is killed counts.
  try=$(($(cat "$start_cache/tries" 2>/dev/null || echo 0) + 1))
  if [ "$try" -le "$start_cache_tries" ]; then
    echo "$try" >"$start_cache/tries"
    [ ! -t 2 ] || printf '%s\n' "Preparing faster starts, which takes half a minute once ..." >&2
    make_start_caches
    use_start_caches
    if start_caches_complete; then
      rm -f "$start_cache/log"
    else
      printf '%s\n' "Heddle could not prepare all of its faster starts (try $try of $start_cache_tries), and starts as it is: \
$start_cache/log says why" >&2
    fi
  fi
  start_caches_complete || [ "$try" -lt "$start_cache_tries" ] || : >"$start_cache/given-up"
}

# Makes the caches, unless they are there or the program may not be written.
prepare_start_caches() {
  [ -w "$distribution/lib" ] && [ -w "$distribution/lib/standalone" ] || return 0
  start_caches_settled || try_start_caches 9>"$distribution/lib/start-cache.lock"
}
