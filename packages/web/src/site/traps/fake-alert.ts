import type { Landing } from '../visit/main-visit.ts';

const TELEPHONE = /(?:\+|\b0|\b1[-\s.(]|\(\d)\d{0,3}[\d\s().-]{7,18}\d/;
/** Faults of the machine. */
const FAULTS: readonly RegExp[] = [
  /\b(?:your|this|ihr|votre|su)\s+(?:\w+\s){0,2}(?:computer|pc|device|system|mac|iphone|windows|ordinateur|equipo|ordenador)\b[^.!]{0,60}\b(?:locked|blocked|infected|compromised|disabled|suspended|gesperrt|infiziert|bloqué|infecté|bloqueado|infectado)/i,
  /\b(?:virus|trojans?|spyware|malware|ransomware|riskware|adware|worm|zeus)\b[^.!]{0,60}\b(?:detected|found|infect\w*|alert|warning|gefunden|détecté|detectado)/i,
  /\b(?:windows|microsoft|apple)\b[^.!]{0,20}\b(?:defender|firewall|security|warning)\b[^.!]{0,20}\b(?:alert|warning|center|centre|scan)/i,
];
/** Orders to its owner. */
const ORDERS: readonly RegExp[] = [
  /\bdo not (?:\w+ )?(?:close|shut ?down|restart|turn off|switch off|ignore|exit)|\bif you close this/i,
  /\b(?:call|contact|dial|anrufen|appelez|llame)\b[^.!]{0,60}\b(?:support|microsoft|apple|windows|toll[- ]?free|technicians?|helpline|immediately|sofort|immédiatement)/i,
  /\berror (?:code|number|#)?[\s:#-]{0,4}(?:0x[0-9a-f]{4}|[a-z]{2}-?\d{3})/i,
];
/** The acts of a page that will not let its visitor go. */
const ACTS: readonly (readonly [act: string, code: RegExp])[] = [
  ['fills the screen', /request-?full-?screen/i],
  ['will not be left', /onbeforeunload|['"]beforeunload['"]/i],
  [
    'takes the keys away',
    /(?:onkey(?:down|press|up)\s{0,9}=|['"]key(?:down|up|press)['"])[^]{0,200}?(?:preventDefault|return\s{0,9}(?:false|!1))|keyboard\.lock/i,
  ],
  ['takes the menu away', /(?:oncontextmenu\s{0,9}=|['"]contextmenu['"])[^]{0,200}?(?:preventDefault|return\s{0,9}(?:false|!1))/i],
  ['sounds an alarm', /\.play\(\)/],
  ['fills the history', /for\s*\([^)]{0,80}\)[^;]{0,80}history\.pushState|setInterval\([^]{0,120}history\.pushState/],
  ['hides the pointer', /cursor\s*[:=]\s*['"]?none|requestPointerLock/i],
];
/** Acts of pages that only will not be copied. */
const AGAINST_COPIES = new Set(['takes the keys away', 'takes the menu away']);
/** A page of more text than this explains. */
const CHARS_MAX = 6_000;

/**
 * Returns the evidence of a false alarm with a telephone number ("tech support"). Its words have a fault of the machine and an order, and two acts hold its
 * visitor. An article about such pages lets its readers go. Empty without it.
 */
export function fakeAlert({ page }: Landing): string {
  if (page.text.length > CHARS_MAX) return '';
  const said = `${page.info.title} ${page.text}`;
  const telephone = TELEPHONE.exec(said)?.[0];
  const [faults, orders] = [FAULTS, ORDERS].map((list) => list.flatMap((words) => words.exec(said)?.[0] ?? [])) as [string[], string[]];
  if (telephone === undefined || faults.length === 0 || orders.length === 0) return '';
  const codes = [...page.inlineScripts, ...page.handlers.split(/\n(?=on)/)];
  const acts = ACTS.flatMap(([act, words]) => (codes.some((code) => words.test(code)) ? [act] : []));
  if (page.playsByItself && !acts.includes('sounds an alarm')) acts.push('sounds an alarm');
  const holds = acts.length > 1 && acts.some((act) => !AGAINST_COPIES.has(act));
  return !holds ? '' : `it says "${faults[0]!.slice(0, 80)}", has the number ${telephone.trim()}, and ${acts.join(', ')}`;
}
