import { ProbeFailure, recordsOf, type RecordType, type Resolver } from '@vedette/contract';

/** Our resolver in the form that mailauth asks: node:dns answers and error codes. */
export function forMailauth(resolver: Resolver) {
  return async (name: string, type: string): Promise<any[]> => {
    const answer = await resolver.query(name, type).catch((error: unknown) => {
      throw error instanceof ProbeFailure ? coded('ETIMEOUT') : error;
    });
    if (answer.rcode === 'NXDOMAIN') throw coded('ENOTFOUND');
    if (answer.rcode !== 'NOERROR') throw coded(answer.rcode === 'REFUSED' ? 'EREFUSED' : 'ESERVFAIL');
    const records = recordsOf(answer, type as RecordType);
    if (records.length === 0) throw coded('ENODATA');
    return records.map(({ data }) => forNode(type, data));
  };
}

const coded = (code: string): Error => Object.assign(new Error(code), { code });

function forNode(type: string, data: unknown): unknown {
  if (type === 'TXT') return (data as Uint8Array[]).map((part) => Buffer.from(part).toString('utf8'));
  if (type !== 'MX') return data;
  const { preference, exchange } = data as { preference: number; exchange: string };
  return { priority: preference, exchange };
}
