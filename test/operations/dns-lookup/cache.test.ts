import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

it("shows the zone's TTLs from behind a cache that has others", async () => {
  const script = fileURLToPath(new URL('behind-a-cache.ts', import.meta.url));
  // The servers are in a process namespace too: all of them end with the script, even if it is killed.
  const isolated = ['--net', '--pid', '--fork', '--kill-child'];
  const command = ['sh', '-c', 'ip link set lo up && exec "$0" "$1"', process.execPath, script];
  const { stdout } = await promisify(execFile)('unshare', [...isolated, ...command], { timeout: 25_000 });
  const [host, apex, cached] = JSON.parse(stdout);
  expect(host).toEqual({
    host: 'www.full.test',
    records: { a: [{ target: '192.0.2.2', ttl: 300 }], aaaa: [{ target: '2001:db8::2', ttl: 300 }], mx: [] },
    statuses: { a: 'noerror', aaaa: 'noerror', mx: 'nodata' },
  });
  expect(apex.records).toEqual({
    soa: [{ mname: 'ns.test', rname: 'hostmaster.test', serial: 1, refresh: 3600, retry: 600, expire: 86400, minttl: 300, ttl: 300 }],
    mx: [{ pref: 10, target: 'mail.full.test', ttl: 300 }],
  });
  expect(cached.answers[0].ttl).toBeLessThanOrEqual(60);
});
