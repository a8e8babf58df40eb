#!/bin/sh
# The health check of the trial's NATS. After its disk was full, a server stores nothing until it is restarted, and says so at /healthz. Compose
# restarts what has ended and not what is unhealthy, so the check ends the server (process 1) once there is room again. It asks with nc, since
# wget does not print the body of a 503.
answer=$(printf 'GET /healthz HTTP/1.0\r\n\r\n' | nc -w 5 127.0.0.1 8222)
case $answer in
*'no space left on device'* | *'not enabled'*)
  room=$(df -kP /var/tmp | awk 'NR == 2 { print $4 }')
  [ "$room" -gt 65536 ] && kill -TERM 1
  exit 1
  ;;
esac
wget -q -O- 'http://127.0.0.1:8222/healthz?js-enabled-only=true'
