import fs from 'node:fs';
import type { HeaderEvidence } from '@vedette/web/headers';
import type { Given } from './header-sets.ts';

/** A verdict of MDN's HTTP Observatory. */
export interface ObservatoryResult {
  test: string;
  result: string;
  pass: boolean;
  modifier: number;
}

const untyped = (module: string): Promise<any> => import(module);
const load = (module: string): Promise<any> => untyped(`@mdn/mdn-http-observatory/src/${module}.js`);

/** MDN's HTTP Observatory, with this list of preloaded names in place of the one that it fetches when it is installed. */
export async function openObservatory(preloaded: readonly string[]) {
  const list = Object.fromEntries(preloaded.map((name) => [name, { includeSubDomains: true, mode: 'force-https' }]));
  const { readFileSync } = fs;
  fs.readFileSync = ((...args: Parameters<typeof readFileSync>) =>
    String(args[0]).endsWith('hsts-preload.json') ? JSON.stringify(list) : readFileSync(...args)) as typeof readFileSync;
  const [{ ALL_TESTS }, { Requests }, { SCORE_TABLE }, { getGradeForScore }, { hsts }, { AxiosHeaders }, { CookieJar }] = await Promise.all(
    [
      load('constants'),
      load('types'),
      load('grader/charts'),
      load('grader/grader'),
      load('analyzer/hsts'),
      untyped('axios'),
      untyped('tough-cookie'),
    ],
  );
  hsts();
  fs.readFileSync = readFileSync;

  /** Asks its tests about the same facts. */
  function judge(evidence: HeaderEvidence, given: Given): ObservatoryResult[] {
    const requests = new Requests(evidence.host);
    const headers = new AxiosHeaders();
    for (const [name, written] of Object.entries(given.fields ?? {})) headers.set(name, valueOf(name, [written].flat().map(String)));
    const equivalents = new Map<string, string[]>([['content-security-policy', [...(evidence.page?.policies ?? [])].flatMap(split)]]);
    if (evidence.page?.referrer) equivalents.set('referrer-policy', [evidence.page.referrer]);
    const seen = (visit: HeaderEvidence['https']) => visit && { headers, status: 200, verified: visit.verified, httpEquiv: equivalents };
    const hops = (visit: HeaderEvidence['https']) => visit?.hops.map(({ url, status }) => ({ url: new URL(url), status })) ?? [];
    const auto = evidence.https ?? evidence.http;
    requests.responses.https = seen(evidence.https) ?? null;
    requests.responses.http = seen(evidence.http) ?? null;
    requests.responses.auto = seen(auto) ?? null;
    requests.responses.httpRedirects = hops(evidence.http);
    requests.responses.cors = evidence.preflight
      ? {
          headers: new AxiosHeaders(Object.fromEntries(evidence.preflight)),
          request: { headers: new AxiosHeaders({ origin: evidence.origin }) },
        }
      : null;
    requests.resources.path = pageOf(evidence);
    const jar = new CookieJar();
    for (const text of [given.fields?.['set-cookie'] ?? []].flat()) jar.setCookieSync(text, auto?.hops.at(-1)?.url, { ignoreError: true });
    requests.session = { url: new URL(auto?.hops[0]?.url ?? 'http://none.test/'), jar };
    return ALL_TESTS.map((test: (asked: unknown) => { constructor: { name: string }; result: string; pass: boolean }) => {
      const { constructor, result, pass } = test(requests);
      return { test: constructor.name, result, pass, modifier: SCORE_TABLE.get(result).modifier };
    });
  }

  return {
    judge,
    /** Points of each result. */
    points: new Map(Array.from(SCORE_TABLE as Map<string, { modifier: number }>, ([result, { modifier }]) => [result, modifier])),
    gradeOf: (score: number): string => getGradeForScore(score).grade,
  };
}

const split = (field: string): string[] => field.split(',').map((policy) => policy.trim());

/** As Node joins fields of one name, but for policies: later versions take them apart, as browsers do. */
function valueOf(name: string, values: string[]): string | string[] {
  if (name === 'content-security-policy') return values.flatMap(split);
  return name === 'set-cookie' ? values : values.join(', ');
}

function pageOf({ page }: HeaderEvidence): string {
  const scripts =
    page?.scripts.map(({ src, integrity }) => `<script src="${src}"${integrity ? ' integrity="sha384-x"' : ''}></script>`) ?? [];
  const inline = Array.from({ length: (page?.scriptsCount ?? 0) - scripts.length }, () => '<script>1</script>');
  return `<!doctype html><html><head></head><body>${[...scripts, ...inline].join('')}</body></html>`;
}
