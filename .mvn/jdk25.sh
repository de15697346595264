# Sourced by ./mvnw and ./heddle: sets JAVA_HOME to a JDK 25. Keeps a JAVA_HOME that is one; otherwise searches the usual folders of Linux
# distributions, SDKMAN and macOS. If there is none, JAVA_HOME is unchanged: ./mvnw then uses the Maven toolchains plugin, and ./heddle
# fails with an error. With heddle_java_program=java, a JRE 25 is enough.
heddle_is_jdk25() {
  [ -x "$1/bin/${heddle_java_program:-javac}" ] && [ -r "$1/release" ] && grep -q '^JAVA_VERSION="25[".]' "$1/release"
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
