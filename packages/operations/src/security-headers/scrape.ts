import type { Static } from 'typebox';
import { SCRAPED_WELL, type ScrapeForm } from '../kit/index.ts';
import type { SecurityHeadersReport } from './schema.ts';

/** security-headers as a module of `/probe`. */
export const headersScrape: ScrapeForm = {
  module: 'security_headers',
  paramsOf: (target) => ({ url: /^[a-z][a-z\d+.-]*:\/\//i.test(target) ? target : `https://${target}` }),
  read(printed) {
    const { scored, score, problems } = printed as Static<typeof SecurityHeadersReport>;
    if (scored) return { failed: SCRAPED_WELL, series: { probe_security_headers_score: score } };
    return { failed: { reason: 'not_scored', error: problems.join('; ') }, series: {} };
  },
};
