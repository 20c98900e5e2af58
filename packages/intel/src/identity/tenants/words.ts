import { OFFICE_WORDS, STRONG_LURES, SURE_LURES } from '../lures.ts';
import { isOfBuilder } from './builders.ts';

/** Two words and a number, as Framer draws names: `generous-updates-306134`. */
const DRAWN_BY_BUILDER = /^[a-z]+-[a-z]+-\d{6}$/;

/** Words for signing in as forgers write them into a tenant's name, and not a blog, a catalog or a plug-in: `kucoinloggin`, `geminilogn`. */
const SIGN_IN = /(?<![abcfsv])lo+g+[iu]n(?!g)|signin(?!g)|(?<![abcfsv])(?:lo+g+[aeiou]{0,2}[iu]n+[aeg]?|lo+gn|lgn|lgin|logon)$/;
/** Words that have it within: German for women of a science, `logging`, families (Loginov, Bilgin), the town of Elgin, `design in`. */
const NOT_SIGN_IN =
  /(?:psy(?:ch|k)|bi|zo|ge|kardi|sozi|[fp]h?il|kn?|ur|neur|onk|dermat|kosmet|te(?:ch|k)n|the|te|arch(?:ä|ae)|krimin|graf|astr)olog[iu]n|^ologun|ologin(?:nen)?$|logging|log[iu]n(?:n?o[vw]|no$|off|dustr|dia|te[gl]|sur|stit|ew|work|design)|signin(?:c$|k|stu)|ecologin|ball?ogun|elogun|logoinn|^logunn|^\w{0,6}[eiou]lgin$|designin|^(?:my|the|user|admin|client|member|staff|student|school|page|form|app|demo)?log-?in(?:s|page|form|app|demo|screen|ui)?\d*$/;
const SIGN_IN_WORDS = /^(?:log-?ins?|lo+gi+n+|lo?gi?n|logons?|signin|signon|sso|o?auth[nh]?|webmail|weblogin)$/;
/** Designs of log-ins that a builder's tenant shows (`login-page-template`), those of schools and firms to which it links, and documentation. */
const OF_DESIGNS =
  /^(?:page|form|screen|design|template|ui|ux|demo|app|my|the|kit|modal|animation|cloneable|portal|client|school|staff|student|teacher|parent|member|employee|library|church|club|guide|doc|documentation|tutorial|help|proxy|setup|api|sdk)s?$/;
/** Acts on a wallet: `wallet-synchronize`. Leather and programs are wallets, too. */
const TO_WALLETS = /^(?:syn[cs]|zync|con+[aeio]?[cnt]|fix|valid|auth|dapp|web3|restor|recover|trust|okx|okex)/;

/** Words for signing in and for what is asked, which demonstrations of programs have beside one another: `email-verify-login`, `payment-verification`. */
const OF_DEMOS =
  /^(?:log-?ins?|logons?|signin|signon|sso|o?authn?|authenticat\w+|validat\w+|password\w*|otp|2fa|mfa|sessions?|accounts?|update|reset|payments?|customers?|invoices?|claims?|notifications?|kyc|tracking)$/;
/** The words of the desks of a network, without which offices are a program's: `document-verification-system`. */
const OF_NETWORKS = /^(?:meta|request|apply|bus+iness?|cent(?:er|re)|desk|team|official|free|get)$/;

/** Words of forgers that mean more often another thing, where no brand is beside them: `smith-fine-art`, `espace-culture`. */
const OF_OTHER_THINGS: ReadonlySet<string> = new Set('seed phrase fine espace bridge layanan pusat seguro assurance suspension'.split(' '));
/** Proofs, prizes and what is not usual, of which news, ceilings and pets have some, too: `news-verification-help`. */
const OF_PROOFS = /^(?:verif|unusual|suspend|pacc|rimb|remb|hadiah|undian|pemenang|paylater|klaim|resgate)/;
const OF_BADGES = /badge|appeal|creator|nft|lifetime/;
const isOfForgers = (words: readonly string[]): boolean =>
  words.every((word) => /\d/.test(word) || !/[aeiouy]..|..[aeiouy]/.test(word) || OFFICE_WORDS.has(word) || OF_REQUESTS.test(word));
const OF_REQUESTS = /^(?:your|git|main|projects)$/;
const A_MAILBOX = /^(?:e?mail|mailbox|inbox)$/;

/**
 * Judges the words of a tenant's name: `sure` where only a forger puts them together, `word` where one of his is beside any other word, as in the
 * name of a firm that has a `sparks-support`.
 */
export function tenantLures(label: string, suffix: string): 'sure' | 'word' | '' {
  const words = label.split(/[-_]/).filter((word) => word !== '');
  if (STRONG_LURES.has(label)) return '';
  const lures = [...new Set(words.map((word) => word.replace(/(?<=[a-z]{3})\d+$/, '')))].filter(
    (word) => STRONG_LURES.has(word) && !OF_OTHER_THINGS.has(word),
  );
  const isGlued = words.some((word) => !STRONG_LURES.has(word) && SIGN_IN.test(word) && !NOT_SIGN_IN.test(word));
  const isAny = isGlued || (words.length > 1 && lures.length > 0);
  if (!isAny || DRAWN_BY_BUILDER.test(label)) return '';
  const isBuilders = isOfBuilder(suffix);
  const sure = lures.filter((word) => SURE_LURES.has(word));
  const isOfGift = sure.some((word) => word.startsWith('airdrop'));
  const beside = lures.filter((word) => isBuilders || !OF_DEMOS.test(word) || (isOfGift && word.startsWith('claim')));
  if (
    beside.length > 1 &&
    (sure.some((word) => !OF_PROOFS.test(word)) || (sure.length > 0 && (lures.length > 2 || isOfForgers(words) || OF_BADGES.test(label))))
  )
    return 'sure';
  const isOfOffices = words.length > 2 && words.every((word) => OFFICE_WORDS.has(word) || /^\d+$/.test(word));
  if (
    sure.length > 0 &&
    isOfOffices &&
    (isBuilders || (words.some((word) => OF_NETWORKS.test(word)) && !words.some((word) => OF_DEMOS.test(word))))
  )
    return 'sure';
  if (!isBuilders) return 'word';
  const isSignIn =
    words.length > 1 &&
    words.some((word) => SIGN_IN_WORDS.test(word) || (/^wallets?$/.test(word) && words.some((other) => TO_WALLETS.test(other)))) &&
    !words.every((word) => SIGN_IN_WORDS.test(word) || OF_DESIGNS.test(word));
  const isOfMail = words.some((word) => A_MAILBOX.test(word)) && words.some((word) => /^(?:update|upgrade|verify)$/.test(word));
  return isGlued || isSignIn || isOfMail ? 'sure' : 'word';
}
