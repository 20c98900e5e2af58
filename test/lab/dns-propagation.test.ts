import { expect, it, onTestFinished, vi } from 'vitest';
import { itAnswersAsTheExamples } from './examples.ts';
import { lab, shareSystem, system } from './opened.ts';
import { DNS, regionalAddress, REGIONS, site } from './plan.ts';
import { describeLab } from './preflight.ts';
import { BIG_TXT } from './zones.ts';

const ALL = REGIONS.map(({ id }) => id);

describeLab('dns-propagation in the lab', () => {
  shareSystem();

  const propagation = async (host: string, dns_types: string) => {
    const { status, body } = await system.post('dns-propagation', { host, dns_types });
    expect(status).toBe(200);
    const entries = new Map<string, any>(body.propagation.map((entry: any) => [entry.location, entry]));
    const records = (id: string) => entries.get(id).response.map((answer: any) => answer.records);
    const statuses = Object.fromEntries([...entries].map(([id, { response }]) => [id, response[0].status]));
    return { entries, records, statuses, summary: body.summary };
  };
  const everywhere = (what: string, except: Record<string, string> = {}) => ({
    ...Object.fromEntries(ALL.map((id) => [id, what])),
    ...except,
  });

  it('shows what each region is answered, by its own resolver', async () => {
    const { entries, summary } = await propagation('www.lab-regions.com', 'A');
    for (const region of REGIONS) {
      const { response, error, city_name } = entries.get(region.id);
      expect(error).toBe('');
      expect(city_name).toBe(region.city_name);
      expect(response).toEqual([
        expect.objectContaining({
          dns_type: 'A',
          status: 'NOERROR',
          error: '',
          server: expect.stringContaining(site(region.id).resolver4!),
        }),
      ]);
      expect(JSON.stringify(response[0].records)).toContain(regionalAddress(region));
    }
    expect(summary[0]).toMatchObject({ dns_type: 'A', locations_answered: 6, agreeing_locations: 1, distinct_answers: 6 });
  });

  it('asks the server of the options from every region, and none that is not public', async () => {
    const ask = (options: object) => system.post('dns-propagation', { host: 'www.lab-good.com', dns_types: 'A,SOA', options });
    for (const transport of ['udp', 'tcp']) {
      const { status, body } = await ask({ server: DNS.authoritative.v4, recursion: false, transport });
      expect(status).toBe(200);
      for (const { response, error } of body.propagation) {
        expect([error, response[0].status, response[0].server]).toEqual(['', 'NOERROR', `${DNS.authoritative.v4}:53`]);
        expect(response[0].flags).toContain('aa');
      }
      expect(body.summary[0]).toMatchObject({ locations_answered: 6, distinct_answers: 1, answers: [{ authoritative: true }] });
    }
    const inner = await ask({ server: '10.0.0.1' });
    expect([inner.status, inner.body.code, inner.body.param]).toEqual([400, 'private_address', 'options.server']);
  });

  it('traces from the root down at every region', async () => {
    const { status, headers, body } = await system.post('dns-propagation', {
      host: 'www.lab-good.com',
      dns_types: 'A',
      options: { trace: true },
    });
    expect([status, /cost=(\d+)/.exec(String(headers['x-service-quota']))?.[1]]).toEqual([200, '10']);
    for (const { trace, response, error } of body.propagation) {
      expect([error, response[0].status]).toEqual(['', 'NOERROR']);
      expect(trace.map((step: any) => [step.zone, step.refers_to, step.authoritative])).toEqual([
        ['.', 'com', false],
        ['com', 'lab-good.com', false],
        ['lab-good.com', '', true],
      ]);
      expect(trace.at(-1).address).toBe(DNS.authoritative.v4);
    }
  });

  it('agrees everywhere where there is nothing to disagree about, for every type', async () => {
    const types = 'A,AAAA,MX,NS,TXT,SOA,CAA';
    const { summary } = await propagation('lab-good.com', types);
    expect(summary.map((each: any) => [each.dns_type, each.locations_answered, each.agreeing_locations, each.distinct_answers])).toEqual(
      types.split(',').map((type) => [type, 6, 6, 1]),
    );
    expect(summary.every(({ answers }: any) => answers[0].authoritative)).toBe(true);
  });

  it('shows an old answer in one cache and the new one in the others, and which the zone itself gives', async () => {
    await propagation('www.lab-change.com', 'A');
    await propagation('lab-change.com', 'SOA');
    onTestFinished(() => lab.dns.restoreZone());
    await lab.dns.setZone(['www A 93.100.1.77']);
    for (const id of ALL.filter((each) => each !== 'sg-sin')) await lab.dns.flush(id, 'lab-change.com');
    const { records, summary } = await propagation('www.lab-change.com', 'A');
    expect(JSON.stringify(records('sg-sin'))).toContain('93.100.1.1"');
    expect(JSON.stringify(records('eu-fra'))).toContain('93.100.1.77"');
    expect(summary[0]).toMatchObject({ agreeing_locations: 5, distinct_answers: 2 });
    const of = (address: string) => summary[0].answers.find((answer: any) => JSON.stringify(answer.records).includes(`${address}"`));
    expect(of('93.100.1.77')).toMatchObject({ authoritative: true, locations: expect.not.arrayContaining(['sg-sin']) });
    expect(of('93.100.1.1')).toMatchObject({ authoritative: false, locations: ['sg-sin'] });
    expect((await propagation('lab-change.com', 'SOA')).summary[0].soa_serial_spread).toBe(1);
  });

  it('tells NXDOMAIN, NODATA and SERVFAIL of a location apart', async () => {
    expect((await propagation('nobody.lab-good.com', 'A')).statuses).toEqual(everywhere('NXDOMAIN'));
    const nodata = await propagation('text-only.lab-good.com', 'A');
    expect(nodata.statuses).toEqual(everywhere('NOERROR'));
    expect(nodata.records('eu-fra')).toEqual([[]]);
    // A busy resolver may need longer than an agent waits, and has the answer then.
    const lame = await vi.waitFor(
      async () => {
        const found = await propagation('www.lab-lame.com', 'A');
        expect(found.statuses).toEqual(everywhere('SERVFAIL'));
        return found;
      },
      { timeout: 30_000 },
    );
    // Those that the parent delegates it to, not the parent's own.
    expect(lame.summary[0]).toMatchObject({
      authoritative: [expect.objectContaining({ address: DNS.lame.v4, status: 'REFUSED' })],
      authoritative_error: "None of the zone's own servers answered for it",
    });
  });

  it('shows the one region whose resolver finds a name bogus', async () => {
    for (const id of ALL.filter((each) => each !== 'eu-fra')) await lab.faults.stopValidating(id, 'lab-bogus.com');
    const { statuses, entries } = await propagation('www.lab-bogus.com', 'A');
    expect(statuses).toEqual(everywhere('NOERROR', { 'eu-fra': 'SERVFAIL' }));
    expect(entries.get('eu-fra').response[0].error).not.toBe('');
  });

  it('gives every region an entry when one resolver is dead and another cannot be reached over UDP', async () => {
    await lab.faults.freezeResolver('eu-fra');
    await lab.faults.blockUdpDns('us-ash');
    const { statuses, entries } = await propagation('www.lab-plain.com', 'A');
    expect(statuses).toEqual(everywhere('NOERROR', { 'eu-fra': '', 'us-ash': '' }));
    for (const id of ['eu-fra', 'us-ash'])
      expect(entries.get(id)).toMatchObject({ reason: 'no_network', error: expect.stringMatching(/./) });
    await lab.faults.healAll();
    const healed = async () => expect((await propagation('www.lab-plain.com', 'A')).statuses).toEqual(everywhere('NOERROR'));
    await vi.waitFor(healed, { timeout: 20_000, interval: 500 });
  });

  it('reads a record that is too big for UDP, whole', async () => {
    const { records } = await propagation('big.lab-good.com', 'TXT');
    for (const id of ALL) expect(JSON.stringify(records(id))).toContain(BIG_TXT.join(''));
  });

  it('believes no server that breaks the protocol, and gives the region an entry all the same', async () => {
    system.agent('za-jnb').kill('SIGTERM');
    await system.startAgent('za-jnb', 'b', { env: { VEDETTE_RESOLVERS: DNS.hostile.v4, VEDETTE_WITNESSES: '' } }); // it does not know the root either
    await system.agent('za-jnb').ended;
    const seen = async (label: string) => (await propagation(`${label}-1.lab-hostile.com`, 'A')).entries.get('za-jnb').response[0];
    const labels = ['wrongid', 'otherquestion', 'silent', 'servfail', 'refused', 'truncated'];
    const answers = await Promise.all(labels.map(seen));
    expect(Object.fromEntries(labels.map((label, index) => [label, [answers[index].status, answers[index].records]]))).toEqual({
      wrongid: ['TIMEOUT', []],
      otherquestion: ['TIMEOUT', []],
      silent: ['TIMEOUT', []],
      servfail: ['SERVFAIL', []],
      refused: ['REFUSED', []],
      truncated: ['NOERROR', ['93.100.1.1']], // over TCP
    });
    for (const { records } of await Promise.all(['garbage', 'short'].map(seen))) expect(records).toEqual([]);
  }, 180_000);

  it('joins the strings of a TXT record', async () => {
    const { records } = await propagation('lab-good.com', 'TXT');
    expect(JSON.stringify(records('au-syd'))).toContain('two strings');
  });

  it("is beside a gateway that has the lab's trust anchor: the signed zone is secure to it", async () => {
    const { body } = await system.post('dnssec-status', { host: 'www.lab-good.com' });
    expect(body).toMatchObject({ status: 'secure', reason: '', dnssec_enabled: true, dnssec_signed: true });
  });

  itAnswersAsTheExamples();
});
