import { networkInterfaces } from 'node:os';
import { expect, it } from 'vitest';
import { readCa, systemClock } from '@vedette/probes/net';
import { ownAddresses } from '@vedette/probes/net';
import { interfaceAddress } from '../../../packages/probes/src/net/own-addresses.ts';

it('lists this machine, without zones', () => {
  expect(ownAddresses()).toContain('127.0.0.1');
  expect(ownAddresses().filter((address) => address.includes('%'))).toEqual([]);
});

it('binds to an interface by its own address, and to nothing when it is not there', () => {
  const loopback = Object.entries(networkInterfaces()).find(([, infos]) => infos?.some((info) => info.address === '127.0.0.1'))![0];
  expect(interfaceAddress(loopback, 4)).toBe('127.0.0.1');
  expect(interfaceAddress('wg-gone', 4)).toBeUndefined();
});

it('reads the certificates of a PEM file one by one', () => {
  const pem = (text: string) => `-----BEGIN CERTIFICATE-----\n${text}\n-----END CERTIFICATE-----`;
  expect(readCa(`# comment\n${pem('QUJD')}\n-----BEGIN PRIVATE KEY-----\nx\n-----END PRIVATE KEY-----\n${pem('REVG')}\n`)).toEqual([
    pem('QUJD'),
    pem('REVG'),
  ]);
  expect(() => readCa('nothing')).toThrow('no certificate in the CA file');
});

it('sleeps on the monotonic clock until the signal', async () => {
  const control = new AbortController();
  const sleeping = systemClock.sleep(60_000, control.signal);
  control.abort(new Error('enough'));
  await expect(sleeping).rejects.toThrow('enough');
  await expect(systemClock.sleep(1, control.signal)).rejects.toThrow('enough');
  const before = systemClock.now();
  await systemClock.sleep(5);
  expect(systemClock.now()).toBeGreaterThan(before);
});
