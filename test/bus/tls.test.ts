import { readFileSync } from 'node:fs';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { createNkey, natsServerConfig, openBus } from '@vedette/bus';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { makePki } from '../probes/http/certificates.ts';
import { startNatsServer, type NatsServer } from './nats-server.ts';
import { clock, seesReady, startAgent, startGateway } from './world.ts';

const NAMES = { name: 'DNS:localhost', address: 'IP:127.0.0.1', other: 'DNS:b.test' };
const keys = { gateway: createNkey(), agent: createNkey() };
const pki = makePki({
  ...Object.fromEntries(Object.entries(NAMES).map(([leaf, names]) => [leaf, { names }])),
  stranger: { names: NAMES.name, issuer: 'stranger' },
});
const servers: Record<string, NatsServer> = {};
const trusted = getCACertificates('default');
beforeAll(async () => {
  const start = (tls: object) =>
    startNatsServer((port) =>
      natsServerConfig({
        host: '127.0.0.1',
        port,
        ...tls,
        gateways: [{ publicKey: keys.gateway.publicKey }],
        agents: [{ publicKey: keys.agent.publicKey, location: 'eu-fra' }],
      }),
    );
  for (const leaf of [...Object.keys(NAMES), 'stranger'])
    servers[leaf] = await start({ tls: { certFile: `${pki.folder}/${leaf}.pem`, keyFile: `${pki.folder}/${leaf}.key` } });
  servers['plain'] = await start({});
  setDefaultCACertificates([...trusted, pki.root]);
});
afterAll(async () => {
  setDefaultCACertificates(trusted);
  for (const server of Object.values(servers)) await server.stop();
  pki[Symbol.dispose]();
});
const url = (host: string, leaf: string, scheme = 'tls') => `${scheme}://${host}:${servers[leaf]!.port}`;
const open = (address: string, roots?: string[]) =>
  openBus({ url: address, name: 'test', clock, credentials: keys.agent.seed, roots, waitOnFirstConnect: false }).then(async (bus) => {
    await bus.close();
    return 'connected';
  });

it('a gateway and an agent meet over TLS', async () => {
  const agent = await startAgent({ location: 'eu-fra', agent: 'fra-1', url: url('localhost', 'name'), credentials: keys.agent.seed });
  const gateway = await startGateway(url('localhost', 'name'), { credentials: keys.gateway.seed });
  await seesReady(gateway.presence, 1);
  const [reply] = await gateway.ask(['eu-fra']);
  expect(reply!.result).toEqual({ host: 'a.test', by: 'fra-1' });
  await gateway.close();
  await agent.bus.close();
});

it.each([
  ['the name in its certificate', () => url('localhost', 'name')],
  ['the address in its certificate', () => url('127.0.0.1', 'address')],
  ['one of several names', () => `tls://127.0.0.1:1,${url('localhost', 'name')}`],
])('takes a server by %s', async (_what, address) => {
  expect(await open(address())).toBe('connected');
});

it.each([
  ['a certificate for another name', () => url('localhost', 'other'), 'is for DNS:b.test, not for localhost'],
  ['a certificate for localhost at an address', () => url('127.0.0.1', 'name'), 'is for DNS:localhost, not for 127.0.0.1'],
  ['a certificate that nobody vouches for', () => url('localhost', 'stranger'), 'unable to verify'],
  ['no TLS at all', () => url('127.0.0.1', 'plain'), 'tls'],
  ['no TLS at all, where one of several wants it', () => `${url('127.0.0.1', 'plain', 'nats')},${url('127.0.0.1', 'plain')}`, 'tls'],
])('refuses %s', async (_what, address, why) => {
  await expect(open(address())).rejects.toThrow(why);
});

it('takes the word of the roots that it was given, and of nobody else', async () => {
  const stranger = readFileSync(`${pki.folder}/ca-stranger.pem`, 'utf8');
  expect(await open(url('localhost', 'stranger'), [stranger])).toBe('connected');
  expect(await open(url('localhost', 'name'), [stranger, pki.root])).toBe('connected');
  await expect(open(url('localhost', 'name'), [stranger])).rejects.toThrow('unable to verify');
  await expect(open(url('localhost', 'other'), [pki.root])).rejects.toThrow('is for DNS:b.test');
});
