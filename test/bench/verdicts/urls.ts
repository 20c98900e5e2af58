import { parseWebUrl } from '@vedette/contract';
import { domainRisk, hostCategories, judgeHostName, judgeIpv4 } from '@vedette/intel/names';
import { type HostRisk, type UrlEvidence, urlRisk, urlShape } from '@vedette/intel/urls';
import { budgeted } from '@vedette/probes/dns';
import { systemClock } from '@vedette/probes/net';
import { fakeResolver } from '../../intel/fake-resolver.ts';
import { enginesInMemory, type LoadedLists } from './addresses.ts';
import { type Corpus, halfOf } from './corpus.ts';
import { type Judged, report } from './figures.ts';

/** Every URL is judged by a host with a public address. */
const UNVISITED = { page: [], asksForSecrets: false, masked: '', isProgram: false, unseen: { page: '', age: '', lists: 0 } };

/** A page, as the risk of its URL takes it. */
export type SeenPage = Pick<UrlEvidence, 'page' | 'asksForSecrets'>;
export type JudgeUrl = (written: string, page?: SeenPage) => Promise<Judged | undefined>;

/** Judges URLs by how they are written, by their hosts' names, by lists, and by the page where it was seen. Undefined for what is not a URL. */
export function urlJudge(lists: LoadedLists): JudgeUrl {
  const { names } = lists;
  const blacklists = enginesInMemory(lists);
  const dns = fakeResolver({});
  const signal = new AbortController().signal;
  const ofHost = async (host: string): Promise<{ risk: HostRisk['risk']; listed: boolean }> => {
    using resolver = budgeted(dns, { questions: 0 }, systemClock);
    const { results } = await blacklists.host(host, { exclude: [], key: undefined, resolver, signal });
    const detections = results.filter(({ detected }) => detected);
    const traits = judgeHostName(host, names);
    const categories = hostCategories(host, names);
    const ipv4 = judgeIpv4(['1.1.1.1']);
    return {
      risk: domainRisk({ traits, categories, ipv4, hasIpv6: false, detections, age: undefined, unheard: 0 }),
      listed: detections.length > 0,
    };
  };
  return async (written, page) => {
    const url = parseWebUrl(written);
    if (!url) return undefined;
    const { results } = blacklists.url(url.url.href, { exclude: [] });
    const detections = results.filter(({ detected }) => detected);
    const host = url.kind === 'name' ? await ofHost(url.host) : { risk: { result: 0, factors: [] }, listed: false };
    const shape = urlShape(written, url, names);
    const { result: risk } = urlRisk({
      ...UNVISITED,
      ...page,
      shape,
      detections,
      hosts: [{ host: url.host, risk: host.risk, passing: false }],
    });
    return { subject: written, risk, listed: detections.length > 0 || host.listed };
  };
}

/** Prints how many URLs of each list reach each threshold without their pages. */
export async function judgedUrls(corpus: Corpus, half: 'calibrate' | 'report', judge: JudgeUrl): Promise<void> {
  const judged = { honest: new Map<string, Judged[]>(), bad: new Map<string, Judged[]>() };
  for (const label of ['honest', 'bad'] as const)
    for (const { name, lines } of corpus.lists(`urls/${label}`)) {
      const here: Judged[] = [];
      for (const line of lines) {
        const url = parseWebUrl(line);
        if (url && halfOf(url.host) === half) here.push(...[await judge(line)].filter((one) => one !== undefined));
      }
      judged[label].set(name, here);
    }
  if (judged.honest.size > 0) report('url-reputation without the page', judged);
}
