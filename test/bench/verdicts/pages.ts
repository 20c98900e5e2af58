import { VERDICT_BOUNDS } from '@vedette/intel/risk';
import { faviconHash } from '@vedette/web/images';
import { judgeSite, scoreTrust } from '@vedette/web/site';
import { judgeHostName, type shippedNames } from '@vedette/intel/names';
import { evidenceOf } from '../../web/site/evidence.ts';
import { type Corpus, halfOf } from './corpus.ts';

/** Ages of the domain in days: new, old, and unknown. */
const AGES = { 'five days old': 5, old: 4_000, 'age unknown': undefined } as const;
/** A name that says nothing. */
const NEUTRAL = 'garden-and-tea.com';

/** The evidence of a site that is in order but for its page, and the verdict on it. */
export async function judgedPage(
  html: string,
  host: string,
  days: number | undefined,
  names: ReturnType<typeof shippedNames>,
  icon?: number,
) {
  const age = days === undefined ? undefined : { days, recent: days < 180, veryRecent: days < 30 };
  const name = judgeHostName(host, names);
  const evidence = await evidenceOf({
    host,
    html,
    more: {
      age,
      name,
      icon,
      isFreeHost: name.isTenant,
      isRented: (other) => judgeHostName(other, names).isTenant,
      isWellKnown: (domain) => judgeHostName(domain, names).popularity === 'high',
    },
  });
  const verdict = judgeSite(evidence);
  return { verdict, trust: scoreTrust(evidence, verdict) };
}

/** Prints the trust in kits on a neutral name, in the same pages at home, and in honest pages, by age of the domain. Kits count in the half of their brand, honest pages in both. */
export async function judgedPages(corpus: Corpus, half: 'calibrate' | 'report', names: ReturnType<typeof shippedNames>): Promise<void> {
  for (const [label, at] of [
    ['bad', 'neutral'],
    ['bad', 'own'],
    ['honest', 'own'],
  ] as const) {
    const icons = new Map(corpus.files(`pages/icons`).map(({ name, bytes }) => [name, bytes] as const));
    const pages = corpus
      .files(`pages/${label}`)
      .map(({ name, read }) => ({ name, host: name.split('__')[0]!, html: read(), icon: icons.get(name) }))
      .filter(({ host }) => label === 'honest' || halfOf(host) === half);
    for (const [age, days] of Object.entries(AGES)) {
      const trusts: { name: string; trust: number; risk: number }[] = [];
      for (const { name, host, html, icon } of pages) {
        const { trust } = await judgedPage(html, at === 'own' ? host : NEUTRAL, days, names, icon && faviconHash(icon()));
        trusts.push({ name, trust: trust.result, risk: trust.risk });
      }
      const low = trusts.filter(({ trust }) => trust <= 40);
      process.stdout.write(
        `site-trust, ${label} pages at ${at === 'own' ? "their owners'" : 'a neutral'} name, ${age}: ${pages.length} pages, trust ≤ 40: ${low.length}, ≤ 60: ${trusts.filter(({ trust }) => trust <= 60).length}; suspicious or dangerous: ${trusts.filter(({ risk }) => risk >= VERDICT_BOUNDS.suspicious).length}, dangerous: ${trusts.filter(({ risk }) => risk >= VERDICT_BOUNDS.dangerous).length}\n`,
      );
      if (process.env['SHOW'] === `${label}-${at}`)
        for (const { name, trust } of trusts) if (trust <= 40 === (at === 'own')) process.stdout.write(`  ${trust} ${name}\n`);
    }
  }
}
