#!/bin/sh
# Starts a server of Redis (7 or newer) or Valkey with the users of users.acl:
#
#   OPERATOR_PASSWORD=… WEB_PASSWORD=… WORKERS_PASSWORD=… start.sh valkey-server --dir /data --appendonly yes
#
# The passwords, each of 32 to 200 letters, digits, '.', '_' or '-' (they stand in URLs), become digests in a file that
# the server's user alone may read; USERS_FILE names it.
set -eu
umask 077
folder=$(dirname "$0")
file=${USERS_FILE:-/tmp/users.acl}

digest() {
  case $1 in *[!A-Za-z0-9._-]*) echo "start.sh: $2 has characters that cannot stand in a URL" >&2; exit 2 ;; esac
  if [ ${#1} -lt 32 ] || [ ${#1} -gt 200 ]; then echo "start.sh: $2 must have 32 to 200 characters" >&2; exit 2; fi
  printf %s "$1" | sha256sum | cut -d ' ' -f 1
}

operator=$(digest "${OPERATOR_PASSWORD:-}" OPERATOR_PASSWORD)
web=$(digest "${WEB_PASSWORD:-}" WEB_PASSWORD)
workers=$(digest "${WORKERS_PASSWORD:-}" WORKERS_PASSWORD)
sed -e "s/OPERATOR_PASSWORD_SHA256/$operator/" -e "s/WEB_PASSWORD_SHA256/$web/" \
  -e "s/WORKERS_PASSWORD_SHA256/$workers/" "$folder/users.acl" > "$file"
unset OPERATOR_PASSWORD WEB_PASSWORD WORKERS_PASSWORD
exec "$@" --aclfile "$file"
