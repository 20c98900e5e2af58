import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { read } from '../repo/pages.ts';
import { Reader, sectionsOf } from './running.ts';

/**
 * Two machines behind one router, each a namespace of network and files; 8.8.8.8 is the router's. Root's settings belong into /etc/vedette and its units
 * to systemd: the second machine has an /etc of its own, and no systemd.
 */
const TWO_MACHINES = `
ip link set lo up
ip addr add 8.8.8.8/32 dev lo
ip link add br0 type bridge
ip addr add 192.0.2.1/24 dev br0
ip link set br0 up
range="$(id -g) $(id -g)"
machine() {
  unshare -mn sh -ec '
    ip link set lo up
    echo "'"$range"'" >/proc/sys/net/ipv4/ping_group_range
    mount --make-rprivate /
    if [ "$(id -u)" = 0 ] && [ -w /etc ]; then
      mount -t tmpfs none /media && mkdir /media/up /media/work && mount -t overlay none -o lowerdir=/etc,upperdir=/media/up,workdir=/media/work /etc
      [ ! -d /run/systemd ] || mount -t tmpfs none /run/systemd
    fi
    exec sleep 600' >/dev/null & pid=$!
  until [ "$(readlink /proc/$pid/ns/net)" != "$(readlink /proc/self/ns/net)" ] && [ "$(cat /proc/$pid/comm)" = sleep ]; do sleep 0.02; done
  ip link add "v$2" type veth peer name eth0 netns $pid
  ip link set "v$2" master br0 up
  nsenter -t $pid -n sh -ec "ip addr add 192.0.2.$2/24 dev eth0; ip link set eth0 up; ip route add default via 192.0.2.1"
  eval "$1=$pid"
}
machine first 10
machine second 20
echo "ready first=$first second=$second"
exec sleep 600`;

/** docs/second-location.md as its readers follow it, from top to bottom, on two machines. The browser has no part in it. */
describe('docs/second-location.md, word by word', () => {
  const reader = new Reader(TWO_MACHINES, { VEDETTE_RENDERER: 'off' });
  let began: number;
  beforeAll(async () => {
    await reader.open();
    began = performance.now();
  });
  afterAll(() => reader.close());

  it.each(sectionsOf(read('docs/second-location.md')))('$title', async ({ steps }) => {
    for (const step of steps) expect(await reader.follow(step)).toBe('');
    process.stderr.write(`docs/second-location.md: ${((performance.now() - began) / 1_000).toFixed(1)} s\n`);
  });
});
