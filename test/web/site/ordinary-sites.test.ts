import { expect, it } from 'vitest';
import { findCommerce, judgeSite, scoreTrust, type SiteCheck } from '@vedette/web/site';
import { evidenceOf } from './evidence.ts';
import { ORDINARY_SITES } from './ordinary-sites.ts';

/** What no ordinary site is to be told. */
const ALARMS: readonly SiteCheck[] = [
  'is_suspended_site', 'is_robots_noindex', 'is_empty_page_content', 'is_redirect_to_search_engine', 'is_suspicious_redirect', 'is_http_status_error', 'is_empty_page_title', 'is_sinkholed_domain', 'is_directory_listing', 'is_external_redirect', 'is_defaced_heuristic', 'is_high_discounts', 'is_fake_socials', 'is_heuristic_pattern', 'is_free_email', 'is_parked_site',
]; // prettier-ignore

it('there are more than twenty of them, with all the shop systems', () => {
  expect(ORDINARY_SITES.length).toBeGreaterThan(20);
  expect(new Set(ORDINARY_SITES.flatMap(({ platform }) => platform ?? []))).toHaveProperty('size', 6);
});

it.each(ORDINARY_SITES)('$what comes out clean', async (site) => {
  const evidence = await evidenceOf(site);
  const verdict = judgeSite(evidence);
  expect(ALARMS.filter((name) => verdict.checks[name])).toEqual([]);
  expect(verdict.checks.is_ecommerce_platform).toBe(site.shop ?? false);
  const { landing } = verdict;
  expect([...(landing ? findCommerce(landing.fields, landing.headers.cookies, landing.page).platforms : [])]).toEqual(
    site.platform === undefined ? [] : [site.platform],
  );
  expect(scoreTrust(evidence, verdict).result).toBeGreaterThanOrEqual(site.more?.age?.recent === true ? 83 : 95);
});
