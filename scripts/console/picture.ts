import { globSync, readFileSync } from 'node:fs';
import sharp from 'sharp';
import { buildConsole, openChromium } from '../../test/console/browser.ts';
import { NO_BROWSER, startOneMachine } from '../../test/system/one-machine.ts';

/** `sh scripts/node.sh scripts/console/picture.ts`: docs/pictures/console.png, a ping as the lab answers it, in the browser of the tests. */

const FILE = 'docs/pictures/console.png';

interface Entry {
  location: string;
  city_name: string;
}

const read = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));
const { report } = read(globSync('packages/operations/src/ping-test/example.json')[0]!) as { report: { locations: Entry[] } };

/** More places than the example has, each with its own times. */
const PLACES = [
  { location: 'eu-fra', city_name: 'Frankfurt', country_name: 'Germany', latitude: 50.11, longitude: 8.68, ms: 8.3 },
  { location: 'us-ash', city_name: 'Ashburn', country_name: 'United States', latitude: 39.04, longitude: -77.49, ms: 92.4 },
  { location: 'sg-sin', city_name: 'Singapore', country_name: 'Singapore', latitude: 1.35, longitude: 103.82, ms: 161.7 },
  { location: 'br-gru', city_name: 'São Paulo', country_name: 'Brazil', latitude: -23.55, longitude: -46.63, ms: 203.1 },
  { location: 'za-jnb', city_name: 'Johannesburg', country_name: 'South Africa', latitude: -26.2, longitude: 28.05, ms: 174.9 },
  { location: 'au-syd', city_name: 'Sydney', country_name: 'Australia', latitude: -33.87, longitude: 151.21, ms: 276.2 },
];
const FAILED = { location: 'jp-tyo', city_name: 'Tokyo', country_name: 'Japan', latitude: 35.68, longitude: 139.69 };

function entryOf({ ms, ...place }: (typeof PLACES)[number], i: number): object {
  const times = [0.2, 0, 0.9, 0.1].map((more, echo) => ({
    bytes: 64,
    icmp_seq: echo + 1,
    ttl: 54,
    time_ms: Math.round((ms + more * ms * 0.2) * 1000) / 1000,
  }));
  const got = i === 4 ? times.toSpliced(2, 1) : times;
  const all = got.map(({ time_ms }) => time_ms);
  const avg = all.reduce((sum, one) => sum + one, 0) / all.length;
  const rtt = { min: Math.min(...all), avg: Math.round(avg * 1000) / 1000, max: Math.max(...all), mdev: 1 };
  const output = {
    ip_address: '192.0.2.10',
    packets_sent: 4,
    packets_received: got.length,
    percent_packet_loss: 100 - got.length * 25,
    icmp_requests: got,
    rtt,
  };
  return { ...place, ping_output: output, error: '' };
}

buildConsole();
const vedette = await startOneMachine(NO_BROWSER);
const chromium = await openChromium();
try {
  const { page } = await chromium.open(`${vedette.url}/ask/ping-test?host=www.example.org`, {
    key: vedette.key,
    viewport: { width: 1200, height: 1060 },
  });
  const entries = [
    ...PLACES.map(entryOf),
    { ...FAILED, ping_output: { packets_sent: 0 }, error: 'No agent could take the measurement in time', reason: 'agent_busy' },
  ];
  const events = [...entries.map((entry) => ['location', entry]), ['report', { ...report, host: 'www.example.org', locations: entries }]];
  await page.route('**/v2/locations', (route) =>
    route.fulfill({ json: { locations: [...PLACES, FAILED].map((place) => ({ ...place, id: place.location, asked_by_default: true })) } }),
  );
  await page.route('**/v2/ping-test', (route) =>
    route.fulfill({
      contentType: 'text/event-stream',
      headers: { 'x-service-quota': 'limit=1000000, remaining=999995, reset=0, cost=5' },
      body: events.map(([event, data]) => `event: ${event as string}\ndata: ${JSON.stringify(data)}\n\n`).join(''),
    }),
  );
  await page.reload();
  await page.click('button.primary');
  await page.waitForSelector('.report-tools');
  const picture = await page.screenshot({ animations: 'disabled', caret: 'hide' });
  await sharp(picture).png({ palette: true, colours: 64, effort: 10 }).toFile(FILE);
  process.stdout.write(`${FILE}\n`);
} finally {
  await chromium[Symbol.asyncDispose]();
  await vedette.stop();
}
