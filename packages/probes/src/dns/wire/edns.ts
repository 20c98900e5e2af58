const HEAD_OCTETS = 4;

export const EDNS_OPTIONS = { nsid: 3, clientSubnet: 8, padding: 12 } as const;

/** One option of an OPT record (RFC 6891 §6.1.2). */
export function encodeOption(code: number, data: Uint8Array): Buffer {
  const octets = Buffer.allocUnsafe(HEAD_OCTETS + data.length);
  octets.writeUInt16BE(code);
  octets.writeUInt16BE(data.length, 2);
  octets.set(data, HEAD_OCTETS);
  return octets;
}

/** The first option with the code; undefined without one. One that is cut off counts as absent. */
export function optionOf(options: Buffer, code: number): Buffer | undefined {
  for (let at = 0; at + HEAD_OCTETS <= options.length;) {
    const end = at + HEAD_OCTETS + options.readUInt16BE(at + 2);
    if (end > options.length) return undefined;
    if (options.readUInt16BE(at) === code) return options.subarray(at + HEAD_OCTETS, end);
    at = end;
  }
  return undefined;
}
