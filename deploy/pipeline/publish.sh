#!/usr/bin/env bash
# Publishes a release: an image of each process, and the client.
#   deploy/pipeline/publish.sh VERSION REGISTRY [--dry-run]     for example 1.2.0 registry.example.com/corner
# It needs Docker, signed in at the registry, and npm, signed in where the client goes. --dry-run prints the commands.
set -euo pipefail
cd "$(dirname "$0")/../.."

version=${1:-} registry=${2:-} mode=${3:-}
if [[ ! $version =~ ^[0-9]+\.[0-9]+\.[0-9]+$ || -z $registry || ( -n $mode && $mode != --dry-run ) ]]; then
  sed -n '2,4s/^# \{0,1\}//p' "$0" >&2
  exit 64
fi
# Prints a command, and runs it unless it is a dry run.
run() {
  echo "$*"
  [[ $mode == --dry-run ]] || "$@"
}

# An image of a version is pushed once all of them are built: a release is whole, or there is none.
processes=(orders loyalty queue notifications directory gateway console cli)
for process in "${processes[@]}"; do
  run docker build --build-arg "SERVICE=$process" --tag "$registry/$process:$version" .
done
for process in "${processes[@]}"; do run docker push "$registry/$process:$version"; done

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
run npm run corner -- client "$folder"
run npm publish "$folder/corner-client-$(node -p "require('./packages/client/package.json').version").tgz" --access public
