#!/bin/bash
# Exits with 0 if the broker on this machine is ready to serve clients, else with 1: the health check of the container images, which have
# no HTTP client. HEDDLE_HTTP_BIND, and HEDDLE_HTTP_PROBE_PORT or else HEDDLE_HTTP_PORT tell where it listens. Readiness requires no sign-in.
host=${HEDDLE_HTTP_BIND:-127.0.0.1}
case $host in
  0.0.0.0 | ::) host=127.0.0.1 ;;
esac
port=${HEDDLE_HTTP_PROBE_PORT:-off}
case $port in
  off | false) port=${HEDDLE_HTTP_PORT:-8080} ;;
  auto) port=8100 ;;
esac
exec 2>/dev/null 3<>"/dev/tcp/$host/$port" || exit 1
printf 'GET /actuator/health/readiness HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n' >&3
read -r -t 5 _ status _ <&3
[ "$status" = 200 ]
