import type { SiteEvidence } from '../evidence.ts';
import { registrableOf } from '../registrable-of.ts';
import { elsewhere, type Landing } from '../visit/main-visit.ts';
import type { Form } from '../visit/page-facts.ts';
import { secretOf, stepOf } from './asked.ts';
import {
  brandOfFields,
  brandOfIcon,
  brandOfLogo,
  brandOfLogoLink,
  brandSaved,
  copyOfAnother,
  borrowedFrom,
  brandAlone,
  brandOfNotice,
  brandOfProgram,
  savedFile,
  documentGate,
  helpElsewhere,
  isNamelessCheckout,
  isOverPicture,
  mostLinksTo,
} from './copies.ts';
import { cardCodeOf, devicePretext, documentPretext, mailboxPretext, rentedProgram, threatIn } from './pretexts.ts';
import {
  appleAccount,
  brandAsked,
  brandDisguised,
  brandFirst,
  brandSpoken,
  type Meant,
  mixedText,
  rewardFor,
  wordWithFigures,
} from './wording.ts';
import {
  borrowsFrom,
  brandInNames,
  brandInText,
  dressedBy,
  homeElsewhere,
  isBeside,
  isBesidePage,
  isNamedLogIn,
  isOwn,
  isShort,
  isSignIn,
  onlyName,
  otherWords,
  termsElsewhere,
} from './claims.ts';

/**
 * Returns the evidence that a page asks for a password or a card in a brand's name, and is not the brand's: the name, and the form. Empty without
 * it. WordPress, Roundcube and other programs of many owners do not count as brands. A page for something beside a brand is not its log-in.
 */
export function credentialTrap(landing: Landing, evidence: SiteEvidence): string {
  const { forms } = landing.page;
  const domain = registrableOf(new URL(landing.url).hostname);
  // Banks have the cards of shops.
  if (evidence.isWellKnown(domain) || evidence.brands.ownerOf(domain)?.domains.some((own) => OF_BANKS.test(own))) return '';
  // Copied pages keep forms that lead nowhere beside the one that works.
  const asking = forms.filter((form) => secretOf(form) !== undefined);
  const trap = asking.find(isBesidePage) ?? asking[0];
  if (trap) return detailOf(claimOf(landing, evidence, trap), trap, secretOf(trap)!);
  const rewarded = forms.find((form) => stepOf(form) === 'user name' && rewardFor(landing, evidence.brands) !== undefined);
  const reward = rewarded && ROBOT.test(landing.page.text) ? rewardFor(landing, evidence.brands) : undefined;
  if (rewarded && reward && !isOwn(reward.brand, registrableOf(new URL(landing.url).hostname), evidence.brands))
    return detailOf(`it promises a reward of ${reward.brand}: ${reward.says}`, rewarded, 'user name');
  // Anyone may ask for an address: such a form must be all there is, in words of log-ins.
  const step = forms.find((form) => stepOf(form) !== undefined && (form.action !== '' || isNamedLogIn(landing)));
  if (!step || !isShort(landing)) return '';
  const figures = wordWithFigures(landing);
  if (figures !== '') return detailOf(`it writes a word of log-ins with figures ("${figures}")`, step, stepOf(step)!);
  if (!IN_STEPS.test(landing.page.text)) return '';
  return detailOf(stepClaim(landing, evidence, step), step, stepOf(step)!);
}

const OF_BANKS = /bank|cards/;
const IN_STEPS =
  /\bsign[ -]?in\b|\blog[ -]?in\b|2-step|two[- ]step|verification code|security code|enter (?:the |your )?(?:\d-digit )?(?:code|otp)|\botp\b|verify (?:your identity|it['’]s you)|anmelden|connectez|iniciar sesi|accedi|entrar|войти|登录/i;

/** The pretext on which the next page of such a campaign asks for more. */
const ROBOT = /\bnot a robot\b|\bhuman verification\b|\bverify (?:that )?you(?:'re| are) (?:a )?human\b/i;

const detailOf = (claim: string, { action }: Form, asked: string): string =>
  claim === '' ? '' : `${claim}; a form ${action === '' ? '' : `to ${action} `}asks for a ${asked}`;

/** The claim of a page that asks for a user name or a code: it has the brand's own dress or address, or is called by the brand and nothing else. */
function stepClaim(landing: Landing, evidence: SiteEvidence, step: Form): string {
  const brand = onlyName(landing, evidence) ?? (stepOf(step) === 'code' ? brandFirst(landing, evidence, step)?.brand : undefined);
  const name = brand === undefined ? '' : named(brand, landing, evidence, step);
  if (name !== '') return name;
  const icon = brandOfIcon(landing, evidence);
  const domain = registrableOf(new URL(landing.url).hostname);
  const fields = brandOfFields(landing, evidence, step);
  if (fields && !isOwn(fields.brand, domain, evidence.brands)) return `its form is a copy of ${fields.brand}: ${fields.says}`;
  if (icon && !isOwn(icon.brand, domain, evidence.brands)) return `its icon is that of ${icon.brand}: ${icon.says}`;
  return originClaim(landing, evidence);
}

function claimOf(landing: Landing, evidence: SiteEvidence, trap: Form): string {
  const brand = brandInNames(landing, evidence);
  const name = brand === undefined ? '' : named(brand, landing, evidence, trap);
  if (name !== '') return name;
  const meant = meantClaim(landing, evidence, trap);
  if (meant !== '' || !isSignIn(landing)) return meant;
  const inText = brandInText(landing, evidence);
  const told = inText === undefined ? '' : named(inText, landing, evidence, trap);
  if (told !== '') return told;
  const terms = termsElsewhere(landing, evidence);
  if (terms !== '') return `its terms and its help with passwords are at ${terms}`;
  const links = mostLinksTo(landing, evidence);
  if (links !== '') return `most of its links lead to ${links}`;
  return originClaim(landing, evidence);
}

/** The claim of a page by its words, by how it writes them, or as a copy. */
function meantClaim(landing: Landing, evidence: SiteEvidence, trap: Form): string {
  const domain = registrableOf(new URL(landing.url).hostname);
  for (const [how, find] of MEANT) {
    const meant = find(landing, evidence, trap);
    if (meant && !isOwn(meant.brand, domain, evidence.brands)) return `${how} ${meant.brand}: ${meant.says}`;
  }
  const copied = copyOfAnother(landing, evidence, trap);
  if (copied !== '') return `it is a copy of a page of ${copied}`;
  if (isOverPicture(landing, trap)) return 'its fields lie over a picture of a page';
  const borrowed = borrowedFrom(landing, evidence, trap);
  if (borrowed !== '') return `it has the name, the pictures and the style of ${borrowed}`;
  const saved = savedFile(landing, evidence, trap);
  if (saved !== '') return `a browser saved it from elsewhere (${saved})`;
  const help = helpElsewhere(landing, evidence, trap);
  if (help !== '') return `its help with passwords is at ${help}`;
  const figures = isShort(landing) && isBesidePage(trap) ? wordWithFigures(landing) : '';
  if (figures !== '') return `it writes a word of log-ins with figures ("${figures}")`;
  const gate = documentPretext(landing, trap) || (isShort(landing) ? documentGate(landing, trap) : '');
  if (gate !== '') return `it shows a document for a password: ${gate}`;
  const pretext = secretOf(trap) === 'password' ? devicePretext(landing, trap) : '';
  if (pretext !== '') return `it asks for the password of a network or a device ("${pretext}")`;
  const mailbox = secretOf(trap) === 'password' ? mailboxPretext(landing, trap) : '';
  if (mailbox !== '') return `it asks for the password of a mailbox ("${mailbox}")`;
  const code = cardCodeOf(trap);
  if (code !== '') return `it asks for what a shop never asks beside a card ("${code}")`;
  const threat = threatIn(landing);
  if (threat !== '') return `it threatens to close an account ("${threat}")`;
  const program = rentedProgram(landing, evidence, trap);
  if (program !== '') return `it sends what is typed to a program of another owner, at ${program}`;
  if (isNamelessCheckout(landing, trap)) return 'it does not say who asks';
  if (trap.isEncoded && isBesidePage(trap) && isShort(landing) && otherWords(landing, []).length === 0)
    return 'its form stands in it in a code';
  const mixed = mixedText(landing);
  return mixed === '' ? '' : `its words have letters of another alphabet: ${mixed}`;
}

const MEANT: readonly (readonly [how: string, find: (landing: Landing, evidence: SiteEvidence, form: Form) => Meant | undefined])[] = [
  ['it disguises the name', brandDisguised],
  ['it says that it is of', brandSpoken],
  ['it asks for the password of', brandAsked],
  ['it asks for an account of', appleAccount],
  ['its title begins with', brandFirst],
  ['it is a copy of', brandSaved],
  ['its pictures are those of', brandOfLogo],
  ['its notice of copyright is that of', brandOfNotice],
  ['it speaks only of', brandAlone],
  ['its logo is that of', brandOfLogoLink],
  ['it has the log-in of another program than', brandOfProgram],
  ['its icon is that of', brandOfIcon],
  ['its form is a copy of', brandOfFields],
];

function originClaim(landing: Landing, evidence: SiteEvidence): string {
  const home = homeElsewhere(landing, evidence);
  if (home !== '') return `it says that it is at ${home}`;
  const dress = dressedBy(landing, evidence);
  return dress === '' ? '' : `its style sheets or icons are those of ${dress}`;
}

/** Titles of the pages at which banks ask whether a payment is their customer's: they have the name of a card. */
const OF_ISSUERS = /\bverified by visa\b|\bvisa secure\b|\bmastercard (?:securecode|identity check|id check)\b/i;
const isOfCardIssuer = (brand: string, { page: { info, headings } }: Landing, trap: Form): boolean =>
  /^(?:visa|mastercard)$/.test(brand) &&
  OF_ISSUERS.test([info.title, ...headings].join('\n')) &&
  secretOf(trap) !== 'card' &&
  !trap.hasCard &&
  !isBesidePage(trap);

function named(brand: string, landing: Landing, evidence: SiteEvidence, trap: Form): string {
  const { page, url } = landing;
  const domain = registrableOf(new URL(url).hostname);
  if (isOwn(brand, domain, evidence.brands) || isOfCardIssuer(brand, landing, trap)) return '';
  const sendsTo = URL.canParse(trap.action, url) ? new URL(trap.action, url).href : url;
  const isMeant =
    !isBeside(landing, evidence) ||
    evidence.name.homoglyph !== '' ||
    evidence.name.typosquat !== '' ||
    evidence.isFreeHost ||
    (/^https?:/.test(sendsTo) &&
      elsewhere(sendsTo, domain) !== '' &&
      !isOwn(brand, registrableOf(new URL(sendsTo).hostname), evidence.brands)) ||
    borrowsFrom(brand, landing);
  return isMeant ? `it calls itself ${brand}: ${page.info.title || page.headings[0] || page.info.og_site_name}` : '';
}
