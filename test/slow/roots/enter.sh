# sh enter.sh ROOT pivot|chroot USER COMMAND…: runs a command as a user of a root made by debootstrap, in mount and PID namespaces made for it.
# In a chroot nobody may make user namespaces (user_namespaces(7)), as under the seccomp profile of a container; after pivot_root(2) everybody may.
set -eu
root=$1
how=$2
user=$3
shift 3
mount --make-rprivate /
mount --bind "$root" "$root"
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
# What npm has fetched before, in a copy that the user may write to.
id=$(chroot "$root" id -u "$user")
if [ ! -e "$root/npm-cache" ]; then
  mkdir -p "$NPM_CACHE"
  cp -r "$NPM_CACHE" "$root/npm-cache"
fi
chroot "$root" chown -R "$id:$id" /npm-cache
cp -L /etc/resolv.conf /etc/hosts "$root/etc/"
if [ -n "${NODE_EXTRA_CA_CERTS:-}" ]; then
  install -m 644 "$NODE_EXTRA_CA_CERTS" "$root/etc/registry-ca.pem"
  export NODE_EXTRA_CA_CERTS=/etc/registry-ca.pem
fi
export npm_config_cache=/npm-cache HOME="/home/$user" PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin
[ "$user" != root ] || HOME=/root
cd "$root"
if [ "$how" = pivot ]; then
  mkdir -p old
  pivot_root . old
  exec chroot . sh -c 'umount -l /old; id=$1; shift; cd "$HOME"; exec setpriv --reuid="$id" --regid="$id" --clear-groups "$@"' sh "$id" "$@"
fi
exec chroot . sh -c 'id=$1; shift; cd "$HOME"; exec setpriv --reuid="$id" --regid="$id" --clear-groups "$@"' sh "$id" "$@"
