import { parseWebUrl } from '@vedette/contract';
import type { shippedNames } from '@vedette/intel/names';
import { signsOf } from '@vedette/web/site';
import { type Corpus, halfOf } from './corpus.ts';
import { type Judged, report } from './figures.ts';
import { judgedPage } from './pages.ts';
import type { JudgeUrl, SeenPage } from './urls.ts';

/** Prints how many URLs reach each threshold with the page that they showed. Bad ones count in the half of their host, honest ones in both. No age is known. */
export async function judgedSeenPages(
  corpus: Corpus,
  half: 'calibrate' | 'report',
  names: ReturnType<typeof shippedNames>,
  judge: JudgeUrl,
): Promise<void> {
  const all = { honest: new Map<string, Judged[]>(), bad: new Map<string, Judged[]>() };
  const unseen: Judged[] = [];
  for (const label of ['honest', 'bad'] as const)
    for (const { name, read } of corpus.files(`seen/${label}`)) {
      const [written = '', ...lines] = read().split('\n');
      const url = parseWebUrl(written);
      if (!url || (label === 'bad' && halfOf(url.host) !== half)) continue;
      const { asksForSecrets, page } = await seenPage(lines.join('\n'), url.host, names);
      const judged = await judge(written, { page, asksForSecrets });
      if (!judged) continue;
      const of = [name.split('__', 1)[0]!, ...(label === 'bad' && asksForSecrets ? ['that ask for a password or a card'] : [])];
      for (const list of of) all[label].set(list, [...(all[label].get(list) ?? []), judged]);
      if (label === 'bad') unseen.push((await judge(written))!);
    }
  if (unseen.length === 0) return;
  report('url-reputation with the page', all);
  report('the same URLs without the page', { honest: new Map(), bad: new Map([['seen', unseen]]) });
}

async function seenPage(html: string, host: string, names: ReturnType<typeof shippedNames>): Promise<SeenPage> {
  const { verdict, trust } = await judgedPage(html, host, undefined, names);
  const forms = verdict.landing?.page.forms ?? [];
  return { page: signsOf(trust.factors), asksForSecrets: forms.some(({ hasPassword, hasCard }) => hasPassword || hasCard) };
}
