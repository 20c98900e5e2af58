import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** Sends what a browser, or somebody who is none, would send to a proxy; resolves with everything that came until the proxy closed or `until` was in it. */
export async function say(port: number, text: string, until?: string): Promise<string> {
  const { socket, heard } = await saying(port, text, until);
  socket.destroy();
  return heard;
}

/** The same, with the connection kept. */
export async function saying(port: number, text: string, until?: string): Promise<{ socket: Socket; heard: string }> {
  const socket = connect({ port, host: '127.0.0.1' });
  socket.on('error', () => {});
  await once(socket, 'connect');
  let heard = '';
  const done = new Promise<void>((resolve) => {
    socket.on('data', (chunk: Buffer) => {
      heard += chunk.toString('latin1');
      if (until !== undefined && heard.includes(until)) resolve();
    });
    socket.once('close', () => resolve());
  });
  socket.write(text, 'latin1');
  await done;
  return { socket, heard };
}

export const get = (url: string, fields = ''): string => `GET ${url} HTTP/1.1\r\nHost: ${new URL(url).host}\r\n${fields}\r\n`;
export const connectTo = (authority: string): string => `CONNECT ${authority} HTTP/1.1\r\nHost: ${authority}\r\n\r\n`;
