import { type Clock, ProbeFailure } from '@vedette/contract';
import { systemClock } from '@vedette/probes/net';
import { describe, expect, it } from 'vitest';
import { aroundZoo, ask, here, zooUrl } from './zoo-ask.ts';
import { zooContext } from './zoo-context.ts';

aroundZoo();

/** A clock whose waits are over at once when they are long ones. */
function hurried(): { clock: Clock; sleeps: number[] } {
  const sleeps: number[] = [];
  const sleep = (ms: number, signal?: AbortSignal) => {
    sleeps.push(ms);
    return systemClock.sleep(ms / 100, signal);
  };
  return { clock: { ...systemClock, sleep }, sleeps };
}

describe('hops that nobody may contact', () => {
  it.each([
    ['a private address', '/to-private', 'http://10.0.0.7/', 'The address is not a public one'],
    ['a name of one', '/to-inner-name', 'http://private.test/', 'The address is not a public one'],
    ['a name of special use', '/to-localhost', 'http://localhost/', 'This target is not allowed'],
    ['a government', '/to-government', 'https://www.irs.gov/', 'This target is not allowed'],
    ['a name on the deny-list', '/to-denied', 'https://denied.test/', 'This target is not allowed'],
    ['a name whose owner does not want it', '/to-quiet', 'https://quiet.test/', 'This target is not allowed'],
    ['a private address by a Refresh header', '/refresh-private', 'http://10.0.0.7/', 'The address is not a public one'],
    ['the metadata service by a meta element', '/meta-private', 'http://169.254.169.254/latest/', 'The address is not a public one'],
  ])('%s ends the chain before it', async (_what, path, to, why) => {
    const { report, urls, first } = await ask(zooUrl(path), { follow_header_redirects: true, follow_meta_redirects: true });
    expect(urls).toEqual([zooUrl(path)]);
    expect(first).toMatchObject({ redirect_to: to, redirect_followed: false, connection_error: false, error: '' });
    expect(report).toMatchObject({
      chain_status: 'partial',
      debug_message: expect.stringContaining(`hop 0 leads to ${to}, which is not requested: ${why}`),
    });
    expect(report.redirect_stats).toMatchObject({ redirects_found: 1, followed_redirects: 0 });
    expect(here.last.dialled).toEqual(['127.0.0.1:80']);
    expect(here.last.asked.filter((question) => question.startsWith('localhost') || question.includes('irs.gov'))).toEqual([]);
  });

  it('a first URL that only the DNS shows to be one is refused as a whole', async () => {
    await expect(ask('http://private.test/')).rejects.toMatchObject({ code: 'private_address', param: 'url' });
    await expect(ask('http://alias-of-government.test/')).rejects.toMatchObject({ code: 'blocked_target' });
    expect(here.last.dialled).toEqual([]);
  });

  it.each([
    ['http://10.0.0.7/', 'private_address'],
    ['https://www.irs.gov/', 'blocked_target'],
    ['https://denied.test/', 'denied_target'],
    ['https://quiet.test/', 'denied_target'],
    ['http://printer.local/', 'special_use_name'],
  ])('so is one that wraps %s', async (inner, code) => {
    const wrapped = `https://nam01.safelinks.protection.outlook.com/?url=${encodeURIComponent(inner)}&data=x`;
    await expect(ask(wrapped)).rejects.toMatchObject({ code, param: 'url' });
    expect(here.last.dialled).toEqual([]);
  });
});

describe('what does not answer', () => {
  it.each([
    [
      'a name that is not there',
      '/to-nowhere',
      { can_resolve: false, connection_error: false, reason: 'dns_nxdomain', ip: '' },
      'not_resolved',
    ],
    [
      'a name that nobody answers for',
      '/to-unanswered',
      { can_resolve: false, connection_error: false, reason: 'dns_timeout' },
      'not_resolved',
    ],
    ['a closed port', '/to-closed', { can_resolve: true, connection_error: true, reason: 'connect_refused' }, 'not_connected'],
  ])('%s is the last hop', async (_what, path, hop, status) => {
    const { report, final } = await ask(zooUrl(path));
    expect(report.chain).toHaveLength(2);
    expect(final).toMatchObject({ ...hop, status_code: 0, protocol: '', status_message: '', html_info: { title: '' } });
    expect(final.error).not.toBe('');
    expect(report).toMatchObject({
      chain_status: 'partial',
      debug_message: expect.stringContaining(`hop 1, ${final.url}: ${final.error}`),
      request_stats: { total_requests: 2, failed_requests: 1 },
      final_url: { status, status_code: 0 },
    });
  });

  it('a server that says nothing is waited for as long as connecting and answering may take', async () => {
    const { clock, sleeps } = hurried();
    const { report, final } = await ask(zooUrl('/to-silent'), { connect_timeout: 3 }, { clock });
    expect(final).toMatchObject({ can_resolve: true, connection_error: true, reason: 'http_timeout', status_code: 0, ip: '127.0.0.1' });
    expect(report.final_url.status).toBe('timed_out');
    expect(sleeps).toContain(13_000);
  });

  it('without a network of ours there is no report', async () => {
    const failing = { ...zooContext(here.zoo).opened.dialler, tcp: () => Promise.reject(new ProbeFailure('no_network', 'ENETUNREACH')) };
    await expect(ask(zooUrl('/end'), {}, { dialler: failing })).rejects.toMatchObject({ code: 'upstream_failed', status: 502 });
  });

  it('a HTTP error is an answer', async () => {
    expect((await ask(zooUrl('/broken'))).report).toMatchObject({
      chain_status: 'complete',
      final_url: { status: 'server_error', status_code: 500 },
    });
    expect((await ask(zooUrl('/gone'))).report).toMatchObject({ chain_status: 'complete', final_url: { status: 'client_error' } });
  });

  it('what is not reached in the time of a chain ends it before', async () => {
    const { clock } = hurried();
    let now = 0;
    // A hop looks at the clock a dozen times: the ninth or so is one too many.
    const slow = { ...clock, now: () => (now += 400), sleep: systemClock.sleep };
    const { report, urls } = await ask(zooUrl('/down?left=10'), {}, { clock: slow });
    expect(urls.length).toBeLessThan(11);
    expect(report).toMatchObject({
      chain_status: 'partial',
      debug_message: expect.stringContaining('the 45 s that a chain may take were over'),
    });
    expect(report.chain.every(({ status_code }) => status_code === 302)).toBe(true);
  });
});
