import { validity } from '@vedette/contract';
import { buildChain, isCurrent } from './chain.ts';
import { type Certificate, PILOT } from '../certificates/index.ts';
import { type EmbeddedLogo, readLogotype } from './logo/logotype.ts';
import { readPem } from './pem.ts';

/** Subject attributes of the Minimum Security Requirements for Issuance of Mark Certificates. */
const MARK_COUNTRY = '1.3.6.1.4.1.53087.1.3';
const MARK_REGISTRATION = '1.3.6.1.4.1.53087.1.4';
const MARK_TYPE = '1.3.6.1.4.1.53087.1.13';

/** A mark that a law grants instead of a trademark office: a full VMC, without a trademark. */
const GOVERNMENT_MARK = 'Government Mark';

/** Marks of a Common Mark Certificate: no trademark office has registered them in this form. */
const COMMON_MARKS = new Set(['Prior Use Mark', 'Modified Registered Mark']);

/** A mark certificate file, read and judged as far as that goes without the network. */
export interface MarkEvidence {
  leaf: Certificate | undefined;
  /** The chain from the leaf to a mark verifying authority; empty without one. */
  chain: readonly Certificate[];
  expired: boolean;
  trademark: { country: string; registration: string };
  /** `mark`: as the certificate names it, such as "Registered Mark"; early certificates do not. */
  mark: string;
  isCommonMark: boolean;
  isGovernmentMark: boolean;
  logo: EmbeddedLogo | 'unreadable' | undefined;
  /** Why it proves nothing; each reads on from "it …". */
  faults: readonly string[];
  /** Properties that some receivers may not accept. */
  advice: readonly string[];
}

/** Reads a VMC or CMC with its intermediates. Any bytes will do. `roots`: as `markRoots` gives them. */
export async function readEvidence(file: Uint8Array, roots: readonly Certificate[], now: Date): Promise<MarkEvidence> {
  const { certificates, fault } = readPem(file);
  const leaf = certificates.find(({ x509 }) => !x509.ca) ?? certificates[0];
  const nothing = {
    chain: [],
    expired: false,
    trademark: { country: '', registration: '' },
    mark: '',
    isCommonMark: false,
    isGovernmentMark: false,
    advice: [],
  };
  if (!leaf) return { ...nothing, leaf, logo: undefined, faults: [fault] };
  const { x509, subject } = leaf;
  const chain = buildChain(leaf, certificates, roots, now);
  const logo = await readLogotype(leaf);
  const mark = subject.get(MARK_TYPE) ?? '';
  const faults = [fault, chain.fault];
  if (!isCurrent(leaf, now)) faults.push(validity(x509).to < now ? 'has expired' : 'is not valid yet');
  if (logo === 'unreadable') faults.push('carries a logo that cannot be unpacked');
  else if (logo && !logo.hashAgrees) faults.push('carries a logo that does not agree with its hash');
  return {
    leaf,
    chain: chain.certificates,
    expired: validity(x509).to < now,
    trademark: { country: subject.get(MARK_COUNTRY) ?? '', registration: subject.get(MARK_REGISTRATION) ?? '' },
    mark,
    isCommonMark: COMMON_MARKS.has(mark),
    isGovernmentMark: mark === GOVERNMENT_MARK,
    logo,
    faults: faults.filter((text) => text !== ''),
    advice: [
      ...(leaf === certificates[0] ? [] : ['its own certificate does not come first (put it there)']),
      ...(leaf.extensions.has(PILOT) ? ['it is of the pilot for Common Mark Certificates, which not every provider takes part in'] : []),
    ],
  };
}
