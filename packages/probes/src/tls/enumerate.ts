import { type Asker, CODES, CURVE_CODES, GROUP_CODES, isRefusal, type Refusal, SIGNATURE_CODES } from './asker.ts';
import { SHARE_GROUPS, TLS1_3 } from './client-hello.ts';
import type { Version, VersionSuites } from './found.ts';
import { CURVES, isPostQuantum, nameOf, type Schemes, SCHEMES_1_3, SIGNATURES } from './groups.ts';
import type { ServerHello } from './server-hello.ts';
import { isBefore1_2, isForSsl3, type Suite, SUITES_1_3, SUITES_OLD, weaknessOf } from './suites.ts';

type OldVersion = Exclude<Version, 'sslv2' | 'tls1_3'>;

const CANDIDATES: Record<OldVersion, readonly Suite[]> = {
  sslv3: SUITES_OLD.filter(isForSsl3),
  tls1_0: SUITES_OLD.filter(isBefore1_2),
  tls1_1: SUITES_OLD.filter(isBefore1_2),
  tls1_2: SUITES_OLD,
};

/** Suites of certificates with a key for elliptic curves. */
const isEcdsa = ({ exchange }: Suite): boolean => exchange.endsWith('_ECDSA');

/** Learns whether a version is spoken, and the first of its suites. */
export async function findVersion(asker: Asker, version: OldVersion): Promise<void> {
  const { found } = asker;
  const chosen = chosenOf(await asker.ask({ versions: [CODES[version]], suites: CANDIDATES[version] }), version);
  if (chosen) found.suites[version] = { suites: [chosen], order: 'unknown', complete: false, weakKnown: false };
  else if (found.versions[version] === 'unknown') found.versions[version] = 'no';
}

/**
 * Learns the other suites of a version: the server chooses one of all that are left, and so on. After `most` of them only one of each kind of weak
 * suite is asked for, and one that shows a Diffie-Hellman prime.
 */
export async function findSuites(asker: Asker, version: OldVersion, most: number): Promise<void> {
  const listed = asker.found.suites[version];
  if (!listed) return;
  let left = CANDIDATES[version].filter((suite) => !listed.suites.includes(suite));
  let isLast = false;
  while (left.length > 0) {
    if (listed.suites.length >= most || isLast) {
      const known = listed.suites.map(weaknessOf);
      const hasPrime = listed.suites.some(showsPrime);
      left = left.filter(
        (suite) => (weaknessOf(suite) !== undefined && !known.includes(weaknessOf(suite))) || (!hasPrime && showsPrime(suite)),
      );
      isLast = true;
      if (left.length === 0) break;
    }
    const answer = await asker.ask({ versions: [CODES[version]], suites: left });
    const chosen = chosenOf(answer, version);
    if (chosen && left.includes(chosen)) {
      listed.suites.push(chosen);
      left = left.filter((suite) => suite !== chosen);
      continue;
    }
    // HAProxy with two certificates takes that of ECDSA for each hello with such a suite, and has none of the other's then.
    const others = left.filter((suite) => !isEcdsa(suite));
    if (isRefusal(answer) && listed.suites.every(isEcdsa) && others.length < left.length) left = others;
    else {
      listed.complete = isRefusal(answer) && !isLast;
      listed.weakKnown = isRefusal(answer);
      return;
    }
  }
  listed.weakKnown = true;
}

const chosenOf = (answer: ServerHello | Refusal, version: OldVersion): Suite | undefined =>
  !isRefusal(answer) && answer.version === CODES[version] ? CANDIDATES[version].find(({ code }) => code === answer.suite.code) : undefined;

const showsPrime = ({ exchange }: Suite): boolean => exchange.startsWith('DH');

/** Learns whether the order of the server decides, or that of its clients: the first of a version is offered behind the last for the same kind of key. */
export async function findOrder(asker: Asker, version: Exclude<Version, 'sslv2'>): Promise<void> {
  const listed = asker.found.suites[version];
  // Many servers prefer ChaCha20 where their client does, and theirs otherwise.
  const suites = listed?.suites.filter(({ name }) => !name.includes('CHACHA20')) ?? [];
  const first = suites[0];
  if (!listed || !first) return;
  const last = suites.findLast((suite) => suite !== first && isEcdsa(suite) === isEcdsa(first)) ?? suites.at(-1)!;
  if (first === last) return;
  const answer = await asker.ask({ versions: [CODES[version]], suites: [last, first] });
  if (isRefusal(answer)) return;
  if (answer.suite.code === first.code) listed.order = 'server';
  if (answer.suite.code === last.code) listed.order = 'client';
}

/**
 * Learns suites and groups of TLS 1.3 together: a hello without a key share is answered by the group that the server wants. Where one of the two
 * has run out, the refusal does not say which: then it is asked for the suites alone.
 */
export async function findTls13(asker: Asker): Promise<void> {
  const { found } = asker;
  const listed: VersionSuites = { suites: [], order: 'unknown', complete: false, weakKnown: true };
  let suites = [...SUITES_1_3];
  let groups = [...GROUP_CODES];
  let hasMoreSuites = true;
  let hasMoreGroups = asker.isFreeInGroups;
  while (hasMoreSuites || hasMoreGroups) {
    const answer = await asker.ask({
      versions: [TLS1_3],
      suites: hasMoreSuites ? suites : SUITES_1_3,
      groups: hasMoreGroups ? groups : GROUP_CODES,
    });
    if (isRefusal(answer) || answer.version !== TLS1_3) {
      if (listed.suites.length === 0) break;
      if (hasMoreSuites && hasMoreGroups) {
        const alone = await asker.ask({ versions: [TLS1_3], suites, groups: GROUP_CODES });
        if (isRefusal(alone)) hasMoreSuites = false;
        else {
          hasMoreGroups = false;
          suites = taken(listed, suites, alone.suite.code);
        }
      } else if (hasMoreSuites) hasMoreSuites = false;
      else hasMoreGroups = false;
    } else {
      found.suites.tls1_3 = listed;
      if (hasMoreSuites) suites = taken(listed, suites, answer.suite.code);
      if (!asker.isFreeInGroups) found.groups = [answer.group];
      const code = groups.find((each) => nameOf('group', each) === answer.group);
      if (hasMoreGroups && code !== undefined) {
        found.groups.push(answer.group);
        if (isPostQuantum(answer.group)) found.postQuantum = 'yes';
        groups = groups.filter((each) => each !== code);
      } else if (hasMoreGroups) hasMoreGroups = false; // an answer without a group that was asked for
    }
    hasMoreSuites &&= suites.length > 0;
    hasMoreGroups &&= groups.length > 0;
  }
  listed.complete = listed.suites.length > 0;
  found.groupsKnown = asker.isFreeInGroups && found.groups.length > 0;
  if (found.versions.tls1_3 === 'unknown') found.versions.tls1_3 = 'no';
  if (found.versions.tls1_3 === 'no' || found.groupsKnown) found.postQuantum = found.groups.some(isPostQuantum) ? 'yes' : 'no';
}

function taken(listed: VersionSuites, suites: readonly Suite[], code: number): Suite[] {
  const chosen = suites.find((suite) => suite.code === code);
  // A server that chooses what it was not offered would be asked for ever.
  if (!chosen) return [];
  listed.suites.push(chosen);
  return suites.filter((suite) => suite !== chosen);
}

/** Learns the curves of a version before TLS 1.3, by suites that need one. */
export async function findCurves(asker: Asker, version: OldVersion): Promise<void> {
  const { found } = asker;
  const suites = found.suites[version]?.suites.filter(({ exchange }) => exchange.startsWith('ECDHE')) ?? [];
  if (suites.length === 0) {
    found.groupsKnown = found.suites[version]?.complete === true;
    return;
  }
  let left = [...CURVE_CODES];
  while (left.length > 0) {
    const answer = await asker.ask({ versions: [CODES[version]], suites, groups: left });
    const [code] = isRefusal(answer) ? [] : (CURVES.find(([each, name]) => name === answer.group && left.includes(each)) ?? []);
    if (code === undefined) break;
    found.groups.push(nameOf('group', code));
    left = left.filter((each) => each !== code);
  }
  found.groupsKnown = true;
}

/** Learns the signature schemes of TLS 1.2, by suites in which the server signs. */
export async function findSignatures(asker: Asker, most: number): Promise<void> {
  const { found } = asker;
  const suites = found.suites.tls1_2?.suites.filter(({ forwardSecrecy, anonymous }) => forwardSecrecy && !anonymous) ?? [];
  if (suites.length === 0) return;
  let left = [...SIGNATURE_CODES];
  for (let asked = 0; left.length > 0; asked++) {
    if (asked >= most) return;
    const answer = await asker.ask({ versions: [CODES.tls1_2], suites, signatures: left });
    const [code] = isRefusal(answer) ? [] : (SIGNATURES.find(([each, name]) => name === answer.signature && left.includes(each)) ?? []);
    if (code === undefined) break;
    found.signatures.push(nameOf('signature', code));
    left = left.filter((each) => each !== code);
  }
  found.signaturesKnown = true;
}

/** Connections of one question: it may be sent again, and proven. */
const MOST_FOR_ONE = 3;

/** Learns the signature schemes of TLS 1.3: the server's choice is encrypted, so each is offered alone, once one of its kind was accepted. */
export async function findSignatures13(asker: Asker): Promise<void> {
  const { found, line } = asker;
  const group = SHARE_GROUPS.find((code) => found.groups.includes(nameOf('group', code)));
  if (found.versions.tls1_3 !== 'yes' || group === undefined) return;
  let isCut = false;
  const accepts = async (signatures: number[]): Promise<boolean> => {
    isCut ||= line.left < MOST_FOR_ONE;
    if (isCut) return false;
    const answer = await asker.askForCertificate({ versions: [TLS1_3], suites: SUITES_1_3, groups: [group], keyShare: group, signatures });
    // A server that refuses by silence would take the time of the whole scan.
    if (isRefusal(answer)) isCut = answer.isSilent;
    return !isRefusal(answer);
  };
  const find = async (schemes: Schemes, isImplied: boolean): Promise<boolean> => {
    if (!isImplied && !(await accepts(codesOf(schemes)))) return false;
    if (typeof schemes === 'number') found.signatures13.push(nameOf('signature', schemes));
    else await findEach(schemes);
    return true;
  };
  const findEach = async (kind: readonly Schemes[], isKnown = true): Promise<void> => {
    let hasOne = false;
    for (const [index, schemes] of kind.entries())
      hasOne = (await find(schemes, isKnown && !isCut && !hasOne && index === kind.length - 1)) || hasOne;
  };
  await findEach(SCHEMES_1_3, false);
  found.signatures13Known = !isCut;
}

const codesOf = (schemes: Schemes): number[] => (typeof schemes === 'number' ? [schemes] : schemes.flatMap(codesOf));
