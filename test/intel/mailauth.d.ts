/** Parts of mailauth that have no types of their own. */
declare module 'mailauth/lib/tools.js' {
  type Resolve = (name: string, type: string) => Promise<unknown[]>;
  export function getPublicKey(
    type: 'DKIM',
    name: string,
    minBitLength: number,
    resolver: Resolve,
    options: { strict: boolean; hashAlgo: string },
  ): Promise<{ keyType: string; modulusLength?: number }>;
}

declare module 'mailauth/lib/dmarc/get-dmarc-record.js' {
  type Resolve = (name: string, type: string) => Promise<unknown[]>;
  interface Record {
    rr: string;
    p?: string;
    sp?: string;
    np?: string;
    recordDomain: string;
    orgDomain: string | null;
  }
  function getDmarcRecord(domain: string, resolver: Resolve, options: { strict: boolean }): Promise<Record | false>;
  namespace getDmarcRecord {
    function getPolicyTags(record: Record): { p: string; sp?: string; np?: string } | null;
  }
  export default getDmarcRecord;
}

declare module 'mailauth/lib/parse-received.js' {
  interface Clause {
    value: string;
    comment?: string;
  }
  export function parseReceived(field: string): { from?: Clause };
  export function getClientAddress(from: Clause | undefined): string | false;
}

declare module 'mailauth/lib/parse-dkim-headers.js' {
  /** One of its entries for each name, several where a name is there several times. */
  type Parsed = Record<string, unknown>;
  export default function parseHeader(field: string): { parsed: Parsed };
}
