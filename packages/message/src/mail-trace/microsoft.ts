import type { Believed, TraceField } from './believed.ts';
import { org } from './border.ts';
import type { Hop } from './hop.ts';

/** The fields of the header, the receiver's share of them, and the receiver's servers that took part. */
export interface Written {
  fields: readonly TraceField[];
  evidence: Believed;
  hops: readonly Hop[];
}

/** Whether Microsoft 365 took the message: it takes away what senders wrote into its fields, wherever they stand. */
const isOfCloud = ({ hops }: Written): boolean => hops.some(({ by }) => org(by) === 'outlook.com');

/** Whether an Exchange server took it, in the cloud or not: its header firewall takes X-MS-Exchange-Organization-… away from what comes from outside. */
export const isOfExchange = (written: Written): boolean =>
  isOfCloud(written) || written.hops.some(({ protocol }) => protocol.startsWith('microsoft smtp server'));

/** The value of a field that the cloud keeps for itself; undefined where it was not there. */
export const cloudField = (written: Written, name: string): string | undefined =>
  isOfCloud(written) ? written.fields.find(({ key }) => key === name)?.raw : undefined;

/** `CIP:192.0.2.1;SFV:NSPM;…` of X-Forefront-Antispam-Report, names in upper case; of a message on its way out it says nothing that counts here. */
export function forefrontReport(written: Written): ReadonlyMap<string, string> {
  const items = (cloudField(written, 'x-forefront-antispam-report') ?? '').slice(0, REPORT_MAX_CHARS).split(';');
  const report = new Map(
    items.map((item) => {
      const at = item.indexOf(':');
      return [item.slice(0, Math.max(at, 0)).trim().toUpperCase(), item.slice(at + 1).trim()];
    }),
  );
  return report.get('DIR') === 'OUT' ? new Map() : report;
}
const REPORT_MAX_CHARS = 16_384;
