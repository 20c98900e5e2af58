#!/bin/sh
# Runs terraform for every region of regions.txt, one after the other, each in a workspace of its own:
#   ./regions.sh [--only <region>]... plan|apply|destroy|output [arguments of terraform]
# A region that fails does not stop the others; the last line names those that did.
set -eu
cd "$(dirname "$0")"
usage() { sed -n '2,4s/^# *//p' "$0" >&2; exit 2; }

listed=$(sed 's/#.*//' regions.txt)
chosen=''
while [ "${1:-}" = --only ]; do
  [ -n "${2:-}" ] || usage
  chosen="$chosen $2"
  shift 2
done
case ${1:-} in plan | apply | destroy | output) command=$1 && shift ;; *) usage ;; esac
# To destroy all of them wants all of them named.
[ "$command" != destroy ] || [ -n "$chosen" ] || { echo 'destroy wants --only <region>, once for each' >&2; exit 2; }

terraform init -input=false >/dev/null
failed=''
for region in ${chosen:-$listed}; do
  echo "== $region" >&2
  variables=''
  [ ! -e "regions/$region.tfvars" ] || variables="-var-file=regions/$region.tfvars"
  [ "$command" = output ] || variables="$variables -var=region=$region"
  # Unquoted: a region and the name of a file have no spaces.
  terraform workspace select -or-create=true "$region" >/dev/null && terraform "$command" $variables "$@" || failed="$failed $region"
done

# A state that nobody lists any more has machines that somebody pays for.
for region in $(terraform workspace list | tr -d '* '); do
  [ "$region" = default ] || printf '%s\n' $listed | grep -qxF "$region" ||
    echo "not listed, but there is a state: $region (./regions.sh --only $region destroy; terraform workspace delete $region)" >&2
done
[ -z "$failed" ] || { echo "failed:$failed" >&2; exit 1; }
