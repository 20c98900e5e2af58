/** The network's reasons for refusing an echo, in the words of ping(8). */

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

/**
 * The text of an ICMP error that ends an echo. Undefined for what a router may say about one that it passed on all the same: a redirect, a
 * source quench.
 */
export function unreachableText(family: 4 | 6, type: number, code: number): string | undefined {
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
  return undefined;
}
