import { DNS, PUBLIC_RESOLVERS, REGIONS, ROOT_SERVERS, SITES, site } from './plan.ts';
import { type World, WORLD_DIR, type WorldProcess } from './world.ts';
import { CHANGING_ZONE, COM_ZONE, regionalZones, REGIONAL_ZONE, ROOT_ZONE, type Zone, ZONES, zoneText } from './zones.ts';

const DIR = `${WORLD_DIR}/dns`;
/** DNSSEC anchors of the lab's root: what `VEDETTE_TRUST_ANCHOR_FILE` takes. */
export const TRUST_ANCHOR_FILE = `${DIR}/trust-anchor`;
const QUERY_LOG = `${DIR}/queries.log`;
const fileOf = (zone: Pick<Zone, 'name'>): string => `${DIR}/${zone.name === '' ? 'root' : zone.name}.zone`;

/** One name server for the root, `com` and all zones below, told apart by the address asked; and one validating resolver per site. */
export class Dns {
  readonly #world: World;
  readonly #resolvers = new Map<string, WorldProcess>();
  #named: WorldProcess | undefined;
  #serial = 1;

  constructor(world: World) {
    this.#world = world;
  }

  async start(): Promise<void> {
    await this.#publish();
    // Where AppArmor is on, its profiles for these programs go by path and allow only the system's own folders.
    await this.#shell('cp "$(command -v named)" "$(command -v unbound)" .');
    const sites = SITES.filter(({ resolver4 }) => resolver4 !== undefined);
    this.#named = await this.#world.spawn('dns', [`${DIR}/named`, '-f', '-n', '1', '-c', `${DIR}/named.conf`]);
    await Promise.all([this.#named.line(/^running$/), ...sites.map(({ name }) => this.startResolver(name))]);
  }

  /** The validating resolver of a site: to freeze, to kill and to start again. */
  resolver(name: string): WorldProcess {
    return this.#resolvers.get(name)!;
  }

  async startResolver(name: string): Promise<void> {
    const path = `${DIR}/unbound-${name}.conf`;
    this.#world.write(path, unboundConf(name));
    const resolver = await this.#world.spawn(name, [`${DIR}/unbound`, '-d', '-c', path]);
    this.#resolvers.set(name, resolver);
    await resolver.line(/start of service/);
  }

  /** Makes a resolver forget a name and what is below it. */
  async flush(name: string, domain: string): Promise<void> {
    await this.#control(name, ['flush_zone', domain]);
  }

  /** Makes all resolvers forget all but what every question needs first. */
  async flushAll(): Promise<void> {
    await Promise.all([...this.#resolvers.keys()].map((name) => this.flush(name, '.')));
    await warmResolvers(this.#world);
  }

  /** Makes a resolver believe what it is told about a domain, signed or not (a negative trust anchor, RFC 7646), or validate it again. */
  async validate(name: string, domain: string, does: boolean): Promise<void> {
    await this.#control(name, [does ? 'insecure_remove' : 'insecure_add', domain]);
    await this.flush(name, domain);
  }

  /** What resolvers were told to say and to believe, as unbound-control lists it. */
  async orders(): Promise<string> {
    const each = (name: string) =>
      `for list in local_zones local_data insecure; do unbound-control -c ${DIR}/unbound-${name}.conf list_$list | sort; done`;
    return await this.#shell([...this.#resolvers.keys()].map((name) => `echo ${name}; ${each(name)}`).join('\n'));
  }

  /** Makes a resolver lie about a name: with an address, or, without one, by denying that it exists. */
  async lie(name: string, host: string, address?: string): Promise<void> {
    const lie = address === undefined ? ['local_zone', host, 'always_nxdomain'] : ['local_data', `${host} A ${address}`];
    await this.#control(name, lie);
  }

  /** Makes a resolver give one address for every name below `com` and `net`; of the root it tells the truth. Ended by `tellTruth`. */
  async lieAboutAll(name: string, address: string): Promise<void> {
    for (const zone of ['com', 'net']) {
      await this.#control(name, ['local_zone', zone, 'redirect']);
      await this.#control(name, ['local_data', `${zone} A ${address}`]);
    }
  }

  async tellTruth(name: string, zones: readonly string[] = ['com', 'net']): Promise<void> {
    for (const zone of zones) await this.#control(name, ['local_zone_remove', zone]);
  }

  /** Replaces the records of the changing zone and waits until they are served. Returns the new serial. */
  async setZone(records: readonly string[]): Promise<number> {
    const zone = ZONES.find(({ name }) => name === CHANGING_ZONE)!;
    const serial = ++this.#serial;
    this.#world.write(fileOf(zone), zoneText({ ...zone, records }, serial));
    this.#named!.kill('SIGHUP');
    await this.#named!.line(new RegExp(`zone ${CHANGING_ZONE}/IN.*: loaded serial ${serial}$`));
    return serial;
  }

  /** Puts the records of the plan back into the changing zone. */
  async restoreZone(): Promise<void> {
    await this.setZone(ZONES.find(({ name }) => name === CHANGING_ZONE)!.records);
    await Promise.all([...this.#resolvers.keys()].map((name) => this.flush(name, CHANGING_ZONE)));
  }

  /** What the name server was asked so far, as `client-address name type`. */
  queries(): string[] {
    const lines = this.#world.read(QUERY_LOG).split('\n');
    return lines.flatMap((line) => {
      const found = /client @\S+ ([^#]+)#\d+ .*query: (\S+) IN (\S+)/.exec(line);
      return found ? [`${found[1]} ${found[2]!.toLowerCase()} ${found[3]}`] : [];
    });
  }

  /** Writes and signs the zones, children first: the parent holds their DS records. */
  async #publish(): Promise<void> {
    for (const zone of [...ZONES, COM_ZONE, ROOT_ZONE]) this.#world.write(fileOf(zone), zoneText(zone, 1));
    for (const { region, zone } of regionalZones) this.#world.write(`${fileOf(zone)}.${region.id}`, zoneText(zone, 1));
    this.#world.write(fileOf(REGIONAL_ZONE), zoneText(REGIONAL_ZONE, 1));
    this.#world.write(`${DIR}/named.conf`, namedConf());
    const signed = ZONES.filter(({ signing }) => signing !== 'none');
    await Promise.all(signed.map((zone) => this.#sign(zone)));
    await this.#addDs(COM_ZONE, signed);
    await this.#sign(COM_ZONE);
    await this.#addDs(ROOT_ZONE, [COM_ZONE]);
    await this.#sign(ROOT_ZONE);
    await this.#shell(`grep -h DNSKEY ${keys(ROOT_ZONE)}/*.key > trust-anchor`);
  }

  async #sign(zone: Zone): Promise<void> {
    const origin = zone.name === '' ? '.' : zone.name;
    const validity = zone.signing === 'expired' ? '-s 20200101000000 -e 20200201000000' : '-s now-86400 -e now+2592000';
    const file = fileOf(zone);
    // -P: an expired signature is not for us to refuse. -z: one key signs it all.
    await this.#shell(
      `mkdir -p ${keys(zone)} && dnssec-keygen -q -a ECDSAP256SHA256 -f KSK -K ${keys(zone)} ${origin} >/dev/null && ` +
        `dnssec-signzone -q -S -z -P -K ${keys(zone)} -d ${DIR} ${validity} -o ${origin} -f ${file}.signed ${file} >/dev/null`,
    );
    if (zone.signing === 'bogus')
      await this.#shell(`sed -i -E 's/(\\sA\\s+)93\\.100\\.1\\.1$/\\193.100.1.66/; s/9000:1::1$/9000:1::66/' ${file}.signed`);
  }

  #addDs(parent: Zone, children: readonly Zone[]): Promise<unknown> {
    return this.#shell(`cat ${children.map(({ name }) => `${DIR}/dsset-${name}.`).join(' ')} >> ${fileOf(parent)}`);
  }

  async #control(name: string, command: readonly string[]): Promise<void> {
    await this.#world.run(name, ['unbound-control', '-c', `${DIR}/unbound-${name}.conf`, ...command]);
  }

  #shell(command: string): Promise<string> {
    return this.#world.run(undefined, ['bash', '-c', `cd ${DIR} && ${command}`]);
  }
}

const keys = (zone: Zone): string => `${DIR}/keys-${zone.name === '' ? 'root' : zone.name}`;

function namedConf(): string {
  const zoneLine = (zone: Zone, suffix = zone.signing === 'none' ? '' : '.signed') =>
    `zone "${zone.name === '' ? '.' : zone.name}" { type primary; file "${fileOf(zone)}${suffix}"; };`;
  const view = (name: string, at: readonly string[], body: readonly string[]) =>
    `view "${name}" { match-destinations { ${at.map((address) => `${address};`).join(' ')} };\n  ${body.join('\n  ')}\n};`;
  const rootAddresses = ROOT_SERVERS.flatMap(([, v4, v6]) => [v4, v6]);
  return [
    `options { directory "${DIR}"; pid-file none; session-keyfile none; recursion no; dnssec-validation no; minimal-responses yes; notify no;`,
    `  empty-zones-enable no; querylog yes; listen-on { !${DNS.hostile.v4}; any; }; listen-on-v6 { any; }; };`,
    'controls { };',
    `logging { channel said { stderr; severity info; }; category default { said; };`,
    `  channel asked { file "${QUERY_LOG}"; }; category queries { asked; }; };`,
    view('root', rootAddresses, [zoneLine(ROOT_ZONE)]),
    view('tld', Object.values(DNS.tld), [zoneLine(COM_ZONE)]),
    view('lame', [DNS.lame.v4], ['allow-query { none; };']),
    ...regionalZones.map(({ region, zone }) =>
      view(region.id, [DNS.regional.v4], [`match-clients { 45.80.${region.index}.0/24; };`, zoneLine(zone, `.${region.id}`)]),
    ),
    view('regional', [DNS.regional.v4], [zoneLine(REGIONAL_ZONE)]),
    view(
      'authoritative',
      ['any'],
      ZONES.map((zone) => zoneLine(zone)),
    ),
  ].join('\n');
}

// infra-host-ttl: a server that was cut off is asked again as soon as the cut is healed.
function unboundConf(name: string): string {
  const { resolver4, resolver6, extra } = site(name);
  const forEverybody = PUBLIC_RESOLVERS.filter((address) => extra.includes(address));
  return [
    'server:',
    ...forEverybody.map((address) => `interface: ${address}`),
    ...[resolver4, resolver6].flatMap((address) => [`interface: ${address}`, `outgoing-interface: ${address}`]),
    'access-control: 0.0.0.0/0 allow',
    'access-control: ::/0 allow',
    `directory: "${DIR}"`,
    `trust-anchor-file: "${TRUST_ANCHOR_FILE}"`,
    'username: ""',
    'chroot: ""',
    'pidfile: ""',
    'use-syslog: no',
    'logfile: ""',
    'verbosity: 1',
    'val-log-level: 2',
    'msg-cache-size: 1m',
    'rrset-cache-size: 2m',
    'infra-host-ttl: 1',
    'infra-keep-probing: yes',
    'remote-control:',
    'control-enable: yes',
    `control-interface: ${DIR}/unbound-${name}.control`,
    'control-use-cert: no',
  ].join('\n');
}

/** Fills the resolvers' caches with what every question needs first: the root, `com`, and the keys of both. */
export async function warmResolvers(world: World): Promise<void> {
  const ask = (name: string) => world.run(name, ['dig', '+tries=3', '+time=8', '+short', `@${site(name).resolver4}`, 'com', 'SOA']);
  await Promise.all(['core', 'vpn', ...REGIONS.map(({ id }) => id)].map(ask));
}
