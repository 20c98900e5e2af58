/** A QUIC server as its witness sees it: whatever version is offered, it names another (RFC 9000 §6). `node quic-witness.ts ADDRESS`. */
import { createSocket } from 'node:dgram';

const LONG_HEADER = 0x80;
const VERSION_1 = Buffer.of(0, 0, 0, 1);

const socket = createSocket('udp4', (offer, client) => {
  const destination = offer.subarray(6, 6 + offer[5]!);
  const at = 6 + offer[5]!;
  const source = offer.subarray(at + 1, at + 1 + offer[at]!);
  const ids = [Buffer.of(source.length), source, Buffer.of(destination.length), destination];
  socket.send(Buffer.concat([Buffer.of(LONG_HEADER, 0, 0, 0, 0), ...ids, VERSION_1]), client.port, client.address);
});
socket.bind(443, process.argv[2], () => process.stdout.write('ready\n'));
