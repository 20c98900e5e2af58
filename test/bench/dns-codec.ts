/**
 * CPU of our DNS codec beside dns-packet's on the same octets, in alternating pairs, ratios are medians over the pairs. What both decode is
 * not the same: ours also gives every record's RDATA in canonical form and checks each length. `PAIRS=15 node test/bench/dns-codec.ts`
 */
import packet from 'dns-packet';
import { decodeMessage, encodeQuery } from '../../packages/probes/src/dns/wire/message.ts';
import { encodeName } from '../../packages/probes/src/dns/wire/name.ts';
import { hex, message, record, RECORDS } from '../probes/dns/wire/messages.ts';
import { encodePeerQuery } from '../probes/dns/wire/peer-query.ts';
import { median } from './figures.ts';

const PAIRS = Number(process.env['PAIRS'] ?? 15);
const SAMPLE_MS = 60;

/** A response to `www.example.test. IN A` by dns-packet, which compresses nothing: the name is a pointer here by hand. */
const webServer = ((): Buffer => {
  const name = '03 777777 07 6578616d706c65 04 74657374 00';
  const alias = 'c00c 0005 0001 0000012c 0006 03 63646e c010';
  const addresses = [1, 2, 3, 4].map((last) => `c02e 0001 0001 0000003c 0004 c00002${last.toString(16).padStart(2, '0')}`);
  return hex(`0001 8180 0001 0005 0000 0001 ${name} 0001 0001 ${alias} ${addresses.join('')} 00 0029 04d0 00000000 0000`);
})();

/** Every type that we show, in one message. */
const zoo = ((): Buffer => {
  const answers = RECORDS.map(({ octets }) => octets.subarray(12 + 7).toString('hex'));
  const octets = message(answers.join(''));
  octets.writeUInt16BE(answers.length, 6);
  return octets;
})();

/** 64 KiB whose records all point to the end of a chain of pointers to pointers. */
const chain = ((): Buffer => {
  const start = 12 + 7 + 12;
  const links = ['016100'];
  let last = start;
  for (let at = start + 3; at < 0x3ff0; at += 2) {
    links.push((0xc000 | last).toString(16));
    last = at;
  }
  const first = record(65_280, links.join(''));
  const pointing = record(2, (0xc000 | last).toString(16));
  const count = Math.floor((65_535 - message(first).length) / 14);
  const octets = message(first + pointing.repeat(count));
  octets.writeUInt16BE(count + 1, 6);
  return octets;
})();

/** 64 KiB of records that point to one name of 126 labels. */
const labels = ((): Buffer => {
  const first = record(2, `${'0161'.repeat(126)}00`);
  const count = Math.floor((65_535 - message(first).length) / 14);
  const octets = message(first + record(2, 'c01f').repeat(count));
  octets.writeUInt16BE(count + 1, 6);
  return octets;
})();

const query = {
  ours: () =>
    encodeQuery({ name: encodeName('www.example.test')!, type: 1, recursionDesired: true, checkingDisabled: false, dnssec: true }, true)
      .octets,
  dnsPacket: () => encodePeerQuery('A', 'www.example.test'),
};
const decoding = (octets: Buffer) => ({ ours: () => decodeMessage(octets), dnsPacket: () => packet.decode(octets) });

const WORK: Record<string, { ours: () => unknown; dnsPacket: () => unknown }> = {
  'encode a query with EDNS and DO': query,
  'decode a CNAME and four addresses': decoding(webServer),
  'decode a record of every type that we show': decoding(zoo),
  'the same with its RDATA, which dns-packet can only write anew': {
    ours: () => decodeMessage(zoo),
    dnsPacket: () => packet.encode({ answers: packet.decode(zoo).answers ?? [] }),
  },
  'decode 64 KiB of pointers to a chain of pointers': decoding(chain),
  'decode 64 KiB of pointers to a name of 126 labels': decoding(labels),
};

/** CPU µs of one piece of work, run for about SAMPLE_MS. */
function cpuOf(work: () => unknown): number {
  const before = process.cpuUsage();
  const end = performance.now() + SAMPLE_MS;
  let count = 0;
  while (performance.now() < end) {
    work();
    count++;
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / count;
}

const round = (value: number): number => Number(value.toPrecision(3));

for (const [what, { ours, dnsPacket }] of Object.entries(WORK)) {
  const pairs: { ours: number; dnsPacket: number }[] = [];
  for (let i = 0; i < 3; i++) [ours, dnsPacket].forEach(cpuOf); // warm
  for (let i = 0; i < PAIRS; i++) {
    if (i % 2 === 0) pairs.push({ ours: cpuOf(ours), dnsPacket: cpuOf(dnsPacket) });
    else {
      const second = cpuOf(dnsPacket);
      pairs.push({ ours: cpuOf(ours), dnsPacket: second });
    }
  }
  const figures = {
    ours_us: round(median(pairs.map((pair) => pair.ours))),
    dns_packet_us: round(median(pairs.map((pair) => pair.dnsPacket))),
    ratio: round(median(pairs.map((pair) => pair.dnsPacket / pair.ours))),
  };
  process.stdout.write(`${JSON.stringify({ bench: 'dns-codec', what, ...figures })}\n`);
}
