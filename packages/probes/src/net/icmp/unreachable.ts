/** What the network says when it refuses an echo, in the words of ping(8). */

// RFC 792, RFC 1122 §3.2.2.1, RFC 1812 §5.2.7.1
const DESTINATION_UNREACHABLE_V4 = [
  'Destination Net Unreachable',
  'Destination Host Unreachable',
  'Destination Protocol Unreachable',
  'Destination Port Unreachable',
  'Frag needed and DF set',
  'Source Route Failed',
  'Destination Net Unknown',
  'Destination Host Unknown',
  'Source Host Isolated',
  'Destination Net Prohibited',
  'Destination Host Prohibited',
  'Destination Net Unreachable for Type of Service',
  'Destination Host Unreachable for Type of Service',
  'Packet filtered',
  'Precedence Violation',
  'Precedence Cutoff',
];
// RFC 4443 §3.1
const DESTINATION_UNREACHABLE_V6 = [
  'No route',
  'Administratively prohibited',
  'Beyond scope of source address',
  'Address unreachable',
  'Port unreachable',
  'Source address failed ingress/egress policy',
  'Reject route to destination',
];

/** The text of an ICMP error about one of our echoes. */
export function unreachableText(family: 4 | 6, type: number, code: number): string {
  if (family === 4) {
    if (type === 3) return DESTINATION_UNREACHABLE_V4[code] ?? `Dest Unreachable, Bad Code: ${code}`;
    if (type === 11) return code === 0 ? 'Time to live exceeded' : 'Frag reassembly time exceeded';
    if (type === 12) return 'Parameter problem';
  } else {
    if (type === 1) return `Destination unreachable: ${DESTINATION_UNREACHABLE_V6[code] ?? `Unknown code ${code}`}`;
    if (type === 2) return 'Packet too big';
    if (type === 3) return code === 0 ? 'Time exceeded: Hop limit' : 'Time exceeded: Defragmentation failure';
    if (type === 4) return 'Parameter problem';
  }
  return `Unknown ICMP error ${type}/${code}`;
}

/** The text where this machine itself refuses to send, by errno name; undefined where the refusal is a defect. */
export const LOCAL_REFUSALS: Readonly<Record<string, string>> = {
  ENETUNREACH: 'Network is unreachable',
  EHOSTUNREACH: 'No route to host',
  EADDRNOTAVAIL: 'No source address of this family',
  ENETDOWN: 'Network is down',
  EACCES: 'Prohibited by a route of this machine',
  EPERM: "Filtered by this machine's firewall",
};
