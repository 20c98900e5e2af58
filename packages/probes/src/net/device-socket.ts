import { Socket } from 'node:net';
import { ProbeFailure } from '@vedette/contract';
import { AF_INET, AF_INET6, type Libc, loadLibc, SOCK_STREAM } from './libc.ts';

const SOL_SOCKET = 1;
const SO_BINDTODEVICE = 25;

let libc: Promise<Libc> | undefined;

/**
 * An unconnected TCP socket that the kernel lets out through one interface only, whatever the routes say: a source
 * address alone would still leave by the default route once the tunnel's own route is gone (Linux, unprivileged since 5.7).
 * Rejects with `ProbeFailure` no_network where that cannot be promised.
 */
export async function deviceSocket(device: string, family: 4 | 6): Promise<Socket> {
  try {
    libc ??= loadLibc();
    const { socket, setsockopt, close } = await libc;
    const fd = socket(family === 4 ? AF_INET : AF_INET6, SOCK_STREAM, 0);
    try {
      setsockopt(fd, SOL_SOCKET, SO_BINDTODEVICE, Buffer.from(`${device}\0`));
    } catch (error) {
      close(fd);
      throw error;
    }
    return new Socket({ fd, readable: true, writable: true });
  } catch (error) {
    throw new ProbeFailure('no_network', device, { cause: error });
  }
}
