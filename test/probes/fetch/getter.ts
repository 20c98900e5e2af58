import type { Socket } from 'node:net';
import type { Dialler } from '@vedette/contract';
import { fetchBytes, type FetchOptions } from '@vedette/probes/fetch';
import { loopbackPorts } from '../http/loopback-ports.ts';

export const HOSTS = { 'a.test': ['127.0.0.1'], 'b.test': ['127.0.0.1'], 'six.test': ['::1'] };

/** Fetches from loopback, over TLS by roots of the test. */
export const getter =
  (ca: readonly string[]) =>
  (url: string, options: Partial<FetchOptions> = {}) => {
    const { resolver, dialler, clock, signal } = loopbackPorts({ hosts: HOSTS });
    return fetchBytes({
      url,
      maxBytes: 1_000,
      timeout_ms: 5_000,
      schemes: ['https:'],
      resolver,
      dialler,
      clock,
      signal,
      ca,
      userAgent: 'test',
      isDenied: () => false,
      ...options,
    });
  };

/** A dialler, and all sockets that it has opened. */
export function recordingDialler(): { dialler: Dialler; sockets: Socket[] } {
  const { dialler } = loopbackPorts();
  const sockets: Socket[] = [];
  const tcp: Dialler['tcp'] = async (options) => {
    const socket = await dialler.tcp(options);
    sockets.push(socket);
    return socket;
  };
  return { dialler: { ...dialler, tcp }, sockets };
}
