#!/bin/sh
# Start a Redis (7 or newer) or Valkey server with the users of users.acl:
#
#   OPERATOR_PASSWORD=… WEB_PASSWORD=… WORKERS_PASSWORD=… start.sh valkey-server --dir /data --appendonly yes --maxmemory 1gb
#
# Passwords have 32 to 200 letters, digits, '.', '_' or '-', so that they can be used in URLs. The script writes their
# digests to USERS_FILE, which only the server's user can read.
set -eu
umask 077
folder=$(dirname "$0")
file=${USERS_FILE:-/tmp/users.acl}

digest() {
  case $1 in *[!A-Za-z0-9._-]*) echo "start.sh: $2 contains characters that URLs do not allow" >&2; exit 2 ;; esac
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
