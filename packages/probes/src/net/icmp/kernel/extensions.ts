import { checksum } from '../message.ts';
import type { MplsLabel } from '../path-types.ts';

const HEADER_BYTES = 4;
const VERSION = 2;
const [MPLS_CLASS, MPLS_STACK] = [1, 1];
const LABEL_BYTES = 4;

/**
 * The MPLS labels in the extensions of an ICMP error (RFC 4884, RFC 4950), which stand between two offsets. Empty where there are none, or where
 * their checksum is wrong: then they are padding, or damaged.
 */
export function mplsLabels(view: DataView, start: number, end: number): MplsLabel[] {
  if (end - start < HEADER_BYTES || view.getUint8(start) >> 4 !== VERSION || checksum(view, start, end) !== 0) return [];
  const labels: MplsLabel[] = [];
  for (let at = start + HEADER_BYTES; at + HEADER_BYTES <= end;) {
    const next = at + view.getUint16(at);
    if (next < at + HEADER_BYTES || next > end) break;
    if (view.getUint8(at + 2) === MPLS_CLASS && view.getUint8(at + 3) === MPLS_STACK)
      for (let label = at + HEADER_BYTES; label + LABEL_BYTES <= next; label += LABEL_BYTES) labels.push(labelOf(view.getUint32(label)));
    at = next;
  }
  return labels;
}

const labelOf = (word: number): MplsLabel => ({
  label: word >>> 12,
  traffic_class: (word >>> 9) & 7,
  bottom: ((word >>> 8) & 1) === 1,
  ttl: word & 255,
});
