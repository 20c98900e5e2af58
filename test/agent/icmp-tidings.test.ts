import { expect, it } from 'vitest';
import { icmpTidings } from '../../packages/agent/src/icmp-tidings.ts';

const kernel = { note: 'ICMP engine kernel does not work here', cause: new Error('EACCES: permission denied, socket') };
const netPing = { note: 'ICMP engine net-ping does not work here', cause: new Error('the child ended:\n  Error: EPERM\n    at open') };

it('says in one line that nothing can be pinged, why, and what helps', () => {
  expect(icmpTidings(false, [kernel, netPing])).toEqual({
    level: 'error',
    text: 'this agent cannot ping: ICMP engine kernel does not work here (EACCES: permission denied, socket); ICMP engine net-ping does not work here (the child ended: Error: EPERM at open). Allow ICMP sockets: sysctl net.ipv4.ping_group_range="0 2147483647"',
  });
});

it('says in one line which engine was passed over', () => {
  expect(icmpTidings(true, [kernel])).toEqual({
    level: 'warn',
    text: 'ICMP engine kernel does not work here (EACCES: permission denied, socket)',
  });
  expect(icmpTidings(true, [])).toMatchObject({ level: 'debug' });
});
