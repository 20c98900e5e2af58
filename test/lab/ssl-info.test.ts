import { expect, it } from 'vitest';
import { lab, shareSystem, system } from './opened.ts';
import { regionalAddress, REGIONS, WEB_HOSTS } from './plan.ts';
import { describeLab } from './preflight.ts';

const SITE = WEB_HOSTS.tlsLied;
const ELSEWHERE = WEB_HOSTS.tlsExpired;

const perLocation = (entries: any[]) => entries.map(({ location, ip, valid_ssl, reason = '' }) => [location, ip, valid_ssl, reason]);

describeLab('ssl-info from locations', () => {
  shareSystem({ VEDETTE_LIMITS: 'off' });

  it('finds one certificate behind the addresses of six regions', async () => {
    const { status, body } = await system.post('ssl-info', { host: 'www.lab-regions.com', locations: ['any:6'] });
    expect(status).toBe(200);
    expect(perLocation(body.locations.toSorted((a: any, b: any) => a.location.localeCompare(b.location)))).toEqual(
      REGIONS.map((region) => [region.id, regionalAddress(region), true, '']).toSorted(([a], [b]) => String(a).localeCompare(String(b))),
    );
    expect(body).toMatchObject({
      valid_ssl: true,
      chain_complete: true,
      differences: { state: 'same', fields: ['ip'], summary: '6 locations were shown the same certificate' },
    });
  });

  it('tells, location by location, the server that shows another certificate, the one that is silent, and our own dead uplink', async () => {
    await lab.faults.lieAbout('sg-sin', SITE.name, ELSEWHERE.v4);
    await lab.faults.cutFromHost('br-gru', SITE.v4);
    await lab.faults.cutFromInternet('za-jnb');
    const asked = ['eu-fra', 'us-ash', 'sg-sin', 'br-gru', 'za-jnb'];
    const [chosen, ...told] = await system.stream('ssl-info', { host: SITE.name, locations: asked });
    expect(chosen!.event).toBe('locations');
    expect(chosen!.data.locations.map(({ location }: any) => location)).toEqual(asked);
    expect(told.map(({ event }) => event)).toEqual([...asked.map(() => 'location'), 'report']);
    const report = told.at(-1)!.data;
    expect(told.slice(0, -1).map(({ data }) => data)).toEqual(expect.arrayContaining(report.locations));
    expect(perLocation(report.locations)).toEqual([
      ['eu-fra', SITE.v4, true, ''],
      ['us-ash', SITE.v4, true, ''],
      ['sg-sin', ELSEWHERE.v4, false, ''],
      ['br-gru', SITE.v4, false, 'connect_timeout'],
      ['za-jnb', '', false, 'no_network'],
    ]);
    expect(report).toMatchObject({ ip: SITE.v4, valid_ssl: true, error: '', differences: { state: 'some_invalid' } });
    const { summary, certificates } = report.differences;
    expect(summary).toMatch(/^At sg-sin: The certificate has expired/);
    expect(summary).toContain(`Only ${ELSEWHERE.v4} had the fault: look at the servers there`);
    expect(summary).toMatch(/1 location was shown no certificate\. 1 location could not measure$/);
    expect(certificates.map(({ locations, ips }: any) => [locations, ips])).toEqual([
      [['eu-fra', 'us-ash'], [SITE.v4]],
      [['sg-sin'], [ELSEWHERE.v4]],
    ]);
  }, 60_000);
});
