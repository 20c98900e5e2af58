import type { DnsRecordOf } from '@vedette/contract';
import { compareNames, isUnder, lastLabels, type Name, nameFromWire, nameOf, sameName, sharedLabels } from '../names.ts';
import type { Denial } from '../proof.ts';

interface Span {
  owner: Name;
  next: Name;
  types: ReadonlySet<string>;
}

/** The proofs of one zone's verified NSEC records (RFC 4035 §5.4, with RFC 6840 §4). */
export function nsecDenial(records: readonly DnsRecordOf<'NSEC'>[]): Denial {
  const spans = records.flatMap(({ name, rdata, data }): Span[] => {
    const next = nameFromWire(rdata); // from the octets: signers make up names such as \000.example.org
    return next ? [{ owner: nameOf(name), next, types: new Set(data.types) }] : [];
  });
  const at = (name: Name) => spans.find(({ owner }) => sameName(owner, name));
  const over = (name: Name) => spans.find((span) => covers(span, name));
  /** A name without records of its own, above names that have some. */
  const isEmptyNonTerminal = (name: Name) =>
    spans.some((span) => speaksFor(span, name) && compareNames(span.owner, name) < 0 && isBelow(span.next, name));

  return {
    noName(name) {
      const span = over(name);
      return span && over(['*', ...encloserBy(span, name)]) ? 'proven' : 'unproven';
    },
    noData(name, type) {
      const own = at(name);
      if (own) return lacks(own, name, type) ? 'proven' : 'unproven';
      if (isEmptyNonTerminal(name)) return 'proven';
      const span = over(name);
      const wildcard = span && at(['*', ...encloserBy(span, name)]);
      return wildcard && lacks(wildcard, wildcard.owner, type) ? 'proven' : 'unproven';
    },
    noCloserName(name, encloser) {
      const span = over(name);
      return span && encloserBy(span, name).length === encloser.length ? 'proven' : 'unproven';
    },
    delegation(name) {
      const own = at(name);
      if (own) {
        if (!lacks(own, name, 'DS')) return 'unproven';
        return own.types.has('NS') ? 'unsigned' : 'no_cut';
      }
      if (isEmptyNonTerminal(name)) return 'no_cut';
      return over(name) ? 'absent' : 'unproven';
    },
  };
}

const isBelow = (name: Name, ancestor: Name): boolean => name.length > ancestor.length && isUnder(name, ancestor);

/** A record from above a zone cut, or with a DNAME, says nothing about names below its owner (RFC 6840 §4.1). */
const speaksFor = ({ owner, types }: Span, name: Name): boolean =>
  !(isBelow(name, owner) && (types.has('DNAME') || (types.has('NS') && !types.has('SOA'))));

/** Whether the name lies strictly between owner and next. The last record of a zone points back to the apex. */
function covers(span: Span, name: Name): boolean {
  if (compareNames(span.owner, name) >= 0 || !speaksFor(span, name) || isUnder(span.next, name)) return false;
  return compareNames(name, span.next) < 0 || compareNames(span.next, span.owner) <= 0;
}

/** The deepest ancestor of the covered name that must exist: what it shares with either end. */
const encloserBy = ({ owner, next }: Span, name: Name): Name =>
  lastLabels(name, Math.max(sharedLabels(name, owner), sharedLabels(name, next)));

/**
 * Whether the type bitmap denies `type` at its owner. Above a zone cut it can only speak of DS, at an apex of anything but
 * DS (the parent's matter, except for the root); a CNAME would have been the answer.
 */
export function lacks({ types }: { types: ReadonlySet<string> }, owner: Name, type: string): boolean {
  if (types.has(type) || types.has('CNAME')) return false;
  if (type === 'DS') return !types.has('SOA') || owner.length === 0;
  return !types.has('NS') || types.has('SOA');
}
