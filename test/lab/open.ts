/** `npm run lab`: the lab with the whole product in it, for playing. Ends with Ctrl-C. */
import { once } from 'node:events';
import { Lab } from './lab.ts';
import { CA_FILE } from './pki.ts';
import { CORE_ADDRESS, HOSTILE_HOST, REGIONS, site, WEB_HOSTS, type WebHost } from './plan.ts';
import { missingForLab } from './preflight.ts';
import { API_KEY, System } from './system.ts';

const say = (line = '') => process.stdout.write(`${line}\n`);

const missing = missingForLab();
if (missing.length > 0) {
  process.stderr.write(`the lab cannot run here; missing: ${missing.join(', ')}\n`);
  process.exit(1);
}

const lab = await Lab.open();
try {
  await System.start(lab);
  const inside = (site: string) => `nsenter -t ${lab.world.pid} -m -n -p -i -u ip netns exec ${site}`;
  const ask = (operation: string, body: object) =>
    `${inside('core')} curl -s http://${CORE_ADDRESS}:8080/v2/${operation} -H 'X-API-Key: ${API_KEY}' -H 'Content-Type: application/json' -d '${JSON.stringify(body)}'`;

  say('regions (round trip to any host is twice the delay):');
  for (const { id, city_name, delay_ms } of REGIONS)
    say(`  ${id}  ${site(id).v4.padEnd(12)} ${site(id).v6.padEnd(18)} ${delay_ms} ms  ${city_name}`);
  say('hosts:');
  for (const { name, v4, v6, certificate } of Object.values(WEB_HOSTS) as WebHost[])
    say(`  ${name.padEnd(34)} ${[v4, v6].filter(Boolean).join(' ').padEnd(32)} ${certificate ?? 'no TLS'}`);
  say(`  ${HOSTILE_HOST.name.padEnd(34)} ${HOSTILE_HOST.v4}`);
  say('names: www.lab-regions.com (by region), lab-bogus.com, lab-expired.com, lab-lame.com, lab-dead.com, lab-hostile.com');
  say();
  say('ask the product:');
  say(ask('ping-test', { host: 'www.lab-good.com' }));
  say(ask('geo-request', { url: 'https://www.lab-good.com/' }));
  say(ask('dns-propagation', { host: 'www.lab-regions.com', dns_types: 'A' }));
  say(ask('vpn-test', { url: 'https://www.lab-good.com/' }));
  say('look around in a region:');
  say(`${inside('eu-fra')} curl -s --cacert ${CA_FILE} https://www.lab-good.com/`);
  say(`${inside('eu-fra')} bash`);
  say();
  say('the lab is open; Ctrl-C closes it');
  await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]); // until here they end us, and the lab with us
} finally {
  await lab.close();
}
