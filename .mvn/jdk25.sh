# Sourced by ./mvnw and ./heddle: points JAVA_HOME at a JDK 25. Honours a JAVA_HOME that already is one, then looks
# where Linux distributions, SDKMAN and macOS keep theirs. Leaves JAVA_HOME alone when it finds none: ./mvnw then falls
# back to the Maven toolchains plugin, ./heddle says what is missing.
heddle_is_jdk25() {
  [ -x "$1/bin/javac" ] && [ -r "$1/release" ] && grep -q '^JAVA_VERSION="25[".]' "$1/release"
}
heddle_find_jdk25() {
  [ -n "${JAVA_HOME-}" ] && heddle_is_jdk25 "$JAVA_HOME" && return 0
  for heddle_jdk in "${JDK_25-}" /usr/lib/jvm/* /usr/java/* /opt/jdk* /opt/java/* "${HOME-}"/.sdkman/candidates/java/25* \
    "${HOME-}"/.jdks/*25* /Library/Java/JavaVirtualMachines/*25*/Contents/Home; do
    if [ -n "$heddle_jdk" ] && heddle_is_jdk25 "$heddle_jdk"; then
      JAVA_HOME=$heddle_jdk
      export JAVA_HOME
      return 0
    fi
  done
  heddle_java=$(command -v java 2>/dev/null) || return 1
  heddle_jdk=$(dirname "$(dirname "$(readlink -f "$heddle_java" 2>/dev/null || echo "$heddle_java")")")
  if heddle_is_jdk25 "$heddle_jdk"; then
    JAVA_HOME=$heddle_jdk
    export JAVA_HOME
    return 0
  fi
  return 1
}
heddle_find_jdk25
