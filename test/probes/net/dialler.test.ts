import { networkInterfaces } from 'node:os';
import { createAddressPolicy } from '@vedette/probes/host';
import type { AddressVerdict } from '@vedette/contract';
import { describe, expect, it } from 'vitest';
import { createDialler } from '@vedette/probes/net';
import { loopbackPorts } from '../http/loopback-ports.ts';
import { rawServer } from '../http/raw-server.ts';

const policy = createAddressPolicy({ allowNets: ['127.0.0.0/8', '::1/128'] });
const dialler = createDialler({ policy });
const never = new AbortController().signal;
const otherInterface = Object.keys(networkInterfaces()).find((name) => name !== 'lo');

describe('tcp', () => {
  it('connects to the very address, over IPv4 and IPv6', async () => {
    for (const address of ['127.0.0.1', '::1']) {
      await using server = await rawServer(() => {}, address);
      const socket = await dialler.tcp({ address, port: server.port, signal: never });
      expect([socket.remoteAddress, socket.remotePort]).toEqual([address, server.port]);
      socket.destroy();
    }
  });

  it.each([
    ['private', '10.0.0.1'],
    ['link-local', '169.254.169.254'],
    ['shared', '100.100.100.200'],
    ['a cloud host agent', '168.63.129.16'],
    ['this network', '0.0.0.0'],
    ['broadcast', '255.255.255.255'],
    ['unique local', 'fd00:ec2::254'],
    ['site-local', 'fec0::1'],
    ['mapped', '::ffff:10.0.0.1'],
    ['compatible', '::a00:1'],
    ['NAT64', '64:ff9b::a9fe:a9fe'],
    ['local NAT64', '64:ff9b:1::a9fe:a9fe'],
    ['6to4', '2002:a00:1::'],
    ['Teredo', '2001:0:4136:e378:8000:63bf:5601:5601'],
    ['unassigned', '4000::1'],
    ['multicast', 'ff02::1'],
    ['unspecified', '::'],
    ['short form', '10.1'],
    ['decimal', '2130706433'],
    ['octal', '0177.0.0.1'],
    ['hexadecimal', '0x7f.0.0.1'],
    ['a name', 'localhost'],
    ['with a zone', 'fe80::1%eth0'],
    ['empty', ''],
  ])('refuses an address that is %s', async (_kind, address) => {
    await expect(dialler.tcp({ address, port: 80, signal: never })).rejects.toMatchObject({ code: 'blocked_private_address' });
  });

  it('refuses bad ports and our own listeners, though the address is allowed', async () => {
    await using server = await rawServer(() => {});
    const guarded = createDialler({
      policy: createAddressPolicy({ allowNets: ['127.0.0.0/8'], listeners: () => [{ addresses: ['127.0.0.1'], ports: [server.port] }] }),
    });
    for (const port of [25, server.port])
      await expect(guarded.tcp({ address: '127.0.0.1', port, signal: never })).rejects.toMatchObject({ code: 'blocked_policy' });
    expect(server.received).toEqual([]);
  });

  it('judges again what it is connected to', async () => {
    await using server = await rawServer(() => {});
    const verdicts: AddressVerdict[] = [
      { allowed: true, class: 'public', address: '127.0.0.1' },
      { allowed: false, class: 'loopback', address: '127.0.0.1' },
    ];
    const fickle = createDialler({ policy: { judge: () => verdicts.shift() ?? verdictOfNothing } });
    await expect(fickle.tcp({ address: '192.0.2.1', port: server.port, signal: never })).rejects.toMatchObject({
      code: 'blocked_private_address',
    });
  });

  it('names what the kernel says', async () => {
    const server = await rawServer(() => {});
    await server[Symbol.asyncDispose]();
    const dial = (options: { localAddress?: string }) =>
      dialler.tcp({ address: '127.0.0.1', port: server.port, signal: never, ...options });
    await expect(dial({})).rejects.toMatchObject({ code: 'connect_refused', seen: '127.0.0.1 ECONNREFUSED' });
    await expect(dial({ localAddress: '198.51.100.7' })).rejects.toMatchObject({ code: 'no_network', seen: 'EADDRNOTAVAIL' });
  });

  it('binds to the local address it is given', async () => {
    await using server = await rawServer((socket) => socket.end(socket.remoteAddress ?? ''));
    const socket = await dialler.tcp({ address: '127.0.0.1', port: server.port, signal: never, localAddress: '127.0.0.7' });
    expect(String(await new Promise((resolve) => socket.once('data', resolve)))).toBe('127.0.0.7');
  });

  it('leaves through the interface it is given, or not at all', async () => {
    await using server = await rawServer((socket) => socket.end('hello'));
    const dial = (device: string) => dialler.tcp({ address: '127.0.0.1', port: server.port, signal: AbortSignal.timeout(500), device });
    const socket = await dial('lo');
    expect(String(await new Promise((resolve) => socket.once('data', resolve)))).toBe('hello');
    await expect(dial('wg-gone')).rejects.toMatchObject({ code: 'no_network', seen: 'wg-gone' });
    expect(server.received).toHaveLength(1);
  });

  // A machine with loopback alone cannot show it.
  it.skipIf(otherInterface === undefined)('does not fall back to another route', async () => {
    await using server = await rawServer(() => {});
    const signal = AbortSignal.timeout(500);
    const dial = dialler.tcp({ address: '127.0.0.1', port: server.port, signal, device: otherInterface! });
    await expect(dial).rejects.toMatchObject({ code: 'connect_timeout' });
    expect(server.received).toEqual([]);
  });

  it('closes the socket when the signal aborts, before and after the connect', async () => {
    await using server = await rawServer(() => {});
    const control = new AbortController();
    const socket = await dialler.tcp({ address: '127.0.0.1', port: server.port, signal: control.signal });
    const closed = new Promise((resolve) => socket.once('close', resolve));
    control.abort();
    await closed;
    await expect(dialler.tcp({ address: '127.0.0.1', port: server.port, signal: control.signal })).rejects.toMatchObject({
      code: 'cancelled',
    });
    expect(server.received).toHaveLength(1);
  });
});

const verdictOfNothing: AddressVerdict = { allowed: false, class: 'reserved', address: '' };

describe('operatorTcp', () => {
  it('reaches a configured endpoint whatever the policy says, and nothing beside it', async () => {
    await using server = await rawServer(() => {});
    await using other = await rawServer(() => {});
    const { resolver } = loopbackPorts();
    const endpoints = [{ host: '127.0.0.1', port: server.port }];
    const strict = createDialler({ policy: createAddressPolicy(), operator: { endpoints, resolver } });
    const socket = await strict.operatorTcp({ endpoint: endpoints[0]!, signal: never });
    expect(socket.remotePort).toBe(server.port);
    socket.destroy();
    const tries = [
      strict.operatorTcp({ endpoint: { host: '127.0.0.1', port: other.port }, signal: never }),
      strict.operatorTcp({ endpoint: { host: '127.0.0.2', port: server.port }, signal: never }),
    ];
    for (const attempt of tries) await expect(attempt).rejects.toMatchObject({ code: 'blocked_policy' });
    await expect(strict.tcp({ address: '127.0.0.1', port: server.port, signal: never })).rejects.toMatchObject({
      code: 'blocked_private_address',
    });
  });

  it('resolves the name of a configured endpoint, an inner one too, and judges what that leads to', async () => {
    await using server = await rawServer(() => {});
    const { resolver } = loopbackPorts({ hosts: { 'exit.corp.test': ['127.0.0.1'], 'db.corp.test': ['127.0.0.1'] } });
    const endpoints = [{ host: 'exit.corp.test', port: server.port }];
    const at = (allowNets: string[]) => createDialler({ policy: createAddressPolicy({ allowNets }), operator: { endpoints, resolver } });
    const socket = await at(['127.0.0.0/8']).operatorTcp({ endpoint: endpoints[0]!, signal: never });
    expect(socket.remotePort).toBe(server.port);
    socket.destroy();
    await expect(at([]).operatorTcp({ endpoint: endpoints[0]!, signal: never })).rejects.toMatchObject({
      code: 'blocked_private_address',
      seen: `port ${server.port}`, // not where the name leads
    });
    await expect(
      at(['127.0.0.0/8']).operatorTcp({ endpoint: { host: 'db.corp.test', port: server.port }, signal: never }),
    ).rejects.toMatchObject({ code: 'blocked_policy' });
  });
});
