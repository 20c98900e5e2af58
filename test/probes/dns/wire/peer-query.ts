import packet, { type RecordType } from 'dns-packet';

/** The query that our encoder writes, by dns-packet: recursion desired, AD, and an OPT record with DO (RFC 6891, RFC 6840 §5.7). */
export const encodePeerQuery = (type: RecordType, name: string): Buffer =>
  packet.encode({
    type: 'query',
    id: 0,
    flags: packet.RECURSION_DESIRED | packet.AUTHENTIC_DATA,
    questions: [{ type, name }],
    additionals: [
      {
        type: 'OPT',
        name: '.',
        udpPayloadSize: 1232,
        flags: packet.DNSSEC_OK,
        extendedRcode: 0,
        ednsVersion: 0,
        flag_do: true,
        options: [],
      },
    ],
  });
